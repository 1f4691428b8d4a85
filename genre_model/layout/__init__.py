"""What a page looks like, in numbers: layout measures of its screenshot, and trees over them.

A second eye on the screenshot beside the network. It counts lines of text, gaps, columns, pictures
and what repeats; it knows nothing of colours and shapes that a network learns, and errs on other
pages.
"""
