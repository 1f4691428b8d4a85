"""What owners say about the use of their pages: one module a protocol, one policy for all.

A protocol's module reads what one file, header or page says, and returns ``Statement``s. The module
names the specification that it follows, with its version and date; ``signals.toml`` lists the
signals, and which preset honours which.
"""
