"""`hexholm play`: until there is a browser game, simple players play one in the terminal."""

from __future__ import annotations

import itertools
import sys
import textwrap
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import typer

from .asking import WIDTH, asked, legend, many, title
from .drawing import colored

if TYPE_CHECKING:
    from hexholm.rules.core.layout import State
    from hexholm.rules.referee import Referee

NO_TERMINAL: Final = "hexholm play shows a game in a terminal; this is none: try hexholm play --plain"
BOARD_EVERY: Final = 20  # turns
LONGEST_PAUSE: Final = 60.0  # seconds


def run(players: int, seed: int, speed: float, plain: bool, file: str | None, **given: Any) -> int:
    """Show a game; returns the exit code."""
    chosen, own = asked(file, players=players, **given)
    if not plain and not (sys.stdin.isatty() and sys.stdout.isatty()):
        typer.echo(NO_TERMINAL)
        return 0
    from hexholm.rules.boards import layout_for
    from hexholm.rules.referee import Referee

    referee = Referee.new(own or layout_for(chosen, seed), compiled=False, **chosen.as_dict())
    for text in show(referee, seed, color=colored() and not plain, file=file):
        typer.echo(text)
        if speed > 0:
            time.sleep(min(1 / speed, LONGEST_PAUSE))
    return 0


def show(referee: Referee, seed: int, *, color: bool = False, file: str | None = None) -> Iterator[str]:
    """The game in words, piece by piece: the opening, every turn, boards now and then, the final scores."""
    from hexholm.rules.boards import COLOR_LETTERS

    chosen, words = referee.options, referee.options.edition_data.words
    yield "\n".join([*title(chosen, referee.layout, file), f"Players: {', '.join(referee.colors)}; game seed {seed}."])
    nothing = [dict.fromkeys(referee.hand(color), 0) for color in referee.colors]
    if dealt := _gained(referee, range(len(referee.colors)), nothing):
        yield textwrap.fill(f"Start cards{dealt}", WIDTH, subsequent_indent=" " * 12)
    opening = True
    for who, turn, told in turns(referee, seed):
        if opening and turn:
            opening = False
            yield f"{picture(referee, color)}{legend(words, COLOR_LETTERS[referee.colors[0]])}\n"
        label = f"{turn:>3} {who:<7}" if turn else f"    {who:<7}"
        yield textwrap.fill("; ".join(told), WIDTH, initial_indent=label, subsequent_indent=" " * 12)
        if turn and turn % BOARD_EVERY == 0 and referee.winner is None:
            yield picture(referee, color)
    yield picture(referee, color)
    yield scores(referee)


# --- the simple player ----------------------------------------------------------------------------------------------


def weights() -> dict[int, int]:
    """How gladly a simple player does what it may do, by kind of action; 10 if not named here."""
    from hexholm.rules.core import actions as act

    return {act.SETTLEMENT: 100, act.CITY: 100, act.BUY: 50, act.ROAD: 20, act.SUPPLY: 60, act.END: 5}


class SimplePlayer:
    """Chooses a kind of action by weight, then one of that kind; all by a key, so the same seed shows the same game.

    It likes corners with many dots, and trades with the supply only for what lets it build more than a road.
    """

    def __init__(self, state: State, key: int) -> None:
        self.state, self.key, self.draws, self.weights = state, key, 0, weights()

    def choose(self, seat: int, legal: list[int]) -> int:
        """One of the legal actions of the seat."""
        from hexholm.rules.core import actions as act

        choices: dict[int, list[int]] = {}
        for code in legal:
            if code & 31 != act.SUPPLY or self.leads_to_building(seat, code):
                choices.setdefault(code & 31, []).append(code)
        kinds = list(choices)
        kind = kinds[self.pick([self.weights.get(kind, 10) for kind in kinds])]
        same = choices[kind]
        return same[self.pick([self.liking(code) for code in same])]

    def pick(self, wanted: list[int]) -> int:
        """An index, by weight."""
        from hexholm.rules.core.chance import STREAM_POLICY, below

        at = below(sum(wanted), self.key, STREAM_POLICY, self.draws)
        self.draws += 1
        for index, weight in enumerate(wanted):
            at -= weight
            if at < 0:
                return index
        return len(wanted) - 1

    def liking(self, code: int) -> int:
        """A corner by the dots around it, squared; all else alike."""
        from hexholm.rules.boards import dots
        from hexholm.rules.core import actions as act
        from hexholm.rules.places import CORNER_HEXES

        if code & 31 not in (act.SETTLEMENT, act.CITY):
            return 1
        numbers = [self.state.number[h] for h in CORNER_HEXES[code >> 5]]
        return 1 + sum(dots(number) for number in numbers if number) ** 2

    def leads_to_building(self, seat: int, code: int) -> bool:
        """Whether a settlement, a city or a development card could come right after this action."""
        from hexholm.rules.core import actions as act
        from hexholm.rules.core.apply import apply
        from hexholm.rules.core.layout import Work
        from hexholm.rules.core.legal import nth_action, survey

        then, work = self.state.copy(), Work()
        apply(then, work, seat, code)
        kinds = {nth_action(then, work, seat, i) & 31 for i in range(survey(then, work, seat))}
        return not kinds.isdisjoint((act.SETTLEMENT, act.CITY, act.BUY))


