"""When a page that is known is visited again: the estimate of its changes, and the policy."""
