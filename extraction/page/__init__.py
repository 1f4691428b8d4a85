"""A parsed page as a reader sees it: blocks, tables, lines of code, images, comments."""
