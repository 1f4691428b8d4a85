"""Many workers on one Redis: under kill -9, and as many as it can feed."""
