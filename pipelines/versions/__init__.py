"""Versions of documents: what counts as a change, what follows from one, and the end of a page."""
