"""Predictions compared with labels: scores, tables, pictures."""