# --- the game in words ----------------------------------------------------------------------------------------------


def turns(referee: Referee, seed: int) -> Iterator[tuple[str, int, list[str]]]:
    """Play to the end; yields (colour, number of the turn or 0, what happened) for every turn and every placement."""
    from hexholm.rules.core.chance import key_for
    from hexholm.rules.core.nature import counted, outcome
    from hexholm.rules.core.playout import seat_to_act

    state, key = referee.state, key_for(seed, "show")
    player, drawn = SimplePlayer(state, key), 0
    told: list[str] = []
    seat, turn = state.turn, state.turn_number
    while referee.winner is None:
        before = [referee.hand(color) for color in referee.colors]
        held = state.longest_road, state.largest_army
        if referee.chance():
            actor, code = state.turn, outcome(state, key, drawn)
            drawn += counted(state.phase)
            starting = referee.phase == "start roll"
            referee.deal(code)
        else:
            actor = seat_to_act(state)
            code = player.choose(actor, referee.legal(actor))
            starting = False
            referee.play(actor, code)
        if starting:
            yield referee.colors[actor], 0, [f"rolls {_dice(code)} for the start"]
        elif words := in_words(referee, actor, code, before):
            told.append(words if actor == seat else f"{referee.colors[actor]} {words}")
        told += awards(referee, seat, held)
        over = referee.winner is not None
        if over or (state.turn, state.turn_number) != (seat, turn):
            if over:
                told.append(f"wins with {_points(referee, state.turn)} points")
            if told:
                yield referee.colors[seat], turn, repeated(told, referee.options.edition_data.words)
            told, seat, turn = [], state.turn, state.turn_number


def awards(referee: Referee, seat: int, held: tuple[int, int]) -> list[str]:
    """Which awards have changed hands since they were `held`, told of the player in `seat` or with the colour."""
    words, state, colors = referee.options.edition_data.words, referee.state, referee.colors
    told = []
    for name, old, new in (
        (words["longest_road"], held[0], state.longest_road),
        (words["largest_army"], held[1], state.largest_army),
    ):
        if new == old:
            continue
        if new < 0:
            told.append(f"{'' if old == seat else colors[old] + ' '}loses {name}")
        else:
            whose = f" from {colors[old]}" if old >= 0 else ""
            told.append(f"{'' if new == seat else colors[new] + ' '}takes {name}{whose}")
    return told


def repeated(told: list[str], words: Any) -> list[str]:
    """What was done several times in a row, told once."""
    card = words["development_card"]
    lines = []
    for text, same in itertools.groupby(told):
        n = len(list(same))
        if n == 1:
            lines.append(text)
        else:
            lines.append(f"buys {n} {card}s" if text == f"buys a {card}" else f"{text} ({n} times)")
    return lines


def in_words(referee: Referee, seat: int, code: int, before: list[dict[str, int]]) -> str:
    """What an action did, the rest of a sentence that begins with the player; "" for what goes without saying."""
    from hexholm.rules.core import actions as act

    words = referee.options.edition_data.words
    text = referee.say(code)
    place = text.partition(" ")[2]
    everybody = range(len(referee.colors))  # the last placement may bring the start cards of all
    match code & 31:
        case act.SETTLEMENT:
            return f"settles at {place}" + _gained(referee, everybody, before)
        case act.CITY:
            return f"builds a city at {place}"
        case act.ROAD:
            return f"builds a road at {place}" + _gained(referee, everybody, before)
        case act.BUY:
            return f"buys a {words['development_card']}"
        case act.MONOPOLY_CARD:
            return f"plays {words['monopoly']}: " + _taken(referee, seat, place, before)
        case act.KNIGHT_CARD | act.ROAD_BUILDING_CARD | act.YEAR_OF_PLENTY_CARD:
            name = act.KIND_NAMES[code & 31].replace("-", "_")
            return f"plays {words[name]}" + _gained(referee, [seat], before)
        case act.ROBBER:
            return f"moves the robber to {place}"
        case act.STOLEN:
            return "steals a card from " + _loser(referee, seat, before)
        case act.DISCARD:
            return f"discards {_translated(place, words)}"
        case act.SUPPLY:
            gives, _, takes = place.partition(" : ")
            return f"swaps {_translated(gives, words)} for {_translated(takes, words)}"
        case act.DICE:
            return f"rolls {_dice(code)}" + _gained(referee, everybody, before)
    return ""


