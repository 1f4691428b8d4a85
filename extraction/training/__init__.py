"""What the training of every method shares: labelled pages, alignment, folds, options."""
