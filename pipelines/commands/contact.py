"""``--contact``: where the owners of sites that a command visits can reach its user."""

from __future__ import annotations

from corpus_commons.terminal.commands import UsageError
from settings.addresses import contact
from settings.tables.politeness import Politeness


def politeness_of(address: str | None, *, is_needed: bool) -> Politeness:
    """The default politeness, with this contact.

    Raises UsageError for an invalid address, and if there is none though it is needed.
    """
    if not address:
        if is_needed:
            raise UsageError("--contact is needed, so that the owner of the site can reach you")
        return Politeness()
    try:
        return Politeness(contact=contact(address))
    except ValueError as error:
        raise UsageError(
            f"--contact {address}: must be an e-mail address or URL where site owners reach you"
        ) from error
