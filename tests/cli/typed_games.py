"""A table for tests: a person who types given lines, and games at a given moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from hexholm.cli.at_table.saved_games import OPPONENT
from hexholm.cli.at_table.terminal_game import PersonLeft, TerminalGame
from hexholm.game.cards import Cards
from hexholm.game.dealers import Seeded
from hexholm.game.game import Game
from hexholm.rules.encoding.lanes import pack_named
from hexholm.rules.encoding.structs import RESOURCES
from tests.game.scenes import set_hands


class Person:
    """Types lines, or asks a simple player what to type; keeps what was said."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.transcript: list[str] = []
        self.next_line: Callable[[], str] | None = None

    def ask(self, prompt: str) -> str:
        for line in self.lines:
            self.transcript.append(prompt + line)
            return line
        if self.next_line is None:
            raise EOFError
        line = self.next_line()
        self.transcript.append(prompt + line)
        return line

    @property
    def text(self) -> str:
        return "\n".join(self.transcript)

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def seat_person(
    tmp_path: Path, game: Game, lines: Iterable[str], *, in_color: bool = False, size: tuple[int, int] = (80, 50)
) -> tuple[TerminalGame, Person]:
    """The first player at a table with a window of this size, with these lines to type."""
    person = Person(lines)
    path, me = tmp_path / "game.hexholm", game.colors[0]
    terminal_game = TerminalGame(
        game, me, path, 5, ask=person.ask, say=person.transcript.append, in_color=in_color, size=lambda: size
    )
    return terminal_game, person


def type_lines(tmp_path: Path, game: Game, *lines: str, size: tuple[int, int] = (80, 50)) -> Person:
    """What the first player is told for these lines; then the input ends."""
    terminal_game, person = seat_person(tmp_path, game, lines, size=size)
    with pytest.raises(PersonLeft) as exit_info:
        terminal_game.play()
    assert exit_info.value.code == 0
    return person


def new_game(**options: object) -> Game:
    names = ["person", *[OPPONENT] * 3]
    return Game(**{"seed": 3, "first": 0, "names": names, **options})  # type: ignore[arg-type]


def at_main(hands: dict[str, str], edition: str = "sixth", **dev: object) -> Game:
    """A game on the fixed board in the middle of red's turn, with these hands."""
    game = Game(edition=edition, setup="fixed", first=0, seed=2)
    game.play("roll")
    assert game.phase == "main"
    set_hands(game, dict.fromkeys(game.colors, "") | hands)
    names = ["person", *[OPPONENT] * 3]
    return Game.at(game.options, game.layout, game.referee.state, dealer=Seeded(4), names=names)


def offer_to_red(tmp_path: Path, *lines: str) -> tuple[Game, Person]:
    """Blue on turn with an offer to red."""
    game = at_main({"red": "2 grain", "blue": "3 ore 1 grain 1 wool"})
    game.play("end")
    state = game.referee.state
    hands = [state.hand[seat] for seat in range(4)]
    game.play("roll")
    for seat, hand in enumerate(hands):
        state.hand[seat] = hand
    state.supply = pack_named({kind: 19 - sum(Cards.of_lanes(h)[kind] for h in hands) for kind in RESOURCES}, RESOURCES)
    assert game.phase == "main"
    game = Game.at(game.options, game.layout, state, dealer=Seeded(4), names=game.names)
    return game, type_lines(tmp_path, game, *lines)
