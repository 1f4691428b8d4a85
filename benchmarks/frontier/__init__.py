"""Memory and speed of the frontiers; the Redis one is compared with scrapy-redis."""
