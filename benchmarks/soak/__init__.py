"""A long crawl of small pages: do memory, files and threads stay as they are?"""
