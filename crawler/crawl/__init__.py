"""The running crawl of one worker: the state that its parts share, and how it ends."""
