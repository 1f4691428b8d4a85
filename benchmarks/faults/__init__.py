"""Fault injection for the real crawler; afterwards every URL must be accounted for."""
