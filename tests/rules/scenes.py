"""Positions for rule tests, set up by hand and played by text.

    game = scene(turn="red", hands={"red": "1 brick 1 lumber"}, settlements={"red": "C3n"}, roads={"red": "C3/ne"})
    game.play("red", "road C3/nw")
    game.refused("red", "city C4n", "CITY-01")

A scene starts on the main phase of `turn` (after the roll) unless told otherwise, on the beginners' board without start
pieces. Cards come out of the supply and the deck, so the totals of the box hold (COMP-03, COMP-04).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest

from hexholm.rules import notation
from hexholm.rules.boards import Layout, beginner, from_dict
from hexholm.rules.core import phases
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import covers, pack, total, unpack, widen
from hexholm.rules.core.encoding.structs import CARD_KINDS, RESOURCES, Work
from hexholm.rules.core.legal import refresh_derived
from hexholm.rules.core.roads import measure_road
from hexholm.rules.initial_state import new_state
from hexholm.rules.options import check_options
from hexholm.rules.places import HALF, SIDE_CORNERS, SIDE_NAMES, read_corner, read_hex, read_side
from hexholm.rules.referee import Referee

Named = Mapping[str, str]
_PHASE = {phase.name: phase.id for phase in phases.PHASES}


class Scene(Referee):
    """A referee with the looks and checks that rule tests need."""

    def refused(self, who: int | str, action: str, rule: str) -> None:
        """Assert that an action is refused by `rule` and that nothing at all changes (PHASE-13)."""
        before = self.everything()
        reason = self.why_not(who, action)
        assert reason is not None, f"{action} of {who} is legal, expected a refusal by {rule}"
        assert reason.rule == rule, f"{action} of {who} is refused by {reason}, expected {rule}"
        try:
            self.play(who, action)
        except ValueError:
            pass
        else:
            raise AssertionError(f"{action} of {who} was carried out although refused")
        assert self.everything() == before, f"the refusal of {action} changed something"

    def allowed(self, who: int | str, action: str) -> bool:
        """Whether an action is legal now; verdict and list must agree (offers are never listed)."""
        legal = self.why_not(who, action) is None
        code = self.read(action, who)
        kind = code & 31
        several_taken = kind == act.SUPPLY and total(widen(code >> 11)) != 1
        if kind not in (act.OFFER, act.COUNTER, act.ACCEPT, act.CONFIRM) and not several_taken:
            listed = code in self.legal(who)
            assert listed == legal, f"{action}: verdict says {legal}, list says {listed}"
        return legal

    def everything(self) -> bytes:
        """All bytes of the game."""
        return self.state.buffer.tobytes() + self.talk.buffer.tobytes() + self.belief.buffer.tobytes()

    def roll(self, total: int, who: int | str | None = None) -> None:
        """The active player rolls `total`."""
        self.play(self.state.active if who is None else who, "roll")
        first = max(1, total - 6)
        self.deal(f"dice {first} {total - first}")

    def buy(self, who: int | str, kind: str) -> None:
        """Buy a development card and draw `kind`."""
        self.play(who, "buy")
        self.deal(f"drawn {kind}")

    def pass_turn(self, total: int = 0) -> None:
        """End the turn of the active player; with a total, the next one rolls it at once."""
        self.play(self.state.active, "end")
        if total:
            self.roll(total)

    def next_turn_of(self, who: int | str, total: int = 2) -> None:
        """Pass turns, all rolling `total`, until it is the turn of `who`, before the roll."""
        if self.phase == "main":
            self.pass_turn()
        while self.state.active != self.seat(who):
            self.roll(total)
            self.pass_turn()

    def active(self) -> str:
        """Colour of the player on turn."""
        return self.colors[self.state.active]

    def length(self, who: int | str) -> int:
        """Longest road of a seat."""
        return measure_road(self.state, Work(), self.seat(who))

    def total(self, who: int | str) -> int:
        """Points of a seat with the hidden ones."""
        seat = self.seat(who)
        return self.state.points[seat] + unpack(self.state.cards[seat])[1]

    def holder(self, award: str) -> str | None:
        """Colour of the holder of "longest_road" or "largest_army"."""
        seat = getattr(self.state, award)
        return None if seat < 0 else self.colors[seat]

    def size(self, who: int | str) -> int:
        """Number of resource cards of a seat."""
        return sum(self.hand(who).values())


def cards(text: str, kinds: tuple[str, ...] = RESOURCES) -> int:
    """Lanes from text: `2 brick 1 ore`, or for development cards `2 knight 1 monopoly`."""
    counts = [0] * 5
    words = text.split()
    for n, name in zip(words[::2], words[1::2], strict=True):
        counts[kinds.index(name)] += int(n)
    return pack(counts)


def scene(
    edition: str = "fifth",
    *,
    turn: str | int = 0,
    phase: str = "main",
    hands: Named | None = None,
    settlements: Named | None = None,
    cities: Named | None = None,
    roads: Named | None = None,
    dev: Named | None = None,
    played: Named | None = None,
    bank: str | None = None,
    deck: str | None = None,
    robber: str | None = None,
    longest_road: str | None = None,
    largest_army: str | None = None,
    board: Layout | dict[str, Any] | None = None,
    players: int = 4,
    **chosen: Any,
) -> Scene:
    """A position. Places are lists of names in one text (`"C3n D2s"`); `dev` are old development cards (`"2 knight"`).

    `bank`: the supply is set to exactly this (cards beyond it vanish from the game: only for shortage tests).
    Awards: named holders; without names they follow from the pieces and played knights as if taken in seat order.
    """
    chosen.setdefault("setup", "variable")
    chosen.setdefault("first", 0)
    if chosen["setup"] == "variable" and edition == "zip":
        chosen.setdefault("map", 2)
    settled = check_options(edition=edition, players=players, **chosen)
    layout = board if isinstance(board, Layout) else from_dict(board) if board else beginner()
    state = new_state(settled, layout)
    game = Scene(settled, layout, state)
    for who, text in (settlements or {}).items():
        for name in text.split():
            state.settlements[game.seat(who)] |= 1 << read_corner(name)
    for who, text in (cities or {}).items():
        for name in text.split():
            state.cities[game.seat(who)] |= 1 << read_corner(name)
    for who, text in (roads or {}).items():
        for name in text.split():
            side = read_side(name)
            if side < HALF:
                state.roads_lo[game.seat(who)] |= 1 << side
            else:
                state.roads_hi[game.seat(who)] |= 1 << (side - HALF)
    for who, text in (hands or {}).items():
        taken = cards(text)
        assert covers(state.bank, taken), f"the supply cannot give {text}"
        state.hand[game.seat(who)] += taken
        state.bank -= taken
    for who, text in (dev or {}).items():
        drawn = cards(text, CARD_KINDS)
        assert covers(state.deck, drawn), f"the deck cannot give {text}"
        state.cards[game.seat(who)] += drawn
        state.deck -= drawn
    for who, text in (played or {}).items():
        drawn = cards(text, CARD_KINDS)
        assert covers(state.deck, drawn), f"the deck cannot give {text}"
        state.played[game.seat(who)] += drawn
        state.deck -= drawn
    if bank is not None:
        state.bank = cards(bank)
    if deck is not None:
        state.deck = cards(deck, CARD_KINDS)
    if robber is not None:
        state.robber = read_hex(robber)
    _award(game, longest_road, largest_army)
    state.active = game.seat(turn)
    state.first = state.active
    state.turn_number = 1
    state.phase = _PHASE[phase]
    state.rolled = int(phase == "main")
    if phase == "main":
        state.die_a, state.die_b = 1, 1
    game.start_belief()
    return game


def _award(game: Scene, longest_road: str | None, largest_army: str | None) -> None:
    state, work = game.state, Work()
    refresh_derived(state, work)
    lengths = [measure_road(state, work, seat) for seat in range(state.players)]
    if longest_road is not None:
        state.longest_road = game.seat(longest_road)
    elif max(lengths) >= state.longest_road_min and lengths.count(max(lengths)) == 1:
        state.longest_road = lengths.index(max(lengths))
    knights = [unpack(state.played[seat])[0] for seat in range(state.players)]
    if largest_army is not None:
        state.largest_army = game.seat(largest_army)
    elif max(knights) >= state.largest_army_min:
        state.largest_army = knights.index(max(knights))
    refresh_derived(state, work)


def text_of(cards_in_lanes: int) -> str:
    """Lanes as text."""
    return notation.cards_text(cards_in_lanes)


def opening(layout: Layout | None = None, board_seed: int = 0, **chosen: Any) -> Scene:
    """A game at its very beginning, set-up still to come."""
    game = Scene.new(layout, board_seed, **chosen)
    assert isinstance(game, Scene)
    return game


def by_seat(edition: str, *texts: str) -> dict[str, str]:
    """Texts for seat 0, 1, ... by the edition's colours; "" leaves a seat out."""
    return {color: text for color, text in zip(check_options(edition=edition).colors, texts, strict=False) if text}


