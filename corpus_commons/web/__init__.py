"""What the servers of pages for people share."""
