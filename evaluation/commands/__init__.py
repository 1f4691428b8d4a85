"""The subcommands of ``python -m evaluation``."""
