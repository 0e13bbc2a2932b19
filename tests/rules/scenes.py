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
from hexholm.rules.boards import Layout, beginner_layout, read_board_data
from hexholm.rules.core.derived_fields import refresh_derived
from hexholm.rules.core.roads import measure_road
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding import phases
from hexholm.rules.encoding.lanes import count_cards, covers, pack, unpack
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES, Scratch
from hexholm.rules.initial_state import new_state
from hexholm.rules.places import HALF, SIDE_CORNERS, SIDE_NAMES, read_corner, read_hex, read_side
from hexholm.rules.referee import Referee
from hexholm.rules.setup.options import check_options

TextByColor = Mapping[str, str]
_PHASE = {phase.name: phase.id for phase in phases.PHASES}


class Scene(Referee):
    """A referee with the looks and checks that rule tests need."""

    def refused(self, player: int | str, action: str, rule: str) -> None:
        """Assert that an action is refused by `rule` and that nothing at all changes (PHASE-13)."""
        bytes_before = self.all_bytes()
        reason = self.why_not(player, action)
        assert reason is not None, f"{action} of {player} is legal, expected a refusal by {rule}"
        assert reason.rule == rule, f"{action} of {player} is refused by {reason}, expected {rule}"
        try:
            self.play(player, action)
        except ValueError:
            pass
        else:
            raise AssertionError(f"{action} of {player} was carried out although refused")
        assert self.all_bytes() == bytes_before, f"the refusal of {action} changed something"

    def allowed(self, player: int | str, action: str) -> bool:
        """Whether an action is legal now; verdict and list must agree (offers are never listed)."""
        legal = self.why_not(player, action) is None
        code = self.action_code(action, player)
        kind = act.kind_of(code)
        takes_several = kind == act.SUPPLY and count_cards(act.supply_want_of(code)) != 1
        if kind not in (act.OFFER, act.COUNTER, act.ACCEPT, act.CONFIRM) and not takes_several:
            listed = code in self.legal(player)
            assert listed == legal, f"{action}: verdict says {legal}, list says {listed}"
        return legal

    def all_bytes(self) -> bytes:
        """All bytes of the game."""
        return self.state.buffer.tobytes() + self.open_offers.buffer.tobytes() + self.belief.buffer.tobytes()

    def roll(self, total: int, player: int | str | None = None) -> None:
        """The active player rolls `total`."""
        self.play(self.state.active if player is None else player, "roll")
        first_die = max(1, total - 6)
        self.deal(f"dice {first_die} {total - first_die}")

    def buy(self, player: int | str, kind: str) -> None:
        """Buy a development card and draw `kind`."""
        self.play(player, "buy")
        self.deal(f"drawn {kind}")

    def pass_turn(self, total: int = 0) -> None:
        """End the turn of the active player; with a total, the next one rolls it at once."""
        self.play(self.state.active, "end")
        if total:
            self.roll(total)

    def next_turn_of(self, player: int | str, total: int = 2) -> None:
        """Pass turns, all rolling `total`, until it is the turn of `player`, before the roll."""
        if self.phase == "main":
            self.pass_turn()
        while self.state.active != self.seat(player):
            self.roll(total)
            self.pass_turn()

    def active(self) -> str:
        """Color of the player on turn."""
        return self.colors[self.state.active]

    def length(self, player: int | str) -> int:
        """Longest road of a seat."""
        return measure_road(self.state, Scratch(), self.seat(player))

    def total(self, player: int | str) -> int:
        """Points of a seat with the hidden ones."""
        seat = self.seat(player)
        return self.state.points[seat] + unpack(self.state.development[seat])[1]

    def holder(self, award: str) -> str | None:
        """Color of the holder of "longest_road" or "largest_army"."""
        seat = getattr(self.state, award)
        return None if seat < 0 else self.colors[seat]

    def size(self, player: int | str) -> int:
        """Number of resource cards of a seat."""
        return sum(self.hand(player).values())


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
    hands: TextByColor | None = None,
    settlements: TextByColor | None = None,
    cities: TextByColor | None = None,
    roads: TextByColor | None = None,
    dev: TextByColor | None = None,
    played: TextByColor | None = None,
    bank: str | None = None,
    deck: str | None = None,
    robber: str | None = None,
    longest_road: str | None = None,
    largest_army: str | None = None,
    board: Layout | dict[str, Any] | None = None,
    players: int = 4,
    **choices: Any,
) -> Scene:
    """A position. Places are lists of names in one text (`"C3n D2s"`); `dev` are old development cards (`"2 knight"`).

    `bank`: the supply is set to exactly this (cards beyond it vanish from the game: only for shortage tests).
    Awards: named holders; without names they follow from the pieces and played knights as if taken in seat order.
    """
    choices.setdefault("setup", "variable")
    choices.setdefault("first", 0)
    if choices["setup"] == "variable" and edition == "zip":
        choices.setdefault("map", 2)
    options = check_options(edition=edition, players=players, **choices)
    layout = board if isinstance(board, Layout) else read_board_data(board) if board else beginner_layout()
    state = new_state(options, layout)
    game = Scene(options, layout, state)
    for color, text in (settlements or {}).items():
        for name in text.split():
            state.settlements[game.seat(color)] |= 1 << read_corner(name)
    for color, text in (cities or {}).items():
        for name in text.split():
            state.cities[game.seat(color)] |= 1 << read_corner(name)
    for color, text in (roads or {}).items():
        for name in text.split():
            side = read_side(name)
            if side < HALF:
                state.roads_lo[game.seat(color)] |= 1 << side
            else:
                state.roads_hi[game.seat(color)] |= 1 << (side - HALF)
    for color, text in (hands or {}).items():
        hand_cards = cards(text)
        assert covers(state.supply, hand_cards), f"the supply cannot give {text}"
        state.hand[game.seat(color)] += hand_cards
        state.supply -= hand_cards
    for color, text in (dev or {}).items():
        deck_cards = cards(text, CARD_KINDS)
        assert covers(state.deck, deck_cards), f"the deck cannot give {text}"
        state.development[game.seat(color)] += deck_cards
        state.deck -= deck_cards
    for color, text in (played or {}).items():
        deck_cards = cards(text, CARD_KINDS)
        assert covers(state.deck, deck_cards), f"the deck cannot give {text}"
        state.played[game.seat(color)] += deck_cards
        state.deck -= deck_cards
    if bank is not None:
        state.supply = cards(bank)
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
    state, scratch = game.state, Scratch()
    refresh_derived(state, scratch)
    lengths = [measure_road(state, scratch, seat) for seat in range(state.players)]
    if longest_road is not None:
        state.longest_road = game.seat(longest_road)
    elif max(lengths) >= state.longest_road_min and lengths.count(max(lengths)) == 1:
        state.longest_road = lengths.index(max(lengths))
    knights = [unpack(state.played[seat])[0] for seat in range(state.players)]
    if largest_army is not None:
        state.largest_army = game.seat(largest_army)
    elif max(knights) >= state.largest_army_min:
        state.largest_army = knights.index(max(knights))
    refresh_derived(state, scratch)


