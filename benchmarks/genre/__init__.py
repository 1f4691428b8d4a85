"""The cost of classifying a page by its screenshot and by its HTML."""
