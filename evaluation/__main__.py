"""``python -m evaluation``."""

# Worker processes import this module again, without running the command.
if __name__ == "__main__":
    import sys

    from evaluation.commands import main

    sys.exit(main())
