"""Looking for a game that fits a seat's copy: a kind for every card that the copy hides.

The two sorts of hidden cards do not touch each other, so they are found one after the other.

*Resources.* All that is public goes on alike in every world; only hands differ. So one position is carried along, and
with it all joint hands that are possible so far, each with the thefts that led to it. An action that somebody could
not have paid for rules hands out; a hidden theft splits each of them by the cards the victim may have lost. Whether an
action can be paid for, what a theft or a Monopoly does to hands and who has won is asked of the rules themselves.

*Development cards.* The whole game is known, so one can look ahead. Each card that was played was drawn on an earlier
turn (DEV-04): the earliest draws are taken for it. What is left over are cards that were never played. As many of the
latest of these as were shown at the end are victory points: the later, the less they can have won too early. In a game
that was not won there are victory points among them only if the box holds no other cards.

All this only proposes a world. Whether it is one is for the rules to say: it is played from beginning to end.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from hexholm.rules.core.awards import examine_victory
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import lane, total, unpack
from hexholm.rules.core.encoding.structs import (
    CARD_KINDS,
    KNIGHT,
    MONOPOLY,
    NATURE,
    RESOURCES,
    ROAD_BUILDING,
    SEATS,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
    State,
    Work,
)
from hexholm.rules.core.nature import odds
from hexholm.rules.core.phases import DRAW, MAIN, OVER, THEFT
from hexholm.rules.core.step import apply_action
from hexholm.rules.referee import IllegalAction, Referee

from ..history import put_back
from ..positions.position_words import PUBLIC
from ..record_format.record_data import AnyRecord, RecordData, final_hash, true_result
from ..record_format.walk import (
    DRAWN_HIDDEN,
    STOLEN_HIDDEN,
    UNREACHED_POINTS,
    BadRecord,
    Guide,
    encode_handed,
    is_handed,
    nature_text,
)

MOST_WORLDS_TRIED: Final = 200_000
"""More joint hands than this are not looked at; in real games there are a few dozen, at most some thousands."""
_CARD_OF: Final = {
    act.KNIGHT_CARD: KNIGHT,
    act.ROAD_BUILDING_CARD: ROAD_BUILDING,
    act.YEAR_OF_PLENTY_CARD: YEAR_OF_PLENTY,
    act.MONOPOLY_CARD: MONOPOLY,
}
_PAID: Final = frozenset(
    (act.ROAD, act.SETTLEMENT, act.CITY, act.BUY, act.DISCARD, act.DISCARD_CARD, act.SUPPLY, act.OFFER, act.COUNTER)
) | {act.ACCEPT, act.CONFIRM, act.STOLEN}
"""Actions whose legality depends on hands."""
Hands = tuple[int, ...]
Thefts = tuple[int, "Thefts"] | None
"""The kinds stolen so far, the last one first."""


@dataclass
class _Draw:
    """A hidden draw: which step it is, who drew on which turn, and which kind it must have been, if that is known."""

    step: int
    seat: int
    turn: int
    kind: int | None = None


@dataclass
class _CardDraws:
    """What the copy tells of development cards."""

    draws: list[_Draw] = field(default_factory=list)
    box: list[int] = field(default_factory=list)
    """Cards of each kind that are left for hidden draws that were not played."""

    @property
    def left(self) -> list[_Draw]:
        return [draw for draw in self.draws if draw.kind is None]


def find_world(record: AnyRecord) -> AnyRecord:
    """A full record whose copy this may be; raises BadRecord if there is none."""
    cards = _played_cards(record)
    drawn = _some_cards(cards)
    search = _Search(record, drawn)
    thefts = search.run()
    _leftover_cards(record, cards, search)
    kinds = {draw.step: draw.kind for draw in cards.draws}
    steps = []
    for n, (seat, code) in enumerate(record.steps):
        if code == STOLEN_HIDDEN:
            steps.append((seat, act.simple(act.STOLEN, thefts[n])))
        elif code == DRAWN_HIDDEN:
            kind = kinds[n]
            assert kind is not None
            steps.append((seat, act.simple(act.DRAWN, kind)))
        elif not is_handed(code):
            steps.append((seat, code))
    world = replace(record, steps=tuple(steps), eyes=None, revealed=None)
    guide = world.guide()
    guide.replay(world.steps)
    true = true_result(record, guide.referee.state)
    return replace(world, result=true, final=final_hash(guide.referee))


# --- development cards ---------------------------------------------------------------------------------------


def _played_cards(record: RecordData) -> _CardDraws:
    """All hidden draws, those with their kinds that were played later."""
    state, _ = record.begin()
    walk, found = record.walk(), _CardDraws(box=list(unpack(state.deck)))
    held = {(seat, kind): n for seat in range(state.players) for kind, n in enumerate(unpack(state.cards[seat]))}
    young = {(state.active, kind): n for kind, n in enumerate(unpack(state.new_cards))}  # bought on the first turn
    own = None if record.eyes == PUBLIC else record.colors.index(str(record.eyes))
    first_turn = walk.turn
    for n, (seat, code) in enumerate(record.steps):
        kind = act.kind_of(code)
        if code == DRAWN_HIDDEN:
            if walk.seat == own:
                raise BadRecord(f"{walk.when}: {record.eyes} knows which card it draws itself")
            found.draws.append(_Draw(n, walk.seat, walk.turn))
        elif kind == act.DRAWN:
            if walk.seat != own:
                raise BadRecord(f"{walk.when}: {record.eyes} cannot know which card {record.colors[walk.seat]} draws")
            _take(found.box, act.parameter_of(code), f"{walk.when}: ")
        elif kind in _CARD_OF and seat != own and not is_handed(code):
            card = _CARD_OF[kind]
            known = held.get((seat, card), 0) - (young.get((seat, card), 0) if walk.turn == first_turn else 0)
            if known > 0:
                held[seat, card] -= 1
            else:
                earlier = [d for d in found.draws if d.seat == seat and d.turn < walk.turn and d.kind is None]
                if not earlier:
                    text = f"{record.colors[seat]} plays {CARD_KINDS[card]}, but bought no such card before this turn"
                    raise BadRecord(f"{walk.when}: {text} (DEV-04)")
                earlier[0].kind = card
                _take(found.box, card, f"{walk.when}: ")
        walk.step(code)
    return found


def _take(box: list[int], kind: int, when: str) -> None:
    """A card is taken out of the box."""
    if box[kind] == 0:
        raise BadRecord(f"{when}more {CARD_KINDS[kind]} cards than there are in the box (COMP-04)")
    box[kind] -= 1


def _some_cards(cards: _CardDraws) -> dict[int, int]:
    """A kind for every hidden draw, just to play on: those never played get what is left, victory points last."""
    box, kinds = cards.box.copy(), {draw.step: draw.kind for draw in cards.draws if draw.kind is not None}
    for draw in cards.left:
        kind = next((k for k in _BY_USE if box[k]), None)
        if kind is None:
            raise BadRecord("more development cards are drawn than there are in the box (COMP-04)")
        box[kind] -= 1
        kinds[draw.step] = kind
    return kinds


_BY_USE: Final = (KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY, VICTORY_POINT)


def _leftover_cards(record: RecordData, cards: _CardDraws, search: _Search) -> None:
    """Kinds for the draws that were never played: victory points as late as can be, anything else for the others."""
    box, left = cards.box, cards.left
    if record.revealed is not None:
        for seat, shown in enumerate(record.revealed):
            known = unpack(search.begun_cards[seat])[VICTORY_POINT]
            mine = [draw for draw in left if draw.seat == seat]
            if record.colors[seat] == record.eyes:
                continue
            if not known <= shown <= known + len(mine):
                raise BadRecord(f"{record.colors[seat]} shows {shown} victory points and cannot hold so many (WIN-07)")
            for draw in mine[len(mine) - (shown - known) :]:
                draw.kind = VICTORY_POINT
                _take(box, VICTORY_POINT, "at the end: ")
    else:
        others = sum(box) - box[VICTORY_POINT]
        for draw in reversed(left):
            if len(cards.left) > others and search.may_hold(draw, cards.draws):
                draw.kind = VICTORY_POINT
                _take(box, VICTORY_POINT, "")
    for draw in cards.left:
        draw.kind = next((k for k in _BY_USE if box[k] and k != VICTORY_POINT), None)
        if draw.kind is None:
            raise BadRecord("the cards left in the box are victory points, with which somebody would have won (WIN-02)")
        box[draw.kind] -= 1


# --- resources -----------------------------------------------------------------------------------------------


class _Group(NamedTuple):
    """Joint hands that are possible so far, each with the thefts that led to it, and the position they share.

    Hands of one group have the same sizes, so all that is public goes on alike in them. There is more than one group
    only after a Monopoly in an older copy, which does not tell how many cards were handed over.
    """

    state: bytes
    talk: bytes
    worlds: dict[Hands, Thefts]


class _Search:
    """All joint hands that fit the copy, carried through the game together."""

    def __init__(self, record: RecordData, drawn: dict[int, int]) -> None:
        self.record, self.drawn = record, drawn
        self.referee: Referee = record.referee()
        self.work = Work()
        self.state = state = self.referee.state
        self.points_to_win, self.points_card = state.points_to_win, state.points_card
        self.begun_cards = [state.cards[seat] for seat in range(state.players)]
        self.own = None if record.eyes == PUBLIC else record.colors.index(str(record.eyes))
        state.points_to_win = UNREACHED_POINTS  # hidden victory points are seen to later
        self.guide = Guide(self.referee)
        self.groups = [self.group({_hands(self.state): None})]
        self.places: list[int] = []
        """The steps with a hidden theft."""
        self.in_view: dict[int, list[tuple[int, int]]] = defaultdict(list)
        """For each seat: (step, points in view after it), on its own turns."""

    def run(self) -> dict[int, int]:
        """Play the whole copy; returns the kinds of the hidden thefts by step. Raises BadRecord if nothing fits."""
        for n, (seat, code) in enumerate(self.record.steps):
            groups: list[_Group] = []
            problem: BadRecord | None = None
            for group in self.groups:
                put_back(self.referee, group.state, group.talk)
                try:
                    groups += self.advance(n, seat, code, group.worlds)
                except BadRecord as no:
                    problem = problem or no
            if problem is not None and not groups:
                raise problem
            self.groups = _merged(groups)
            if sum(len(group.worlds) for group in groups) > MOST_WORLDS_TRIED:
                raise BadRecord(f"{self.guide.when}: too many hands are possible to check this copy")
            put_back(self.referee, self.groups[0].state, self.groups[0].talk)
            self.guide.step(code)
            if code == STOLEN_HIDDEN:
                self.places.append(n)
            self.in_view[self.state.active].append((n, self.state.points[self.state.active]))
        thefts, kinds = next(iter(self.groups[0].worlds.values())), {}
        for n in reversed(self.places):
            assert thefts is not None
            kinds[n], thefts = thefts
        return kinds

    def advance(self, n: int, seat: int, code: int, worlds: dict[Hands, Thefts]) -> list[_Group]:
        """One more step of a group; raises BadRecord if it cannot be."""
        state, when = self.state, self.guide.when
        theirs = self.own not in (state.active, state.victim)
        if code == STOLEN_HIDDEN:
            if state.phase != THEFT or not theirs:
                raise BadRecord(f"{when}: no theft between others can be hidden here (ROBBER-09)")
            return [self.steal(worlds)]
        if code == DRAWN_HIDDEN:
            if state.phase != DRAW:
                raise BadRecord(f"{when}: no card is drawn here (DEV-01)")
            code = act.simple(act.DRAWN, self.drawn[n])
        elif state.phase == THEFT and theirs and act.kind_of(code) == act.STOLEN:
            raise BadRecord(f"{when}: {self.record.eyes} cannot know this card (INFO-03)")
        elif is_handed(code):
            return [self.group(worlds)]  # it was looked at with the card itself
        elif act.kind_of(code) == act.MONOPOLY_CARD:
            following = self.record.steps[n + 1 : n + 2]
            told = following[0][1] if following and is_handed(following[0][1]) else None
            return self.monopoly(seat, code, worlds, told)
        return [self.play(seat, code, worlds)]

    def play(self, seat: int, code: int, worlds: dict[Hands, Thefts]) -> _Group:
        """An action that does the same in all worlds; those in which it is not legal are out."""
        if act.kind_of(code) in _PAID and len(worlds) > 1:
            worlds = self.fitting(seat, code, worlds) or worlds  # if none is left, the refusal is told below
        before = next(iter(worlds))
        self.step(before, seat, code)
        gain = [now - then for now, then in zip(_hands(self.state), before, strict=True)]
        if any(gain):
            worlds = {
                tuple(cards + more for cards, more in zip(hands, gain, strict=True)): thefts
                for hands, thefts in worlds.items()
            }
        return self.group(worlds)

    def fitting(self, seat: int, code: int, worlds: dict[Hands, Thefts]) -> dict[Hands, Thefts]:
        """The worlds in which an action is legal."""
        referee, fits = self.referee, {}
        for hands, thefts in worlds.items():
            _put(self.state, hands)
            if not referee.judge(seat, code):
                fits[hands] = thefts
        return fits

    def monopoly(self, seat: int, code: int, worlds: dict[Hands, Thefts], told: int | None) -> list[_Group]:
        """Who gives how much is different in every world, and so are then the sizes of hands.

        `told`: what all could see, if the copy tells it; worlds in which it is otherwise are out.
        """
        if self.referee.judge(seat, code):
            self.step(next(iter(worlds)), seat, code)  # raises
        before, table = self.group(worlds), self.state.copy()
        outcomes: dict[int, dict[Hands, Thefts]] = defaultdict(dict)
        samples: dict[int, Hands] = {}
        for hands, thefts in worlds.items():
            table.buffer[:] = self.state.buffer
            _put(table, hands)
            apply_action(table, self.work, seat, code)
            left = _hands(table)
            outcome = encode_handed(max(total(had) - total(has), 0) for had, has in zip(hands, left, strict=True))
            if told in (None, outcome):
                outcomes[outcome].setdefault(left, thefts)
                samples.setdefault(outcome, hands)
        if told is not None and not outcomes:
            amounts = nature_text(told, self.record.colors)
            raise BadRecord(f"{self.guide.when}: no hands fit that hand over {amounts} to this Monopoly (DEV-22)")
        groups = []
        for outcome, found in outcomes.items():
            put_back(self.referee, before.state, before.talk)
            self.step(samples[outcome], seat, code)
            groups.append(self.group(found))
        return groups

    def steal(self, worlds: dict[Hands, Thefts]) -> _Group:
        """A hidden theft: every world splits by the cards that the victim may have lost."""
        thief, victim = self.state.active, self.state.victim
        known: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        split: dict[Hands, Thefts] = {}
        for hands, thefts in worlds.items():
            pair = hands[thief], hands[victim]
            if pair not in known:
                known[pair] = self.after_theft(hands)
            for kind, has, left in known[pair]:
                moved = list(hands)
                moved[thief], moved[victim] = has, left
                split.setdefault(tuple(moved), (kind, thefts))
        before = next(iter(worlds))
        some = known[before[thief], before[victim]][0][0]
        self.step(before, NATURE, act.simple(act.STOLEN, some))
        return self.group(split)

    def after_theft(self, hands: Hands) -> list[tuple[int, int, int]]:
        """The kinds that may be stolen now, each with the hands of thief and victim after it."""
        found = []
        for kind in range(len(RESOURCES)):
            table, code = self.state.copy(), act.simple(act.STOLEN, kind)
            _put(table, hands)
            if odds(table, code):
                thief, victim = table.active, table.victim
                apply_action(table, self.work, NATURE, code)
                found.append((kind, table.hand[thief], table.hand[victim]))
        return found

    def step(self, hands: Hands, seat: int, code: int) -> None:
        """Play one step with these hands."""
        _put(self.state, hands)
        self.referee.belief.buffer[:] = 0  # what the seats infer is not asked here
        try:
            self.referee.step(seat, code)
        except IllegalAction as no:
            raise BadRecord(f"{self.guide.when}: {self.guide.refusal(seat, code, no)}") from None

    def group(self, worlds: dict[Hands, Thefts]) -> _Group:
        """The present position with these worlds."""
        return _Group(self.state.buffer.tobytes(), self.referee.talk.buffer.tobytes(), worlds)

    def may_hold(self, draw: _Draw, draws: list[_Draw]) -> bool:
        """Whether a card that was drawn there may be a victory point, as far as nobody has won by it."""
        points = [other.step for other in draws if other.seat == draw.seat and other.kind == VICTORY_POINT]
        begun = unpack(self.begun_cards[draw.seat])[VICTORY_POINT]
        for step, in_view in self.in_view[draw.seat]:
            held = begun + sum(other <= step for other in (*points, draw.step))
            if step >= draw.step and self.would_win(draw.seat, in_view, held):
                return False
        return True

    def would_win(self, seat: int, in_view: int, held: int) -> bool:
        """Whether a seat with these points in view has won on its own turn, if it holds so many victory points."""
        table = State()
        table.phase, table.active = MAIN, seat
        table.points_to_win, table.points_card = self.points_to_win, self.points_card
        table.points[seat], table.cards[seat] = in_view, held * lane(VICTORY_POINT)
        examine_victory(table)
        return table.phase == OVER


def _hands(table: State) -> Hands:
    return tuple(table.hand[seat] for seat in range(table.players))


def _put(table: State, hands: Hands) -> None:
    for seat, cards in enumerate(hands):
        table.hand[seat] = cards


def _merged(groups: list[_Group]) -> list[_Group]:
    """Groups that are alike but for hands are one."""
    if len(groups) == 1:
        return groups
    found: dict[tuple[bytes, ...], _Group] = {}
    for group in groups:
        state = State(np.frombuffer(group.state, np.uint8).copy())
        sizes = bytes(total(state.hand[seat]) for seat in range(SEATS))
        for seat in range(SEATS):
            state.hand[seat] = 0
        same = found.setdefault((state.buffer.tobytes(), group.talk, sizes), group)
        for hands, thefts in group.worlds.items():
            same.worlds.setdefault(hands, thefts)
    return list(found.values())
