"""Shared parts of commands: subcommands, option types, output and progress."""