def traders(edition: str, *hands: str, **more: Any) -> Scene:
    """A scene with these hands, the first for seat 0 (whose turn it is unless told otherwise)."""
    return scene(edition, hands=by_seat(edition, *hands), **more)


def offer(game: Scene, terms: str, *to: int | str) -> str:
    """The text of an offer: `game.play(0, offer(game, "1 ore : 1 wool", 1, 2))`."""
    return f"offer {terms} to " + " ".join(game.colors[game.seat(seat)] for seat in to)


def held(game: Scene, who: int | str) -> str:
    """The hand of a seat as text."""
    return text_of(game.state.hand[game.seat(who)])


# --- short looks, used by production, robber and development tests ----------------------------------------------------


def colors_of(edition: str) -> tuple[str, ...]:
    """The colours of an edition in seat order."""
    return check_options(edition=edition).edition_data.colors


def supply_of(game: Referee) -> str:
    """The supply as text."""
    return text_of(game.state.bank)


def changed_board(**hexes: str) -> Layout:
    """The beginners' board with other terrain or numbers on some hexes: `changed_board(B2="hills 4")`."""
    data = beginner().as_dict()
    return from_dict({"standard": False, "hexes": {**data["hexes"], **hexes}, "harbors": data["harbors"]})


def sight(game: Referee, who: int | str | None) -> bytes:
    """All that an observer may know, as bytes; None: the public."""
    return game.view(who).buffer.tobytes()


