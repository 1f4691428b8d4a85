"""``python -m genre_model``."""

# Worker processes import this module again, without running the command.
if __name__ == "__main__":
    import sys

    from genre_model.commands import main

    sys.exit(main())
