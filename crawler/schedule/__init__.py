"""Runs jobs again and again: when each is due, who may run it, and the crawl as a process."""
