"""Victor: every text node of a page labelled by a conditional random field.

Sources: M. Marek, P. Pecina, M. Spousta, *Web Page Cleaning with Conditional Random Fields*
(WAC3, 2007); M. Spousta, M. Marek, P. Pecina, *Victor: the Web-Page Cleaning Tool* (WAC4, 2008);
M. Marek's master's thesis (Charles University, 2007). docs/explanation/methods/victor.md says
what comes from which source, and what we decided.
"""

from extraction.methods.victor.extractor import Labelling, Victor

__all__ = ["Labelling", "Victor"]
