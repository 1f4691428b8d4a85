"""Labelled screenshots of static sites: built blogs, shops, manuals and themes in folders."""
