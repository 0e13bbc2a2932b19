"""A plain scan of what was sent: things that only the referee knows appear nowhere, in no message to anybody else.

Non-interference shows that nothing hidden makes a difference; this looks for the hidden things themselves, by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from hexholm.host.tables import log
from hexholm.rules.core.encoding.structs import CARD_KINDS, RESOURCES

Json = dict[str, Any]


class Secret(AssertionError):
    """Something was sent that is nobody's business."""


@dataclass
class Transcript:
    """All that one pair of eyes was sent at one table, over the socket and over REST."""

    eyes: str | None
    raw: list[bytes] = field(default_factory=list)
    ranges: bool = False
    """Whether everybody at the table is shown what can be inferred of the other hands."""

    def messages(self) -> Iterable[Json]:
        """The messages of the socket, and answers that look like them."""
        for one in self.raw:
            if one.startswith(b'{"type"'):
                yield msgspec.json.decode(one)


def scan(heard: Transcript, entries: Iterable[log.LogEntry], secrets: Iterable[str]) -> int:
    """Look at everything that was sent to one pair of eyes; returns how many hidden cards were looked for."""
    whole = b"\n".join(heard.raw)
    lines = list(entries)
    for secret in (*secrets, *(line.position_hash for line in lines if line.position_hash)):
        if secret.encode() in whole:
            raise Secret(f"{secret!r} was sent to {heard.eyes}")
    told: dict[float, list[Json]] = {}
    for message in heard.messages():
        look(message.get("projection"), heard.eyes, ranges=heard.ranges)
        if message["type"] == "told":
            told.setdefault(message["time"], []).append(message)
    return sum(unnamed(line.body, told.get(line.time, []), heard.eyes) for line in lines)


def look(projection: Json | None, eyes: str | None, *, ranges: bool = False) -> None:
    """Of others' cards a projection has the number and nothing else, but for `ranges`; of the deck too."""
    if projection is None or projection["view"]["over"]:  # then nothing is a secret any more
        return
    view = projection["view"]
    if projection["seat"] != eyes or type(view["deck"]) is not int:
        raise Secret(f"to {eyes}: the projection of {projection['seat']}, deck {view['deck']}")
    for player in view["players"]:
        if type(player["hand"]) is not int or type(player["cards"]) is not int or (not ranges and "ranges" in player):
            raise Secret(f"to {eyes}: the cards of {player}")
    if eyes is None and {"hand", "development", "new"} & set(view):
        raise Secret(f"to the public: a hand in {sorted(view)}")


def unnamed(body: log.EntryBody, told: Iterable[Json], eyes: str | None) -> int:
    """What was told of a theft or of a drawn card to those who only look on does not name the card."""
    if not isinstance(body, log.Played):
        return 0
    sought = 0
    for step in body.steps:
        kind = step.split()[1]
        if kind not in ("stolen", "drawn") or eyes == body.seat:
            continue
        for message in told:
            text = msgspec.json.encode(message["events"]).decode()
            if kind == "stolen" and eyes is not None and f'"{eyes}"' in text:
                continue  # perhaps the one who was robbed
            found = [name for name in (RESOURCES if kind == "stolen" else CARD_KINDS) if f'"{name}"' in text]
            if found:
                raise Secret(f"to {eyes}, of {step} by {body.seat}: {text[:300]}")
            sought += 1
    return sought
