"""Pages made by construction: their page type, genre and layout are known, not guessed.

A network that has seen tens of thousands of such pages knows what a page looks like before it
meets the few labelled screenshots of real sites. One module writes the words, one the pictures,
one the style sheets, one each kind of page; a headless browser renders them, and the true layout
is read from the DOM. Nothing here is needed to train on, or to predict from, real screenshots.
"""
