"""From archives to corpora, and from corpora to data sets: batch work on datatrove's engines.

``refinery.blocks`` has the blocks of pipelines, for pipelines of yours, too.
"""
