"""One module per method, and what they are made of; extraction.registry has their names."""
