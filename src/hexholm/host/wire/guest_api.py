"""What a guest says of itself over REST: what carries it to another device, and that it wants to be deleted."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from . import messages

LONGEST_RECOVERY_TEXT: Final = 400
"""Characters; also a whole link is read."""
EXAMPLE_TEXT: Final = "0123-4567-89AB-CDEF-GHJK-MNPQ-RS2B"
"""What one looks like."""
RecoveryKind = Literal["lasting", "once"]


class RecoveryWish(messages.Wire, frozen=True):
    """What is to be made: something to keep, or something to use at once, on the phone in one's hand."""

    kind: RecoveryKind = "lasting"


class NewRecovery(messages.Wire, frozen=True):
    """Who has this is you, on any device. It is told this one time."""

    text: str
    """To be written down and typed: groups of letters and digits, in which no two look alike."""
    link: str
    """The same to be opened. The text is behind the #, which browsers do not send."""
    picture: str
    """The link as a QR code: an SVG as a `data:` address."""
    expires: float | None = None
    """It works once and until then, in unix seconds; None: until it is taken back."""


class RecoveryLine(messages.Wire, frozen=True):
    """Something that recovers the guest who asks; nobody knows its text any more."""

    created: float
    expires: float | None = None


class Recoveries(messages.Wire, frozen=True):
    """All that recovers the guest who asks, the newest first."""

    recoveries: tuple[RecoveryLine, ...]


class Recover(messages.Wire, frozen=True):
    """The wish to be, on this device, the guest that a text recovers."""

    text: Annotated[str, Meta(max_length=LONGEST_RECOVERY_TEXT, examples=[EXAMPLE_TEXT])]
    """The text or the link of a `NewRecovery`; case, blanks and dashes do not matter."""
    replace: bool = False
    """Also if this device has been another guest so far, with tables of its own, which it then no longer is."""


class Recovered(messages.Wire, frozen=True):
    """Whom this device is from now on."""

    name: str
    tables: int
    """At how many tables that guest is."""


class GuestDeleted(messages.Wire, frozen=True):
    """Nothing is kept of the guest any more."""

    tables: int
    """At how many tables it was."""
