"""``python -m evaluation``."""

# The worker processes import this module again; nothing may happen then.
if __name__ == "__main__":
    import sys

    from evaluation.cli import main

    sys.exit(main())
