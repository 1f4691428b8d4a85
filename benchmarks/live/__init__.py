"""What the live page costs a crawl."""
