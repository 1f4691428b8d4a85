"""Decides from the static response alone whether a page is worth rendering.

A page has a *sign*, what its markup promises of scripts; a *gain*, the share of its text that only
rendering brought; and an expected gain, from its sign and from the gains of earlier pages of its
site. It is rendered if that is worth the price.
"""
