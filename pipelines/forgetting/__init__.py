"""``corpus forget``: documents are removed from wherever they are, and do not come back."""
