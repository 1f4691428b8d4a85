"""Classifies pages by genre and page type, from the screenshot, from the HTML, or from both."""
