"""Which URLs a page, a sitemap, a feed or a seed leads to, and which of them belong to the job."""
