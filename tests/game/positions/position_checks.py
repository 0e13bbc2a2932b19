"""Help for the tests of positions as text: games to take them from, and what must hold of each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from hexholm.game.positions.position import Position, position_text, read_position, read_view, view_text
from hexholm.rules.encoding.structs import SEATS, View
from hexholm.rules.referee import Referee
from tests.helpers.random_play import carry_out, walk

COMMON = ("main", "roll", "dice")


def text_of(game: Referee) -> str:
    return position_text(game.options, game.layout, game.state, game.open_offers)


def position_line(position: Position) -> str:
    return position_text(position.options, position.layout, position.state, position.open_offers)


def check(game: Referee) -> str:
    """The position of a game comes back as it was."""
    text = text_of(game)
    position = read_position(text)
    assert position.state == game.state, text
    assert position.open_offers == game.open_offers, text
    assert position.options == game.options, text
    assert position.layout.board == game.layout.board, text
    assert position.layout.standard == game.layout.standard
    assert position_line(position) == text
    assert text.isascii()
    assert "\n" not in text
    return text


def check_views(game: Referee) -> None:
    """The views of a game come back as they were; without beliefs, all but these."""
    for seat in (*range(game.state.players), None):
        view = game.view(seat)
        text = view_text(game.options, game.layout, view)
        options, layout, reread = read_view(text)
        assert reread == view, text
        assert options == game.options
        assert layout.board == game.layout.board
        short = view_text(game.options, game.layout, view, belief=False)
        brief = read_view(short)
        assert view_text(*brief) == short
        assert brief[2].worlds == 0
        assert not any(brief[2].card_hands[seat] for seat in range(SEATS))
        for name in View.fields:
            if not name.startswith(("world", "card_", "capped")) or name in ("card_played", "card_count"):
                assert plain(getattr(brief[2], name)) == plain(getattr(view, name)), name


def plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, memoryview) else value


def steps(game: Referee, record: tuple[tuple[int, int], ...]) -> Iterator[int]:
    """Play a record, action by action."""
    for number, (seat, code) in enumerate(record):
        carry_out(game, seat, code)
        yield number


@cache
def corpus() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Some positions and views from many games, for the fuzz tests."""
    rng, positions, views = random.Random(5), [], []
    for number in range(14):
        for k, game in enumerate(duel.referee for duel in walk(number, 160, compiled=False)):
            if k % 45 == 0 or rng.random() < (0.005 if game.phase in COMMON else 0.06):
                positions.append(text_of(game))
                seat = rng.choice((*range(game.state.players), None))
                views.append(view_text(game.options, game.layout, game.view(seat)))
    return tuple(positions), tuple(views)
