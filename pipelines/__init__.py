"""From a page to a line of a shard: metadata, filters, shards, and the corpus that they make."""
