"""The frontiers' memory and speed, that of Redis beside scrapy-redis."""
