"""Web2Text: text blocks labelled by convolutional networks and a hidden Markov chain.

Source: Vogels, Ganea and Eickhoff, *Web2Text: Deep Structured Boilerplate Removal*, ECIR 2018.
"""

from extraction.methods.web2text.extractor import Web2Text

__all__ = ["Web2Text"]
