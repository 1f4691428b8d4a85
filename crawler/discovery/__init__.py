"""Which URLs a page, a list or a seed leads to, and which of them belong to the job."""
