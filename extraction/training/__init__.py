"""What the training of methods shares: the alignment with gold text, and CleanEval's format."""
