"""From corpora to a data set: the run of a recipe, the files, the data card and the report."""
