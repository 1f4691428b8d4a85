"""Training of the HTML classifier."""
