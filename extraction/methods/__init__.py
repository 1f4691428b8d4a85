"""One module a method; names are given in extraction.registry."""
