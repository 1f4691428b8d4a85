"""Which pages are rendered, and what that keeps: always, never, our rule and crawlee's."""
