"""A turn to look at: seat 0 is on turn among three neighbors; used by the tests of phases and pending questions."""

from __future__ import annotations

import re
from typing import Any

from hexholm.rules.encoding.structs import RESOURCES
from tests.helpers.edition_table import editions_with
from tests.helpers.legal_texts import legal_texts

from .scenes import Scene, by_seat, scene

COMBINED, SEPARATE = editions_with(phases="combined"), editions_with(phases="separate")
RICH = "5 brick 5 lumber 5 wool 5 grain 5 ore"
CARDS = "1 knight 1 road-building 1 year-of-plenty 1 monopoly"
CARD_PLAYS = ("knight", "road-building", "year-of-plenty ore wool", "monopoly ore")
PENDING = ("discard", "robber", "victim", "theft")
PLENTY = "9 brick 9 lumber 9 wool 9 grain 9 ore"
EIGHT_POINTS = "A1n A2n A3n C1nw"  # four cities
BUILDS = ("road C3/e", "settlement B4ne", "city C3n", "buy")

Position = dict[str, Any]
"""What is different from an empty board, as :func:`.scenes.scene` takes it; by seat where BY_SEAT says so."""
BY_SEAT = ("hands", "settlements", "cities", "roads", "dev", "played")
PIECES: Position = {"settlements": ("C3n", "C3s", "D1n", "E3n"), "roads": ("C3/ne B4/e", "C3/sw", "D1/ne", "D3/e")}
EARLY: Position = {"phase": "roll"}


def turn_of(edition: str, *hands: str, **scene_options: Any) -> Scene:
    """Seat 0 is on turn: C3n with a road, a road to the ore harbor at B4ne; seat 1 has C3s, seat 2 D1n, seat 3 E3n."""
    return scene(
        edition,
        hands=by_seat(edition, *hands),
        settlements=by_seat(edition, *PIECES["settlements"]),
        roads=by_seat(edition, *PIECES["roads"]),
        **scene_options,
    )


def hand_of(size: int) -> str:
    """A hand of so many cards, kinds mixed."""
    counts = [size // 5 + (kind < size % 5) for kind in range(5)]
    return " ".join(f"{n} {kind}" for n, kind in zip(counts, RESOURCES, strict=True) if n)


def refused(game: Scene, seat: int, action: str, *rules: str) -> None:
    """Refused by one of these rules."""
    reason = game.why_not(seat, action)
    assert reason is not None, f"{action} of {seat} is legal"
    assert reason.rule in rules
    game.refused(seat, action, reason.rule)


def kinds_of(game: Scene, seat: int) -> set[str]:
    return {text.split(maxsplit=1)[0] for text in legal_texts(game, seat)}


def trades(game: Scene) -> list[tuple[int, str]]:
    """A trade of every kind that seat 0 and seat 1, both rich, could make; offer #1 lies open between them."""
    first, second = game.colors[:2]
    return [
        (0, "supply 4 lumber : 1 wool"),
        (0, f"offer 1 ore : 1 wool to {second}"),
        (1, f"offer 1 ore : 1 wool to {first}"),
        (1, "accept #1"),
        (1, "reject #1"),
        (1, "counter #1 1 ore : 1 brick"),
        (0, "withdraw #1"),
    ]


def seven(edition: str, **scene_options: Any) -> Scene:
    """Seat 0 has rolled a seven; seats 0 and 1 hold eight cards each and must discard four."""
    game = turn_of(edition, "4 lumber 4 ore", "4 brick 4 wool", "2 wool", "2 grain", phase="roll", **scene_options)
    game.roll(7)
    assert game.phase == "discard"
    return game


def until(game: Scene, moment: str) -> None:
    """Go on from a seven until the robber move, the choice of a victim, the theft or nothing is open."""
    steps = {
        "discard": ["0 discard 2 lumber 2 ore", "1 discard 2 brick 2 wool"],
        "robber": ["0 robber D3"],  # C3s and E3n are two of its corners
        "victim": [f"0 steal {game.colors[3]}"],
    }
    while game.phase != moment:
        if game.phase == "theft":
            game.deal("stolen grain")
            continue
        for step in steps[game.phase]:
            seat, _, action = step.partition(" ")
            game.play(int(seat), action)


def do(game: Scene, text: str) -> None:
    """One act as text: a seat, or "!" for Nature, and what it does; @1 stands for the color of seat 1."""
    speaker, _, action = re.sub("@(.)", lambda match: game.colors[int(match[1])], text).partition(" ")
    if speaker == "!":
        game.deal(action)
    else:
        game.play(int(speaker), action)
