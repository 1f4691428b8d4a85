"""What commands have in common: the types of their options, and what long work shows of itself."""
