"""Structures of manuals: tables, headings, code, definitions."""
