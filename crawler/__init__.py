"""Fetching: the frontier, the spider, rendering, politeness, the egress guard, commands."""
