"""Connections to public addresses only: the crawler's own, and those of its browsers."""
