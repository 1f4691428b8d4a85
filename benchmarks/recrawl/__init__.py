"""Policies of revisits, beside each other on sites of which every change is known."""
