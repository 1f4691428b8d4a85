"""When a page was published: dates that it declares, has in its URL, or shows near its heading."""
