"""Layout measures of a screenshot, and trees over them: a second classifier beside the network.

The measures count lines of text, gaps, columns, pictures and repetitions. They lack the colours and
shapes that a network learns, so the two classifiers make different mistakes.
"""
