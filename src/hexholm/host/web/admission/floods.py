"""The two ways in which a message is one too many. Apart from the limits: settings hold those, and load little."""

from __future__ import annotations

from ...wire.host_refusals import Declined


class TooFast(Declined):
    """A message is one too many of its guest or connection."""


class CrowdTooFast(TooFast):
    """A message is one too many of its address or network, whoever sent the others."""
