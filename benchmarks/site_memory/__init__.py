"""Sites of several pages: what their memory gives in a crawl, also with kills, and its cost."""
