"""Data sets, metrics and tables to compare methods: ``python -m evaluation --help``."""
