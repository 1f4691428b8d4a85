"""What people are told of a run: progress, summary, report."""
