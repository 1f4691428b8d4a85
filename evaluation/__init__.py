"""Data sets, metrics and tables that tell methods apart: ``python -m evaluation --help``."""
