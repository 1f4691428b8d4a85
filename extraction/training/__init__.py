"""What the training of every method shares: alignment with gold text, and made discussions."""