def text_of(cards_in_lanes: int) -> str:
    """Lanes as text."""
    return notation.cards_text(cards_in_lanes)


def opening(layout: Layout | None = None, board_seed: int = 0, **choices: Any) -> Scene:
    """A game at its very beginning, set-up still to come."""
    game = Scene.new(layout, board_seed, **choices)
    assert isinstance(game, Scene)
    return game


def by_seat(edition: str, *texts: str) -> dict[str, str]:
    """Texts for seat 0, 1, ... by the edition's colors; "" leaves a seat out."""
    return {color: text for color, text in zip(check_options(edition=edition).colors, texts, strict=False) if text}


def traders(edition: str, *hands: str, **scene_options: Any) -> Scene:
    """A scene with these hands, the first for seat 0 (whose turn it is unless told otherwise)."""
    return scene(edition, hands=by_seat(edition, *hands), **scene_options)


def offer(game: Scene, terms: str, *to: int | str) -> str:
    """The text of an offer: `game.play(0, offer(game, "1 ore : 1 wool", 1, 2))`."""
    return f"offer {terms} to " + " ".join(game.colors[game.seat(seat)] for seat in to)


def hand_text(game: Scene, player: int | str) -> str:
    """The hand of a seat as text."""
    return text_of(game.state.hand[game.seat(player)])


