"""Perft files: positions with counts of action sequences, as text.

id       fifth-fixed-start
new      edition=fifth setup=fixed
board    7                                   (optional: seed of a variable board)
play     red roll; dice 4 6                  (any number of lines; Nature's outcomes without a color)
perft    1 1 0                               (depth, sequences that end in a decision, in an outcome of chance)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hexholm.rules.referee import Referee
from tests.twin.duel import twin_config
from tests.twin.engine.game import Twin

FOLDER = Path(__file__).parent
NATURE = ("dice", "stolen", "drawn")


@dataclass
class Position:
    """One entry of a perft file."""

    id: str
    new: dict[str, Any] = field(default_factory=dict)
    board: int = 0
    moves: list[str] = field(default_factory=list)
    counts: dict[int, tuple[int, int]] = field(default_factory=dict)

    def referee(self, compiled: bool = True) -> Referee:
        """The position in the core."""
        game = Referee.new(board_seed=self.board, compiled=compiled, **self.new)
        for move in self.moves:
            if move.split()[0] in NATURE:
                game.deal(move)
            else:
                color, action = move.split(maxsplit=1)
                game.play(color, action)
        return game

    def twin(self) -> Twin:
        """The position in the naive twin."""
        game = Referee.new(board_seed=self.board, compiled=False, **self.new)
        twin = Twin(twin_config(game))
        for move in self.moves:
            if move.split()[0] in NATURE:
                twin.deal(move)
            else:
                color, action = move.split(maxsplit=1)
                twin.act(game.colors.index(color), action)
        return twin


def value(text: str) -> Any:
    """An option's value from text."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else text


def read(path: Path) -> list[Position]:
    """All positions of a file."""
    positions: list[Position] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        key, arguments = words[0], words[1:]
        if key == "id":
            positions.append(Position(arguments[0]))
        elif key == "new":
            positions[-1].new.update({k: value(v) for k, v in (word.split("=") for word in arguments)})
        elif key == "board":
            positions[-1].board = int(arguments[0])
        elif key == "play":
            positions[-1].moves += [move.strip() for move in " ".join(arguments).split(";") if move.strip()]
        elif key == "perft":
            depth, decisions, outcomes = map(int, arguments)
            positions[-1].counts[depth] = (decisions, outcomes)
        else:
            raise ValueError(f"{path.name}:{number}: {key!r} is no keyword; there are id, new, board, play, perft")
    return positions


def every_position() -> list[Position]:
    """All positions of all files beside this one."""
    return [position for path in sorted(FOLDER.glob("*.perft")) for position in read(path)]


def keep(made: dict[str, list[str]]) -> None:
    """Put new counts, as lines by position, in place of those that the files have."""
    for path in sorted(FOLDER.glob("*.perft")):
        blocks = [block.splitlines() for block in path.read_text(encoding="utf-8").strip().split("\n\n")]
        for n, lines in enumerate(blocks):
            if counts := made.get(lines[0].removeprefix("id").strip()):
                blocks[n] = [line for line in lines if not line.startswith("perft")] + counts
        path.write_text("\n\n".join("\n".join(lines) for lines in blocks) + "\n", encoding="utf-8")


def twin_seat(twin: Twin) -> int:
    """The seat whose decision is next, clockwise from the active one."""
    state = twin.state()
    waiting = twin.to_act()
    return min(waiting, key=lambda seat: (seat - state["turn"]) % len(state["hands"]))


def twin_perft(twin: Twin, depth: int) -> tuple[int, int]:
    """Count by the naive twin: copy, act, count on."""
    chance = twin.chance()
    if chance:
        if depth == 1:
            return 0, len(chance)
        return _sum_plies(twin, depth, [(None, text) for text in chance])
    if not twin.to_act():
        return 0, 0
    seat = twin_seat(twin)
    legal = [t for t in twin.legal(seat) if t.split()[0] not in ("accept", "reject", "confirm", "withdraw")]
    if depth == 1:
        return len(legal), 0
    return _sum_plies(twin, depth, [(seat, text) for text in legal])


def _sum_plies(twin: Twin, depth: int, plies: list[tuple[int | None, str]]) -> tuple[int, int]:
    import copy

    decisions = outcomes = 0
    for seat, text in plies:
        child = copy.deepcopy(twin)
        if seat is None:
            child.deal(text)
        else:
            child.act(seat, text)
        a, b = twin_perft(child, depth - 1)
        decisions, outcomes = decisions + a, outcomes + b
    return decisions, outcomes
