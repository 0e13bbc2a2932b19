"""A plain scan of what was sent: things that only the referee knows appear nowhere, in no message to anybody else.

Non-interference shows that nothing hidden makes a difference; this looks for the hidden things themselves, by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from hexholm.host.tables import log
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES

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
        for message in self.raw:
            if message.startswith(b'{"type"'):
                yield msgspec.json.decode(message)


def scan(transcript: Transcript, entries: Iterable[log.LogEntry], secrets: Iterable[str]) -> int:
    """Look at everything that was sent to one pair of eyes; returns how many hidden cards were looked for."""
    whole = b"\n".join(transcript.raw)
    log_entries = list(entries)
    for secret in (*secrets, *(log_entry.position_hash for log_entry in log_entries if log_entry.position_hash)):
        if secret.encode() in whole:
            raise Secret(f"{secret!r} was sent to {transcript.eyes}")
    told_at: dict[float, list[Json]] = {}
    for message in transcript.messages():
        check_projection(message.get("projection"), transcript.eyes, ranges=transcript.ranges)
        if message["type"] == "told":
            told_at.setdefault(message["time"], []).append(message)
    return sum(
        check_unnamed(log_entry.body, told_at.get(log_entry.time, []), transcript.eyes) for log_entry in log_entries
    )


def check_projection(projection: Json | None, eyes: str | None, *, ranges: bool = False) -> None:
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


def check_unnamed(body: log.EntryBody, messages: Iterable[Json], eyes: str | None) -> int:
    """What was told of a theft or of a drawn card to those who only look on does not name the card."""
    if not isinstance(body, log.Played):
        return 0
    sought = 0
    for step in body.steps:
        kind = step.split()[1]
        if kind not in ("stolen", "drawn") or eyes == body.color:
            continue
        for message in messages:
            text = msgspec.json.encode(message["events"]).decode()
            if kind == "stolen" and eyes is not None and f'"{eyes}"' in text:
                continue  # perhaps the one who was robbed
            names = [name for name in (RESOURCES if kind == "stolen" else CARD_KINDS) if f'"{name}"' in text]
            if names:
                raise Secret(f"to {eyes}, of {step} by {body.color}: {text[:300]}")
            sought += 1
    return sought
