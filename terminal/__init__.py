"""What long work shows of itself, to whoever watches a terminal or reads a log."""
