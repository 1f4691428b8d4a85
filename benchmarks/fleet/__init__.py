"""Many workers on one Redis: with kill -9, and how many it can supply."""