# --- short looks, used by production, robber and development tests ----------------------------------------------------


def colors_of(edition: str) -> tuple[str, ...]:
    """The colors of an edition in seat order."""
    return check_options(edition=edition).edition_data.colors


def supply_text(game: Referee) -> str:
    """The supply as text."""
    return text_of(game.state.supply)


def changed_board(**hexes: str) -> Layout:
    """The beginners' board with other terrain or numbers on some hexes: `changed_board(B2="hills 4")`."""
    data = beginner_layout().as_dict()
    return read_board_data({"standard": False, "hexes": {**data["hexes"], **hexes}, "harbors": data["harbors"]})


def view_bytes(game: Referee, observer: int | str | None) -> bytes:
    """All that an observer may know, as bytes; None: the public."""
    return game.view(observer).buffer.tobytes()


def set_hand(game: Scene, player: int | str, text: str) -> None:
    """Give a seat exactly these cards; the supply takes the old ones and pays the new ones. Everybody is told."""
    state, seat = game.state, game.seat(player)
    state.supply += state.hand[seat]
    assert covers(state.supply, cards(text)), f"the supply cannot give {text}"
    state.hand[seat] = cards(text)
    state.supply -= cards(text)
    game.start_belief()


def after_seven(edition: str = "fifth", **scene_options: Any) -> Scene:
    """Seat 0, or `turn`, has rolled a seven and moves the robber; nobody has to discard."""
    game = scene(edition, phase="roll", **scene_options)
    game.roll(7)
    assert game.phase == "robber"
    return game


def after_knight(edition: str = "fifth", **scene_options: Any) -> Scene:
    """Seat 0, or `turn`, has played a knight after the roll and moves the robber."""
    mover = scene_options.get("turn", colors_of(edition)[0])
    dev = {mover: "1 knight", **scene_options.pop("dev", {})}
    game = scene(edition, dev=dev, **scene_options)
    game.play(game.state.active, "knight")
    return game


Start = Callable[..., Scene]
both_ways = pytest.mark.parametrize("start", [after_seven, after_knight])
before_or_after = pytest.mark.parametrize("phase", ["roll", "main"])
"""The roll: development cards may be played before it and after it."""


def hills_4() -> Layout:
    """The beginners' board with a 4 on the hills B2; the fields of the examples are D3."""
    return changed_board(B2="hills 4", B3="pasture 6")


def roads_along(corners: str) -> str:
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
    return roads_along(" ".join(ROWS[row].split()[start : start + n + 1]))


def red_first(edition: str) -> tuple[str, ...]:
    """The colors of an edition with red and blue, which all editions have, in front."""
    return "red", "blue", *(color for color in colors_of(edition) if color not in ("red", "blue"))


def robbed_often(edition: str, stolen_kinds: str) -> Scene:
    """Seat 0 has robbed seat 1, who held four of everything, of these cards, one each turn."""
    full = "4 brick 4 lumber 4 wool 4 grain 4 ore"
    game = traders(edition, "", full, phase="roll", settlements=by_seat(edition, "", "B2n"), hand_limit=20)
    for i, kind in enumerate(stolen_kinds.split()):
        if i:
            game.next_turn_of(0, total=12)
        game.roll(7)
        game.play(0, f"robber {('A2', 'B2')[i % 2]}")
        game.deal(f"stolen {kind}")
    return game
