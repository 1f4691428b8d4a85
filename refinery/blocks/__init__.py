"""Blocks of datatrove's pipelines, one module each; ``refinery`` has them all."""
