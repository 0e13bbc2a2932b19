"""What playing on may know and costs, and that offers do not spend what a better action needs."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import hexholm
from hexholm.bots.explanation.thoughts import explain_choice
from hexholm.bots.judgment import shipped_judgment
from hexholm.bots.kernels import trade_search, whole_games
from hexholm.bots.kernels.features import fill_dots
from hexholm.bots.kernels.lookahead import COPIES, weigh_action
from hexholm.bots.kernels.mind import Mind
from hexholm.bots.kernels.value_network import evaluate_seats
from hexholm.bots.kernels.world_search import PLAYOUT_COPY, fill_known_cards, last_turn, next_roll
from hexholm.bots.protocol import Effort
from hexholm.bots.shipped import compiled as compiled_players
from hexholm.bots.shipped.compiled import Expert, Hard, Medium
from hexholm.game.game import SeatView
from hexholm.rules.compilation import mode
from hexholm.rules.core.all_actions import judge_with_offers
from hexholm.rules.core.belief import start_belief
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import covers, single_card
from hexholm.rules.encoding.phases import MAIN, PLACE_ROAD
from hexholm.rules.encoding.structs import COST_CARD, COST_ROAD, Belief, OpenOffers, Scratch, State, View

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
    net, scratch = shipped_judgment("medium").rows, Scratch()
    values = []
    for card in (VICTORY_POINT, 0):  # a victory point card with which it wins as its turn begins, or a knight
        copies, mind = np.zeros((COPIES, State.size), np.uint8), Mind()
        copies[PLAYOUT_COPY] = game.referee.state.buffer
        state = State(copies[PLAYOUT_COPY])
        state.development[winner] = single_card(card)
        fill_dots(state, mind)
        fill_known_cards(state, mind, me)
        evaluate_seats(state, mind, net, me)
        values.append(weigh_action(copies, PLAYOUT_COPY, scratch, mind, net, me, act.END))
    assert values[0] == values[1] > 0


def test_where_there_is_much_to_choose_from_fewer_worlds_have_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    view = beginning()

    def weighed(per_round: int) -> int:
        monkeypatch.setattr(compiled_players, "WEIGHED_PER_WORLD", per_round)
        bot = Hard(3, Effort(steps=12), compiled=True)
        bot.choose(view)
        return int(bot._world_mind.total_weighed)

    free = weighed(10**9)
    least = weighed(1)  # the first world is always played to its end
    assert 0 < least < free / 3
    bound = weighed(free // 48)
    assert free // 2 <= bound < free


@pytest.mark.parametrize("player_count", [2, 3, 4])
@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_playing_on_ends_at_the_beginning_of_an_own_turn_so_many_rounds_later(player_count: int, rounds: int) -> None:
    state = State()
    state.players, state.first = player_count, 1
    for me in range(player_count):
        own = 1 + (me - 1) % player_count  # the number of its first turn: seat 1 begins
        state.phase, state.turn_number = PLACE_ROAD, 0
        state.active = 1
        assert last_turn(state, me, rounds) == own + player_count * (rounds - 1)
        state.phase = MAIN
        for number in range(1, 2 * player_count + 1):
            state.turn_number, state.active = number, number % player_count
            coming = [
                turn for turn in range(number + 1, 10 * player_count) if turn % player_count == own % player_count
            ]
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
    for other_seat in range(3):
        state.hand[other_seat] = dealt[other_seat]
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
        alike = [other_hands for other_hands in hands if other_hands[seat] == dealt[seat]]
        assert len({tuple(guessed(view, other_hands, seat).items()) for other_hands in alike}) == 1


def left_after(worlds: int, gains: Any) -> set[int]:
    """The actions that an expert still tries after some worlds: `gains(world)` is the chance after each."""
    bot, rows = Expert(3, compiled=False), len(gains(0))
    tried, sums = np.arange(1, rows + 1), np.zeros(rows)
    for world in range(worlds):
        gained = np.where(tried != 0, gains(world), 0.0)
        sums += gained
        bot._leave_out(tried, 0.0, world + 1, gained, sums / (world + 1))
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
        bot = Expert(3, Effort(steps=48), compiled=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled_players, "CLEAR_ERRORS", clear)
            patch.setattr(compiled_players, "EVEN_GAP", 0.0)
            bot.choose(view)
        weighed.append(bot._world_mind.total_weighed)
    assert 0 < weighed[0] < 0.75 * weighed[1]


def test_an_expert_that_does_not_trade_plays_on_without_trade(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    monkeypatch.setattr(trade_search, "play_on_with_trade", None)

    class Watched(Expert):
        def _try(self, core: Any, *arguments: Any) -> None:
            tried.append(arguments[9])
            super()._try(core, *arguments)

    bot = Watched(3, Effort(steps=1), trades=False, compiled=False)
    assert beginning().why_not(bot.choose(beginning())) is None
    assert tried == [Hard.opening_rounds]


def test_in_a_playout_the_deciding_seat_remembers_what_it_has_said() -> None:
    mind, back = Mind(), Mind()
    memory = np.zeros((4, whole_games.MEMORY_SIZE), np.int64)
    mind.n_turn_offers, mind.countered, mind.n_failed_offers = 2, 5, 3
    for i in range(3):
        mind.turn_offers[i], mind.failed_offers[i] = 10 + i, 20 + i
    whole_games.drop_offers(OpenOffers().buffer, memory)
    whole_games.store_memory(mind, memory, 2, turn=7)
    whole_games.load_memory(back, memory, 2, turn=7)
    assert (back.n_turn_offers, back.countered, back.n_failed_offers) == (2, 5, 3)
    assert [back.turn_offers[i] for i in range(2)] == [10, 11]
    assert [back.failed_offers[i] for i in range(3)] == [20, 21, 22]
    whole_games.load_memory(back, memory, 2, turn=8)
    assert (back.n_turn_offers, back.countered, back.n_failed_offers) == (0, 0, 3)


def test_where_an_expert_plays_on_everybody_trades_and_nothing_is_done_against_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seats_by_kind: dict[int, set[int]] = defaultdict(set)

    def watched(s: State, offers: OpenOffers, scratch: Scratch, memory: Any, seat: int, code: int) -> int:
        legal_code = whole_games.make_legal(s, offers, scratch, memory, seat, code)
        assert judge_with_offers(s, offers, seat, legal_code) == 0
        seats_by_kind[act.kind_of(legal_code)].add(seat)
        return legal_code

    monkeypatch.setattr(trade_search, "make_legal", watched)
    bot = Expert(3, Effort(steps=1), compiled=False)
    bot.most_tried, bot.most_behind = 2, 1.0
    bot.choose(beginning())
    for kind in (act.OFFER, act.ACCEPT, act.END, act.ROLL):
        assert len(seats_by_kind[kind]) == 4, kind
    assert seats_by_kind[act.REJECT]
    assert seats_by_kind[act.COUNTER]


@pytest.mark.parametrize("make", [Medium, lambda seed: Hard(seed, Effort(steps=2))], ids=["medium", "hard"])
def test_no_offer_spends_what_a_better_action_costs(make: Any) -> None:
    offers = beside = 0
    for seed in range(900, 905):
        for moment in moments(seed, make, edition="fifth", setup="variable"):
            if act.kind_of(moment.code) != act.OFFER or moment.view.active != moment.color:
                continue
            offers += 1
            bot = moment.bot
            assert isinstance(bot, Medium)
            thoughts = explain_choice(moment.view, moment.code, judges_by=bot.judges_by)
            best = max(thoughts[1:], key=lambda thought: thought.win_probability)
            if best.action.kind in ("road", "buy"):
                beside += 1
                raw, seat = moment.view.raw, moment.view.raw.observer
                cost = raw.costs[COST_ROAD if best.action.kind == "road" else COST_CARD]
                hand_left = raw.hand[seat] + act.want_of(moment.code) - act.give_of(moment.code)
                assert covers(hand_left, cost) or thoughts[0].win_probability >= best.win_probability, (seed, thoughts)
    assert offers >= 60
    assert beside >= 5


class Narrow(Hard):
    """Tries two actions in one world."""

    most_tried = 2
    most_behind = 1.0


def test_interpreted_it_plays_on_as_well_unless_people_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(view: SeatView) -> tuple[int, int]:
        bot = Narrow(3, Effort(steps=1))
        return bot.choose(view), int(bot._world_mind.total_weighed)

    view = beginning()
    monkeypatch.setattr(mode.process_mode, "people_wait", False)
    compiled = asked(view)
    monkeypatch.setenv("HEXHOLM_INTERPRETED", "1")
    assert asked(view) == compiled
    assert compiled[1] > 0
    mode.hurry()
    assert asked(view)[1] == 0
