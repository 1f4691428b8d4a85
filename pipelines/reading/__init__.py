"""From a page to a document, in worker processes under a time limit."""
