"""Looks for a game that fits a seat's copy: a kind for every card that the copy hides.

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

from hexholm.rules.colors import SeatNumber
from hexholm.rules.core.awards import examine_victory
from hexholm.rules.core.nature import odds_of_outcome
from hexholm.rules.core.step import apply_action
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import count_cards, single_card, unpack
from hexholm.rules.encoding.phases import DRAW, MAIN, OVER, THEFT
from hexholm.rules.encoding.structs import (
    CARD_KINDS,
    KNIGHT,
    MONOPOLY,
    NATURE,
    RESOURCES,
    ROAD_BUILDING,
    SEATS,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
    Scratch,
    State,
)
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.referee import Referee, Step

from ..history import put_back
from ..positions.position_words import PUBLIC
from ..record_format.record_base import AnyRecord, RecordBase, final_hash, true_result
from ..record_format.steps import DRAWN_HIDDEN, STOLEN_HIDDEN, BadRecord, encode_handed, is_handed, nature_text
from ..record_format.turn_tracker import UNREACHED_POINTS, CheckedTurnTracker

MOST_WORLDS_TRIED: Final = 200_000
"""More joint hands than this are not looked at; in real games there are a few dozen, at most some thousands."""
_CARD_OF: Final = {
    act.KNIGHT_CARD: KNIGHT,
    act.ROAD_BUILDING_CARD: ROAD_BUILDING,
    act.YEAR_OF_PLENTY_CARD: YEAR_OF_PLENTY,
    act.MONOPOLY_CARD: MONOPOLY,
}
_HAND_ACTIONS: Final = frozenset(
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
    seat: SeatNumber
    turn: int
    kind: int | None = None


@dataclass
class _CardDraws:
    """What the copy tells of development cards."""

    draws: list[_Draw] = field(default_factory=list)
    deck: list[int] = field(default_factory=list)
    """Cards of each kind that are left for hidden draws that were not played."""

    @property
    def unplayed(self) -> list[_Draw]:
        return [draw for draw in self.draws if draw.kind is None]


def find_world(record: AnyRecord) -> AnyRecord:
    """A full record whose copy this may be; raises BadRecord if there is none."""
    cards = _played_cards(record)
    drawn_kinds = _provisional_kinds(cards)
    search = _Search(record, drawn_kinds)
    thefts = search.run()
    _assign_leftover_kinds(record, cards, search)
    kinds = {draw.step: draw.kind for draw in cards.draws}
    steps = []
    for n, (seat, code) in enumerate(record.steps):
        if code == STOLEN_HIDDEN:
            steps.append(Step(seat, act.simple_action(act.STOLEN, thefts[n])))
        elif code == DRAWN_HIDDEN:
            kind = kinds[n]
            assert kind is not None
            steps.append(Step(seat, act.simple_action(act.DRAWN, kind)))
        elif not is_handed(code):
            steps.append(Step(seat, code))
    world = replace(record, steps=tuple(steps), eyes=None, revealed=None)
    tracker = world.checked_tracker()
    tracker.replay(world.steps)
    result = true_result(record, tracker.referee.state)
    return replace(world, result=result, final=final_hash(tracker.referee))


# --- development cards ---------------------------------------------------------------------------------------


def _played_cards(record: RecordBase) -> _CardDraws:
    """All hidden draws, those with their kinds that were played later."""
    state, _ = record.opening_position()
    tracker, card_draws = record.turn_tracker(), _CardDraws(deck=list(unpack(state.deck)))
    start_cards = {
        (seat, kind): n for seat in range(state.players) for kind, n in enumerate(unpack(state.development[seat]))
    }
    new_cards = {(state.active, kind): n for kind, n in enumerate(unpack(state.new_cards))}  # bought on the first turn
    own_seat = None if record.eyes == PUBLIC else record.colors.index(str(record.eyes))
    first_turn = tracker.turn
    for n, (seat, code) in enumerate(record.steps):
        kind = act.kind_of(code)
        if code == DRAWN_HIDDEN:
            if tracker.seat == own_seat:
                raise BadRecord(f"{tracker.turn_label}: {record.eyes} knows which card it draws itself")
            card_draws.draws.append(_Draw(n, tracker.seat, tracker.turn))
        elif kind == act.DRAWN:
            if tracker.seat != own_seat:
                raise BadRecord(
                    f"{tracker.turn_label}: {record.eyes} cannot know which card {record.colors[tracker.seat]} draws"
                )
            _remove_card(card_draws.deck, act.parameter_of(code), f"{tracker.turn_label}: ")
        elif kind in _CARD_OF and seat != own_seat and not is_handed(code):
            card = _CARD_OF[kind]
            playable = start_cards.get((seat, card), 0) - (
                new_cards.get((seat, card), 0) if tracker.turn == first_turn else 0
            )
            if playable > 0:
                start_cards[seat, card] -= 1
            else:
                earlier = [d for d in card_draws.draws if d.seat == seat and d.turn < tracker.turn and d.kind is None]
                if not earlier:
                    text = f"{record.colors[seat]} plays {CARD_KINDS[card]}, but bought no such card before this turn"
                    raise BadRecord(f"{tracker.turn_label}: {text} (DEV-04)")
                earlier[0].kind = card
                _remove_card(card_draws.deck, card, f"{tracker.turn_label}: ")
        tracker.step(code)
    return card_draws


def _remove_card(deck: list[int], kind: int, prefix: str) -> None:
    """A card is taken out of the box."""
    if deck[kind] == 0:
        raise BadRecord(f"{prefix}more {CARD_KINDS[kind]} cards than there are in the box (COMP-04)")
    deck[kind] -= 1


def _provisional_kinds(cards: _CardDraws) -> dict[int, int]:
    """A kind for every hidden draw, just to play on: those never played get what is left, victory points last."""
    deck, kinds = cards.deck.copy(), {draw.step: draw.kind for draw in cards.draws if draw.kind is not None}
    for draw in cards.unplayed:
        kind = next((k for k in _BY_USE if deck[k]), None)
        if kind is None:
            raise BadRecord("more development cards are drawn than there are in the box (COMP-04)")
        deck[kind] -= 1
        kinds[draw.step] = kind
    return kinds


_BY_USE: Final = (KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY, VICTORY_POINT)


def _assign_leftover_kinds(record: RecordBase, cards: _CardDraws, search: _Search) -> None:
    """Kinds for the draws that were never played: victory points as late as can be, anything else for the others."""
    deck, unplayed = cards.deck, cards.unplayed
    if record.revealed is not None:
        for seat, points_shown in enumerate(record.revealed):
            points_known = unpack(search.start_cards[seat])[VICTORY_POINT]
            seat_draws = [draw for draw in unplayed if draw.seat == seat]
            if record.colors[seat] == record.eyes:
                continue
            if not points_known <= points_shown <= points_known + len(seat_draws):
                raise BadRecord(
                    f"{record.colors[seat]} shows {points_shown} victory points and cannot hold so many (WIN-07)"
                )
            for draw in seat_draws[len(seat_draws) - (points_shown - points_known) :]:
                draw.kind = VICTORY_POINT
                _remove_card(deck, VICTORY_POINT, "at the end: ")
    else:
        other_count = sum(deck) - deck[VICTORY_POINT]
        for draw in reversed(unplayed):
            if len(cards.unplayed) > other_count and search.may_hold(draw, cards.draws):
                draw.kind = VICTORY_POINT
                _remove_card(deck, VICTORY_POINT, "")
    for draw in cards.unplayed:
        draw.kind = next((k for k in _BY_USE if deck[k] and k != VICTORY_POINT), None)
        if draw.kind is None:
            raise BadRecord("the cards left in the box are victory points, with which somebody would have won (WIN-02)")
        deck[draw.kind] -= 1


# --- resources -----------------------------------------------------------------------------------------------


class _Group(NamedTuple):
    """Joint hands that are possible so far, each with the thefts that led to it, and the position they share.

    Hands of one group have the same sizes, so all that is public goes on alike in them. There is more than one group
    only after a Monopoly in an older copy, which does not tell how many cards were handed over.
    """

    state: bytes
    open_offers: bytes
    worlds: dict[Hands, Thefts]


class _Search:
    """All joint hands that fit the copy, carried through the game together."""

    def __init__(self, record: RecordBase, drawn_kinds: dict[int, int]) -> None:
        self.record, self.drawn_kinds = record, drawn_kinds
        self.referee: Referee = record.referee()
        self.scratch = Scratch()
        self.state = state = self.referee.state
        self.points_to_win, self.points_card = state.points_to_win, state.points_card
        self.start_cards = [state.development[seat] for seat in range(state.players)]
        self.own_seat = None if record.eyes == PUBLIC else record.colors.index(str(record.eyes))
        state.points_to_win = UNREACHED_POINTS  # hidden victory points are seen to later
        self.guide = CheckedTurnTracker(self.referee)
        self.groups = [self.make_group({_hands(self.state): None})]
        self.theft_steps: list[int] = []
        """The steps with a hidden theft."""
        self.visible_points: dict[int, list[tuple[int, int]]] = defaultdict(list)
        """For each seat: (step, points in view after it), on its own turns."""

    def run(self) -> dict[int, int]:
        """Play the whole copy; returns the kinds of the hidden thefts by step. Raises BadRecord if nothing fits."""
        for n, (seat, code) in enumerate(self.record.steps):
            groups: list[_Group] = []
            first_error: BadRecord | None = None
            for group in self.groups:
                put_back(self.referee, group.state, group.open_offers)
                try:
                    groups += self.advance(n, seat, code, group.worlds)
                except BadRecord as error:
                    first_error = first_error or error
            if first_error is not None and not groups:
                raise first_error
            self.groups = _merge_groups(groups)
            if sum(len(group.worlds) for group in groups) > MOST_WORLDS_TRIED:
                raise BadRecord(f"{self.guide.turn_label}: too many hands are possible to check this copy")
            put_back(self.referee, self.groups[0].state, self.groups[0].open_offers)
            self.guide.step(code)
            if code == STOLEN_HIDDEN:
                self.theft_steps.append(n)
            self.visible_points[self.state.active].append((n, self.state.points[self.state.active]))
        thefts, kinds = next(iter(self.groups[0].worlds.values())), {}
        for n in reversed(self.theft_steps):
            assert thefts is not None
            kinds[n], thefts = thefts
        return kinds

    def advance(self, n: int, seat: SeatNumber, code: int, worlds: dict[Hands, Thefts]) -> list[_Group]:
        """One more step of a group; raises BadRecord if it cannot be."""
        state, turn_label = self.state, self.guide.turn_label
        between_others = self.own_seat not in (state.active, state.victim)
        if code == STOLEN_HIDDEN:
            if state.phase != THEFT or not between_others:
                raise BadRecord(f"{turn_label}: no theft between others can be hidden here (ROBBER-09)")
            return [self.steal(worlds)]
        if code == DRAWN_HIDDEN:
            if state.phase != DRAW:
                raise BadRecord(f"{turn_label}: no card is drawn here (DEV-01)")
            code = act.simple_action(act.DRAWN, self.drawn_kinds[n])
        elif state.phase == THEFT and between_others and act.kind_of(code) == act.STOLEN:
            raise BadRecord(f"{turn_label}: {self.record.eyes} cannot know this card (INFO-03)")
        elif is_handed(code):
            return [self.make_group(worlds)]  # it was looked at with the card itself
        elif act.kind_of(code) == act.MONOPOLY_CARD:
            next_steps = self.record.steps[n + 1 : n + 2]
            handed = next_steps[0].code if next_steps and is_handed(next_steps[0].code) else None
            return self.monopoly(seat, code, worlds, handed)
        return [self.play(seat, code, worlds)]

    def play(self, seat: SeatNumber, code: int, worlds: dict[Hands, Thefts]) -> _Group:
        """An action that does the same in all worlds; those in which it is not legal are out."""
        if act.kind_of(code) in _HAND_ACTIONS and len(worlds) > 1:
            worlds = self.fitting_worlds(seat, code, worlds) or worlds  # if none is left, the refusal is told below
        before = next(iter(worlds))
        self.step(before, seat, code)
        gains = [new - old for new, old in zip(_hands(self.state), before, strict=True)]
        if any(gains):
            worlds = {
                tuple(cards + gain for cards, gain in zip(hands, gains, strict=True)): thefts
                for hands, thefts in worlds.items()
            }
        return self.make_group(worlds)

    def fitting_worlds(self, seat: SeatNumber, code: int, worlds: dict[Hands, Thefts]) -> dict[Hands, Thefts]:
        """The worlds in which an action is legal."""
        referee, fitting = self.referee, {}
        for hands, thefts in worlds.items():
            _set_hands(self.state, hands)
            if not referee.judge(seat, code):
                fitting[hands] = thefts
        return fitting

    def monopoly(self, seat: SeatNumber, code: int, worlds: dict[Hands, Thefts], handed: int | None) -> list[_Group]:
        """Who gives how much is different in every world, and so are then the sizes of hands.

        `handed`: what all could see, if the copy tells it; worlds in which it is otherwise are out.
        """
        if self.referee.judge(seat, code):
            self.step(next(iter(worlds)), seat, code)  # raises
        before, table = self.make_group(worlds), self.state.copy()
        outcomes: dict[int, dict[Hands, Thefts]] = defaultdict(dict)
        samples: dict[int, Hands] = {}
        for hands, thefts in worlds.items():
            table.buffer[:] = self.state.buffer
            _set_hands(table, hands)
            apply_action(table, self.scratch, seat, code)
            hands_after = _hands(table)
            outcome = encode_handed(
                max(count_cards(before_hand) - count_cards(after_hand), 0)
                for before_hand, after_hand in zip(hands, hands_after, strict=True)
            )
            if handed in (None, outcome):
                outcomes[outcome].setdefault(hands_after, thefts)
                samples.setdefault(outcome, hands)
        if handed is not None and not outcomes:
            amounts = nature_text(handed, self.record.colors)
            raise BadRecord(f"{self.guide.turn_label}: no hands fit that hand over {amounts} to this Monopoly (DEV-22)")
        groups = []
        for outcome, outcome_worlds in outcomes.items():
            put_back(self.referee, before.state, before.open_offers)
            self.step(samples[outcome], seat, code)
            groups.append(self.make_group(outcome_worlds))
        return groups

    def steal(self, worlds: dict[Hands, Thefts]) -> _Group:
        """A hidden theft: every world splits by the cards that the victim may have lost."""
        thief, victim = self.state.active, self.state.victim
        outcomes: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        split_worlds: dict[Hands, Thefts] = {}
        for hands, thefts in worlds.items():
            pair = hands[thief], hands[victim]
            if pair not in outcomes:
                outcomes[pair] = self.theft_outcomes(hands)
            for kind, thief_hand, victim_hand in outcomes[pair]:
                new_hands = list(hands)
                new_hands[thief], new_hands[victim] = thief_hand, victim_hand
                split_worlds.setdefault(tuple(new_hands), (kind, thefts))
        before = next(iter(worlds))
        sample_kind = outcomes[before[thief], before[victim]][0][0]
        self.step(before, NATURE, act.simple_action(act.STOLEN, sample_kind))
        return self.make_group(split_worlds)

    def theft_outcomes(self, hands: Hands) -> list[tuple[int, int, int]]:
        """The kinds that may be stolen now, each with the hands of thief and victim after it."""
        outcomes = []
        for kind in range(len(RESOURCES)):
            table, code = self.state.copy(), act.simple_action(act.STOLEN, kind)
            _set_hands(table, hands)
            if odds_of_outcome(table, code):
                thief, victim = table.active, table.victim
                apply_action(table, self.scratch, NATURE, code)
                outcomes.append((kind, table.hand[thief], table.hand[victim]))
        return outcomes

    def step(self, hands: Hands, seat: SeatNumber, code: int) -> None:
        """Play one step with these hands."""
        _set_hands(self.state, hands)
        self.referee.belief.buffer[:] = 0  # what the seats infer is not asked here
        try:
            self.referee.step(seat, code)
        except IllegalAction as error:
            raise BadRecord(f"{self.guide.turn_label}: {self.guide.refusal(seat, code, error)}") from None

    def make_group(self, worlds: dict[Hands, Thefts]) -> _Group:
        """The present position with these worlds."""
        return _Group(self.state.buffer.tobytes(), self.referee.open_offers.buffer.tobytes(), worlds)

    def may_hold(self, draw: _Draw, draws: list[_Draw]) -> bool:
        """Whether a card that was drawn there may be a victory point, as far as nobody has won by it."""
        point_steps = [other.step for other in draws if other.seat == draw.seat and other.kind == VICTORY_POINT]
        start_points = unpack(self.start_cards[draw.seat])[VICTORY_POINT]
        for step, visible_points in self.visible_points[draw.seat]:
            point_cards = start_points + sum(point_step <= step for point_step in (*point_steps, draw.step))
            if step >= draw.step and self.would_win(draw.seat, visible_points, point_cards):
                return False
        return True

    def would_win(self, seat: SeatNumber, visible_points: int, point_cards: int) -> bool:
        """Whether a seat with these points in view has won on its own turn, if it holds so many victory points."""
        table = State()
        table.phase, table.active = MAIN, seat
        table.points_to_win, table.points_card = self.points_to_win, self.points_card
        table.points[seat], table.development[seat] = visible_points, point_cards * single_card(VICTORY_POINT)
        examine_victory(table)
        return table.phase == OVER


def _hands(table: State) -> Hands:
    return tuple(table.hand[seat] for seat in range(table.players))


def _set_hands(table: State, hands: Hands) -> None:
    for seat, cards in enumerate(hands):
        table.hand[seat] = cards


def _merge_groups(groups: list[_Group]) -> list[_Group]:
    """Groups that are alike but for hands are one."""
    if len(groups) == 1:
        return groups
    merged: dict[tuple[bytes, ...], _Group] = {}
    for group in groups:
        state = State(np.frombuffer(group.state, np.uint8).copy())
        sizes = bytes(count_cards(state.hand[seat]) for seat in range(SEATS))
        for seat in range(SEATS):
            state.hand[seat] = 0
        target = merged.setdefault((state.buffer.tobytes(), group.open_offers, sizes), group)
        for hands, thefts in group.worlds.items():
            target.worlds.setdefault(hands, thefts)
    return list(merged.values())
