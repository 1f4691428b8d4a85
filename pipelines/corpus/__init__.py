"""The corpus on disk: shards, their manifest, recovery, merging and verification."""
