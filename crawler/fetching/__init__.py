"""From a lease to an outcome: requests, responses, redirects, and the guard of addresses."""
