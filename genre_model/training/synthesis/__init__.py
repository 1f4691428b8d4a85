"""Synthetic pages, whose page type, genre and layout are known exactly.

A network that is pretrained on tens of thousands of such pages has learned what pages look like
before it is trained on the few labelled screenshots of real sites. There is a template for each
kind of page; a headless browser renders the pages, and the true layout is read from the DOM. None
of this is needed to train on, or predict from, real screenshots.
"""
