"""What site owners ask for: robots.txt and Retry-After."""
