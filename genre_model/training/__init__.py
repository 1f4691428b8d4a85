"""Training of every classifier; not needed to use them."""
