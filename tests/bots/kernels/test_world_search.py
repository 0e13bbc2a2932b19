"""What playing on may know and costs, and that offers do not spend what a better action needs."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import hexholm
from hexholm.bots.compiled_players import players as compiled_players
from hexholm.bots.compiled_players.players import Expert, Hard, Medium
from hexholm.bots.explanation.thoughts import explain_choice
from hexholm.bots.judgement import judgement
from hexholm.bots.kernels import trade_search, whole_games
from hexholm.bots.kernels.features import note_board
from hexholm.bots.kernels.lookahead import COPIES, weigh_action
from hexholm.bots.kernels.mind import Mind
from hexholm.bots.kernels.value_network import judge_all_seats
from hexholm.bots.kernels.world_search import PLAYOUT_COPY, last_turn, next_roll, note_hand_sizes
from hexholm.bots.protocol import Effort
from hexholm.game.game import SeatView
from hexholm.rules import mode
from hexholm.rules.core.belief import start_belief
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import covers, lane
from hexholm.rules.core.encoding.structs import COST_CARD, COST_ROAD, Belief, State, Talk, View, Work
from hexholm.rules.core.offers import judge_all
from hexholm.rules.core.phases import MAIN, PLACE_ROAD

from ..scenes import moments

VICTORY_POINT = 1  # its place among the kinds of development cards


def first_turn(**options: Any) -> hexholm.Game:
    """A game right after the first roll."""
    game = hexholm.Game(edition="fifth", setup="fixed", first=0, seed=4, compiled=False, **options)
    while game.phase != "main":
        game.play("roll" if game.phase == "roll" else game.legal_actions[0])
    return game


def beginning() -> SeatView:
    """What the first one sees who may settle anywhere."""
    return hexholm.Game(edition="fifth", setup="variable", first=0, seed=4, compiled=False).view(0)


@pytest.mark.parametrize("key", [0, 1, -(2**62)])
def test_of_36_worlds_in_a_row_each_has_another_roll(key: int) -> None:
    for start in (0, 5, 36):
        assert {next_roll(key, start + k) for k in range(36)} == set(range(36))


def test_few_worlds_have_high_and_low_rolls_too() -> None:
    for key in range(40):
        totals = [roll // 6 + roll % 6 + 2 for roll in (next_roll(key, k) for k in range(10))]
        assert abs(sum(totals) / 10 - 7) <= 1.2


def test_in_a_playout_nobody_knows_that_the_next_one_has_won_with_hidden_cards() -> None:
    game = first_turn(points_to_win=3)
    me, winner = game.referee.state.active, (game.referee.state.active + 1) % 4
    net, work = judgement("medium").rows, Work()
    values = []
    for held in (VICTORY_POINT, 0):  # a victory point card with which it wins as its turn begins, or a knight
        copies, mind = np.zeros((COPIES, State.size), np.uint8), Mind()
        copies[PLAYOUT_COPY] = game.referee.state.buffer
        state = State(copies[PLAYOUT_COPY])
        state.cards[winner] = lane(held)
        note_board(state, mind)
        note_hand_sizes(state, mind, me)
        judge_all_seats(state, mind, net, me)
        values.append(weigh_action(copies, PLAYOUT_COPY, work, mind, net, me, act.END))
    assert values[0] == values[1] > 0


def test_where_there_is_much_to_choose_from_fewer_worlds_have_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    view = beginning()

    def weighed(per_round: int) -> int:
        monkeypatch.setattr(compiled_players, "PER_ROUND", per_round)
        player = Hard(3, Effort(steps=12), compiled=True)
        player.choose(view)
        return int(player._world_mind.weighed)

    free = weighed(10**9)
    least = weighed(1)  # the first world is always played to its end
    assert 0 < least < free / 3
    bound = weighed(free // 48)
    assert free // 2 <= bound < free


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_playing_on_ends_at_the_beginning_of_an_own_turn_so_many_rounds_later(players: int, rounds: int) -> None:
    state = State()
    state.players, state.first = players, 1
    for me in range(players):
        own = 1 + (me - 1) % players  # the number of its first turn: seat 1 begins
        state.phase, state.turn_number = PLACE_ROAD, 0
        state.active = 1
        assert last_turn(state, me, rounds) == own + players * (rounds - 1)
        state.phase = MAIN
        for number in range(1, 2 * players + 1):
            state.turn_number, state.active = number, number % players
            coming = [turn for turn in range(number + 1, 10 * players) if turn % players == own % players]
            assert last_turn(state, me, rounds) == coming[rounds - 1]


def with_hands(view: View, hands: list[tuple[int, int, int]], weights: list[float]) -> None:
    """Let three seats have one of these hands each."""
    view.players, view.worlds = 3, len(hands)
    for i, (hand, weight) in enumerate(zip(hands, weights, strict=True)):
        view.world_weight[i] = weight
        for seat in range(3):
            view.world_hand[i, seat] = hand[seat]


def guessed(view: View, dealt: tuple[int, int, int], seat: int) -> dict[tuple[int, ...], float]:
    """What a seat of a playout thinks the hands are, in the order in which it thinks of them."""
    state, belief = State(), Belief()
    state.players = 3
    for other in range(3):
        state.hand[other] = dealt[other]
    start_belief(belief, state)
    trade_search.guess_hands_of_all(view, belief, state, seat)
    rows = range(belief.worlds[seat])
    return {tuple(belief.hand[seat, i, k] for k in range(3)): belief.weight[seat, i] for i in rows}


def test_in_a_playout_a_seat_thinks_of_the_hands_in_which_it_holds_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    view = View()
    hands = [(2, 8, 32), (2, 16, 64), (2, 8, 64), (2, 8, 128), (2, 16, 32)]
    weights = [0.1, 0.3, 0.2, 0.3, 0.1]
    with_hands(view, hands, weights)
    assert guessed(view, hands[0], 0) == pytest.approx(dict(zip(hands, weights, strict=True)))
    assert guessed(view, hands[0], 1) == pytest.approx({hands[0]: 1 / 6, hands[2]: 2 / 6, hands[3]: 3 / 6})
    assert guessed(view, hands[0], 2) == pytest.approx({hands[0]: 0.5, hands[4]: 0.5})
    monkeypatch.setattr(trade_search, "GUESSES", 3)
    assert list(guessed(view, hands[0], 0)) == [hands[1], hands[3], hands[2]]  # the likeliest, not the one it is in


@pytest.mark.parametrize("seat", range(3))
def test_which_of_the_hands_that_look_alike_was_dealt_a_seat_cannot_tell(seat: int) -> None:
    view, rng = View(), np.random.default_rng(seat)
    hands = [(3, 1 << 8 * int(a), 1 << 8 * int(b)) for a, b in rng.integers(0, 5, (12, 2))]
    with_hands(view, hands, [1 / 12] * 12)
    for dealt in hands:
        alike = [other for other in hands if other[seat] == dealt[seat]]
        assert len({tuple(guessed(view, other, seat).items()) for other in alike}) == 1


def left_after(worlds: int, gains: Any) -> set[int]:
    """The actions that an expert still tries after some worlds: `gains(world)` is the chance after each."""
    player, rows = Expert(3, compiled=False), len(gains(0))
    tried, sums = np.arange(1, rows + 1), np.zeros(rows)
    for world in range(worlds):
        gained = np.where(tried != 0, gains(world), 0.0)
        sums += gained
        player._leave_out(tried, 0.0, world + 1, gained, sums / (world + 1))
    return {int(row) for row in np.flatnonzero(tried)}


def test_an_expert_tries_no_more_what_is_clearly_worse_or_just_as_good() -> None:
    luck = np.random.default_rng(4).normal(0, 0.1, (200, 4))

    def gains(world: int) -> Any:
        same = 0.3 + luck[world, 0]  # most of it is common to all actions, as the dice are
        return np.array(
            [same, same - 0.05 + 0.3 * luck[world, 1], same + 0.001 * luck[world, 2], same - luck[world, 3]]
        )

    assert left_after(15, gains) == {0, 1, 2, 3}
    assert left_after(16, gains) == {0, 3}  # one is worse, one is even; of the last nobody can tell yet
    assert 1 in left_after(16, lambda world: gains(world) + np.array([0, 0.049, 0, 0]))


def test_an_expert_ends_when_one_action_is_left() -> None:
    view, weighed = beginning(), []
    for clear in (0.0, 1e9):
        player = Expert(3, Effort(steps=48), compiled=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled_players, "CLEAR", clear)
            patch.setattr(compiled_players, "EVEN", 0.0)
            player.choose(view)
        weighed.append(player._world_mind.weighed)
    assert 0 < weighed[0] < 0.75 * weighed[1]


def test_an_expert_that_does_not_trade_plays_on_without_trade(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    monkeypatch.setattr(trade_search, "play_on_with_trade", None)

    class Watched(Expert):
        def _try(self, core: Any, *asked: Any) -> None:
            tried.append(asked[9])
            super()._try(core, *asked)

    player = Watched(3, Effort(steps=1), trades=False, compiled=False)
    assert beginning().why_not(player.choose(beginning())) is None
    assert tried == [Hard.opening_rounds]


def test_in_a_playout_the_deciding_seat_remembers_what_it_has_said() -> None:
    mind, back = Mind(), Mind()
    memory = np.zeros((4, whole_games.MEMORY_SIZE), np.int64)
    mind.n_said, mind.countered, mind.n_refused = 2, 5, 3
    for i in range(3):
        mind.said[i], mind.refused[i] = 10 + i, 20 + i
    whole_games.forget_talk(Talk().buffer, memory)
    whole_games.store_memory(mind, memory, 2, turn=7)
    whole_games.load_memory(back, memory, 2, turn=7)
    assert (back.n_said, back.countered, back.n_refused) == (2, 5, 3)
    assert [back.said[i] for i in range(2)] == [10, 11]
    assert [back.refused[i] for i in range(3)] == [20, 21, 22]
    whole_games.load_memory(back, memory, 2, turn=8)
    assert (back.n_said, back.countered, back.n_refused) == (0, 0, 3)


def test_where_an_expert_plays_on_everybody_trades_and_nothing_is_done_against_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: dict[int, set[int]] = defaultdict(set)

    def watched(s: State, t: Talk, w: Work, memory: Any, seat: int, code: int) -> int:
        done = whole_games.make_legal(s, t, w, memory, seat, code)
        assert judge_all(s, t, seat, done) == 0
        said[done & 31].add(seat)
        return done

    monkeypatch.setattr(trade_search, "make_legal", watched)
    player = Expert(3, Effort(steps=1), compiled=False)
    player.few, player.near = 2, 1.0
    player.choose(beginning())
    for kind in (act.OFFER, act.ACCEPT, act.END, act.ROLL):
        assert len(said[kind]) == 4, kind
    assert said[act.REJECT]
    assert said[act.COUNTER]


@pytest.mark.parametrize("make", [Medium, lambda seed: Hard(seed, Effort(steps=2))], ids=["medium", "hard"])
def test_no_offer_spends_what_a_better_action_costs(make: Any) -> None:
    offers = beside = 0
    for seed in range(900, 905):
        for moment in moments(seed, make, edition="fifth", setup="variable"):
            if moment.code & 31 != act.OFFER or moment.view.active != moment.color:
                continue
            offers += 1
            player = moment.player
            assert isinstance(player, Medium)
            told = explain_choice(moment.view, moment.code, judges_by=player.judges_by)
            best = max(told[1:], key=lambda one: one.chance)
            if best.action.kind in ("road", "buy"):
                beside += 1
                raw, seat = moment.view.raw, moment.view.raw.observer
                cost = raw.costs[COST_ROAD if best.action.kind == "road" else COST_CARD]
                left = raw.hand[seat] + act.want_of(moment.code) - act.give_of(moment.code)
                assert covers(left, cost) or told[0].chance >= best.chance, (seed, told)
    assert offers >= 60
    assert beside >= 5


class Narrow(Hard):
    """Tries two actions in one world."""

    few = 2
    near = 1.0


def test_interpreted_it_plays_on_as_well_unless_people_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(view: SeatView) -> tuple[int, int]:
        player = Narrow(3, Effort(steps=1))
        return player.choose(view), int(player._world_mind.weighed)

    view = beginning()
    monkeypatch.setattr(mode, "_hurried", False)
    compiled = asked(view)
    monkeypatch.setenv("HEXHOLM_INTERPRETED", "1")
    assert asked(view) == compiled
    assert compiled[1] > 0
    mode.hurry()
    assert asked(view)[1] == 0