def set_hand(game: Scene, who: int | str, text: str) -> None:
    """Give a seat exactly these cards; the supply takes the old ones and pays the new ones. Everybody is told."""
    state, seat = game.state, game.seat(who)
    state.bank += state.hand[seat]
    assert covers(state.bank, cards(text)), f"the supply cannot give {text}"
    state.hand[seat] = cards(text)
    state.bank -= cards(text)
    game.start_belief()


def after_seven(book: str = "fifth", **more: Any) -> Scene:
    """Seat 0, or `turn`, has rolled a seven and moves the robber; nobody has to discard."""
    game = scene(book, phase="roll", **more)
    game.roll(7)
    assert game.phase == "robber"
    return game


def after_knight(book: str = "fifth", **more: Any) -> Scene:
    """Seat 0, or `turn`, has played a knight after the roll and moves the robber."""
    mover = more.get("turn", colors_of(book)[0])
    dev = {mover: "1 knight", **more.pop("dev", {})}
    game = scene(book, dev=dev, **more)
    game.play(game.state.active, "knight")
    return game


Start = Callable[..., Scene]
both_ways = pytest.mark.parametrize("start", [after_seven, after_knight])
before_or_after = pytest.mark.parametrize("phase", ["roll", "main"])
"""The roll: development cards may be played before it and after it."""


def hills_4() -> Layout:
    """The beginners' board with a 4 on the hills B2; the fields of the examples are D3."""
    return changed_board(B2="hills 4", B3="pasture 6")


def way(corners: str) -> str:
    """The sides of a walk from corner to corner, as `roads` of a scene: `way("C3n C3ne C3se")` is `"C3/ne C3/e"`."""
    ids = [read_corner(name) for name in corners.split()]
    return " ".join(SIDE_NAMES[SIDE_CORNERS.index((min(a, b), max(a, b)))] for a, b in pairwise(ids))


ROWS = {
    "AB": "B1nw B1n B1ne B2n B2ne B3n B3ne B4n B4ne",
    "BC": "C1nw C1n C1ne C2n C2ne C3n C3ne C4n C4ne C5n C5ne",
    "CD": "C1sw C1s C1se C2s C2se C3s C3se C4s C4se C5s C5se",
    "DE": "D1sw D1s D1se D2s D2se D3s D3se D4s D4se",
}
"""Walks from coast to coast between two rows of hexes; no two share a corner."""


def chain(row: str, n: int, start: int = 0) -> str:
    """`n` roads in a row from corner number `start` of one of the ROWS."""
    return way(" ".join(ROWS[row].split()[start : start + n + 1]))


def red_first(edition: str) -> tuple[str, ...]:
    """The colours of an edition with red and blue, which all editions have, in front."""
    return "red", "blue", *(color for color in colors_of(edition) if color not in ("red", "blue"))


def robbed_often(edition: str, stolen: str) -> Scene:
    """Seat 0 has robbed seat 1, who held four of everything, of these cards, one each turn."""
    full = "4 brick 4 lumber 4 wool 4 grain 4 ore"
    game = traders(edition, "", full, phase="roll", settlements=by_seat(edition, "", "B2n"), hand_limit=20)
    for i, kind in enumerate(stolen.split()):
        if i:
            game.next_turn_of(0, total=12)
        game.roll(7)
        game.play(0, f"robber {('A2', 'B2')[i % 2]}")
        game.deal(f"stolen {kind}")
    return game
