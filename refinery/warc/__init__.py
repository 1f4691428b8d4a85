"""Reads WARC and WET files of any origin: none of their content is trusted."""
