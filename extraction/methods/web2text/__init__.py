"""Web2Text: labels text blocks with convolutional networks and a hidden Markov model.

Source: Vogels, Ganea and Eickhoff, *Web2Text: Deep Structured Boilerplate Removal*, ECIR 2018.
"""

from extraction.methods.web2text.extractor import Web2Text

__all__ = ["Web2Text"]
