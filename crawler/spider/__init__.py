"""The spider of a crawl: from a lease to a page, a redirect, or an end."""
