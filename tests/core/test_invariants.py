"""What must hold after every action, whoever plays: cards, pieces, awards, lists (a Hypothesis state machine)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from hexholm.rules.core.awards import public_points
from hexholm.rules.core.derived_fields import refresh_derived
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import count_cards, unpack
from hexholm.rules.encoding.structs import Scratch
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS


class AnyGame(RuleBasedStateMachine):
    """Random legal play with offers, over all editions and player counts."""

    game: Referee

    @initialize(
        edition=st.sampled_from(EDITIONS),
        players=st.integers(2, 4),
        setup=st.sampled_from(("fixed", "variable")),
        board=st.integers(0, 1000),
        friendly=st.booleans(),
        balanced=st.booleans(),
    )
    def begin(self, edition: str, players: int, setup: str, board: int, friendly: bool, balanced: bool) -> None:
        more_options: dict[str, Any] = {"two_players": True} if players == 2 else {}
        self.game = Referee.new(
            board_seed=board, compiled=True, edition=edition, players=players, setup=setup,
            friendly_robber=friendly, balanced_dice=balanced, **more_options,
        )  # fmt: skip

    @precondition(lambda self: bool(self.game.chance()))
    @rule(pick=st.integers(0, 10_000))
    def nature(self, pick: int) -> None:
        outcomes = list(self.game.chance())
        self.game.deal(outcomes[pick % len(outcomes)])

    @precondition(lambda self: bool(self.game.to_act()))
    @rule(pick=st.integers(0, 100_000), turn=st.integers(0, 3), several=st.integers(1, 12))
    def act(self, pick: int, turn: int, several: int) -> None:
        for i in range(several):  # a few actions a step, so that games get somewhere
            waiting = self.game.to_act()
            if not waiting:
                return
            seat = waiting[turn % len(waiting)]
            legal = self.game.legal(seat)
            builds = [code for code in legal if act.kind_of(code) in (act.SETTLEMENT, act.CITY, act.ROAD, act.BUY)]
            codes = builds if builds and (pick >> i) & 1 else legal
            code = codes[(pick + i) % len(codes)]
            if self.game.why_not(seat, code) is None:
                self.game.play(seat, code)

    @precondition(lambda self: self.game.phase == "main")
    @rule(seat=st.integers(0, 3), give=st.integers(0, 4), want=st.integers(0, 4), n=st.integers(1, 3))
    def offer(self, seat: int, give: int, want: int, n: int) -> None:
        state = self.game.state
        seat %= state.players
        to = ((1 << state.players) - 1) & ~(1 << seat) if seat == state.active else 1 << state.active
        code = act.offer_action(n << (8 * give), 1 << (8 * want), to)
        before = state.buffer.tobytes(), self.game.open_offers.buffer.tobytes()
        if self.game.why_not(seat, code) is None:
            self.game.play(seat, code)
        else:
            with pytest.raises(IllegalAction):
                self.game.play(seat, code)
            assert (state.buffer.tobytes(), self.game.open_offers.buffer.tobytes()) == before

    @invariant()
    def cards_are_conserved(self) -> None:  # COMP-03.e1, COMP-04.e1
        s = self.game.state
        for kind in range(5):
            held = sum(unpack(s.hand[seat])[kind] for seat in range(4))
            assert held + unpack(s.supply)[kind] == 19
        out = [unpack(s.development[seat]) for seat in range(4)] + [unpack(s.played[seat]) for seat in range(4)]
        drawn = [sum(x) for x in zip(*out, strict=True)]
        assert [a + b for a, b in zip(drawn, unpack(s.deck), strict=True)] == [14, 5, 2, 2, 2]

    @invariant()
    def pieces_stay_within_the_stock(self) -> None:  # COMP-05, ZIP-09
        s = self.game.state
        corners_taken = 0
        for seat in range(s.players):
            assert s.settlements[seat].bit_count() <= 5
            assert s.cities[seat].bit_count() <= 4
            roads = s.roads_lo[seat].bit_count() + s.roads_hi[seat].bit_count()
            assert roads <= (72 if self.game.options.edition == "zip" else 15)
            buildings = s.settlements[seat] | s.cities[seat]
            assert not s.settlements[seat] & s.cities[seat]
            assert not corners_taken & buildings
            corners_taken |= buildings
        for half in (s.roads_lo, s.roads_hi):
            roads_of = [half[seat] for seat in range(s.players)]
            assert sum(x.bit_count() for x in roads_of) == _union(roads_of).bit_count()

    @invariant()
    def derived_facts_are_up_to_date(self) -> None:
        s, copy = self.game.state, self.game.state.copy()
        refresh_derived(copy, Scratch())
        assert copy == s
        assert [s.points[p] for p in range(s.players)] == [public_points(s, p) for p in range(s.players)]

    @invariant()
    def awards_have_at_most_one_holder(self) -> None:  # COMP-06.e1
        s = self.game.state
        assert -1 <= s.longest_road < s.players
        assert -1 <= s.largest_army < s.players
        if s.largest_army >= 0:
            knights = [unpack(s.played[seat])[0] for seat in range(s.players)]
            assert knights[s.largest_army] == max(knights) >= 3
        view = self.game.view(None)
        if s.longest_road >= 0:
            assert view.road_length[s.longest_road] == max(view.road_length[p] for p in range(s.players)) >= 5

    @invariant()
    def somebody_can_always_go_on(self) -> None:
        s = self.game.state
        if self.game.winner is not None:
            assert not self.game.to_act()
            assert not self.game.chance()
            assert all(not self.game.legal(seat) for seat in range(s.players))  # WIN-02.e1
        elif not self.game.chance():
            waiting = self.game.to_act()
            assert waiting
            assert all(self.game.legal(seat) for seat in waiting)

    @invariant()
    def beliefs_hold_the_truth(self) -> None:
        s = self.game.state
        for observer in (*range(s.players), None):
            view = self.game.view(observer)
            truth = [s.hand[seat] for seat in range(4)]
            worlds = [[view.world_hand[i, seat] for seat in range(4)] for i in range(view.worlds)]
            assert truth in worlds or view.capped
            assert abs(sum(view.world_weight[i] for i in range(view.worlds)) - 1) < 1e-9
            assert all(count_cards(world[p]) == view.hand_size[p] for world in worlds for p in range(s.players))


def _union(masks: list[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


@pytest.mark.rule("COMP-03.e1", "COMP-04.e1", "COMP-06.e1", "WIN-02.e1")
def test_the_invariants_hold_in_any_game() -> None:
    run_state_machine_as_test(AnyGame, settings=settings(max_examples=40, stateful_step_count=60, deadline=None))
