"""What commands have in common: how they are called, their options, output and progress."""
