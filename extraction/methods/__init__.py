"""One module per method; extraction.registry has their names."""
