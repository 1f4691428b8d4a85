"""Mutated and invented inputs for everything that reads what others have written."""
