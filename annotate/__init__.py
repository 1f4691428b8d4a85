"""Labelling in the browser: people correct what the machine says of pages; data sets come out."""