def _dice(code: int) -> str:
    a, b = code >> 5 & 7, code >> 8
    return f"{a + b} ({a}+{b})"


def _translated(cards: str, words: Any) -> str:
    return " ".join(words.get(word, word) for word in cards.split())


def _gained(referee: Referee, seats: Any, before: list[dict[str, int]]) -> str:
    """`: red 1 ore, blue 2 wool`; empty if nobody gained anything."""
    words = referee.options.edition_data.words
    told = []
    for seat in seats:
        now = referee.hand(seat)
        gains = [f"{now[kind] - had} {words[kind]}" for kind, had in before[seat].items() if now[kind] > had]
        if gains:
            told.append(f"{referee.colors[seat]} {' '.join(gains)}")
    return ": " + ", ".join(told) if told else ""


def _taken(referee: Referee, seat: int, kind: str, before: list[dict[str, int]]) -> str:
    """`2 ore from blue, 1 from white`; `no ore`."""
    word = referee.options.edition_data.words[kind]
    lost = [
        (color, n)
        for other, color in enumerate(referee.colors)
        if other != seat and (n := before[other][kind] - referee.hand(other)[kind])
    ]
    if not lost:
        return f"nobody has {word}"
    return f"takes {word}, " + ", ".join(f"{n} from {color}" for color, n in lost)


def _loser(referee: Referee, seat: int, before: list[dict[str, int]]) -> str:
    for other, color in enumerate(referee.colors):
        if other != seat and sum(referee.hand(other).values()) < sum(before[other].values()):
            return color
    return "nobody"


# --- pictures -------------------------------------------------------------------------------------------------------


def picture(referee: Referee, color: bool) -> str:
    """The board with all pieces and the points in view."""
    from hexholm.rules.boards import COLOR_LETTERS, draw_text
    from hexholm.rules.places import CORNER_NAMES, HEX_NAMES, SIDE_NAMES

    state = referee.state
    pieces: dict[str, str] = {}
    for seat, name in enumerate(referee.colors):
        letter = COLOR_LETTERS[name]
        for bits, names, mark in (
            (state.roads_lo[seat], SIDE_NAMES, letter),
            (state.roads_hi[seat], SIDE_NAMES[36:], letter),
            (state.settlements[seat], CORNER_NAMES, letter),
            (state.cities[seat], CORNER_NAMES, letter.upper()),
        ):
            pieces.update({place: mark for i, place in enumerate(names) if bits >> i & 1})
    drawn = draw_text(
        referee.layout,
        pieces,
        robber=HEX_NAMES[state.robber],
        color=color,
        words=referee.options.edition_data.words,
    )
    points = ", ".join(f"{name} {referee.points(name)}" for name in referee.colors)
    return f"{drawn}\n  Points in view: {points}\n"


def _points(referee: Referee, seat: int) -> int:
    return referee.points(seat) + referee.cards(seat)["victory-point"] * referee.state.points_card


def scores(referee: Referee) -> str:
    """The final scores, the winner first."""
    state, words = referee.state, referee.options.edition_data.words
    lines = [f"After {many(state.turn_number, 'turn')}:"]
    for seat in sorted(range(len(referee.colors)), key=lambda seat: (seat != referee.winner, -_points(referee, seat))):
        parts = [
            many(state.settlements[seat].bit_count(), "settlement"),
            many(state.cities[seat].bit_count(), "city", "cities"),
        ]
        if state.longest_road == seat:
            parts.append(words["longest_road"])
        if state.largest_army == seat:
            parts.append(words["largest_army"])
        if cards := referee.cards(seat)["victory-point"]:
            parts.append(many(cards, "victory point card"))
        crown = "wins" if seat == referee.winner else ""
        label = f"  {referee.colors[seat]:<7}{_points(referee, seat):>3} {crown:<5}"
        lines.append(textwrap.fill(", ".join(parts), WIDTH, initial_indent=label, subsequent_indent=" " * len(label)))
    return "\n".join(lines)
