"""Whole games in one call are the very games that a tournament plays with the same players, one decision at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hexholm.arena.entrants import entrants
from hexholm.arena.match import Match, TournamentJob
from hexholm.bots.judgment import shipped_judgment
from hexholm.bots.kernels import feature_numbers as feature
from hexholm.bots.kernels import mind
from hexholm.bots.kernels.whole_games import TRADER_BIT
from hexholm.bots.shipped.compiled import Medium
from hexholm.bots.shipped.compiled_games import WholeGame, WholeGames
from hexholm.game.game import Record
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import count_cards
from hexholm.rules.encoding.structs import NATURE
from hexholm.rules.setup.options import check_options

NETS = np.stack([shipped_judgment("medium").net, shipped_judgment("hard").net])
TABLES: tuple[dict[str, Any], ...] = (
    {"edition": "fifth", "setup": "variable", "players": 4},
    {"edition": "sixth", "setup": "variable", "players": 3},
    {"edition": "fifth", "setup": "fixed", "players": 2, "two_players": True},
    {"edition": "zip", "players": 4},
    {"edition": "threed", "players": 4, "friendly_robber": True, "phases": "separate", "balanced_dice": True},
)


class Otherwise(Medium):
    """Looks one action ahead too, but judges by another network."""

    judges_by = "hard"


def in_the_arena(job: TournamentJob, number: int) -> Match:
    """A match of a tournament, played to its end."""
    match = Match(job, job.schedule.game(number))
    match.play()
    return match


def at_once(job: TournamentJob, number: int, *, compiled: bool = True, **how: Any) -> WholeGame:
    """The same match in one call; entrants of odd number judge by the second network."""
    scheduled = job.schedule.game(number)
    rules = replace(job.options, first=scheduled.starter)
    return WholeGames(compiled).play(
        rules,
        scheduled.seed,
        NETS,
        [entrant_index % 2 for entrant_index in scheduled.entrants_by_seat],
        cap=job.cap,
        **how,
    )


def job_of(*names: Any, cap: int = 1000, **options: Any) -> TournamentJob:
    return TournamentJob(entrants(names), check_options(**options), seed=11, cap=cap, keeps_records=True, compiled=True)


@pytest.mark.parametrize("given", TABLES)
def test_it_is_the_game_of_a_tournament(given: dict[str, Any]) -> None:
    job = job_of(*[Medium, Otherwise, Medium, Otherwise][: given["players"]], **given)
    offers = answers = 0
    for number in range(5):
        match, game = in_the_arena(job, number), at_once(job, number)
        assert game.steps == match.steps
        assert game.state == match.referee.state
        assert game.winner >= 0
        assert game.faults == 0
        assert not match.faults
        assert game.decisions == sum(seat != NATURE for seat, _ in game.steps)
        kinds = [act.kind_of(code) for _, code in game.steps]
        offers += kinds.count(act.OFFER)
        answers += kinds.count(act.ACCEPT) + kinds.count(act.REJECT) + kinds.count(act.COUNTER)
    assert offers > 5
    assert answers > 5


class Shrewd(Medium):
    """Makes the offers that are best for itself."""

    trader = mind.SHREWD


class Daring(Medium):
    """Makes larger ones too, and hopes."""

    trader = mind.DARING


@pytest.mark.parametrize("make, most", [(Shrewd, 2), (Daring, 3)])
def test_a_shrewd_trader_is_the_same_in_one_call(make: type[Medium], most: int) -> None:
    job = job_of(make, *[Medium] * 3, **TABLES[0])
    plain = job_of(*[Medium] * 4, **TABLES[0])
    n_different = offers = largest = 0
    for number in range(4):
        scheduled = job.schedule.game(number)
        rules = replace(job.options, first=scheduled.starter)
        seats = [make.trader << TRADER_BIT if entrant_index == 0 else 0 for entrant_index in scheduled.entrants_by_seat]
        game = WholeGames().play(rules, scheduled.seed, NETS, seats, cap=job.cap)
        assert game.steps == in_the_arena(job, number).steps
        n_different += game.steps != in_the_arena(plain, number).steps
        me = scheduled.entrants_by_seat.index(0)
        offer_codes = [code for seat, code in game.steps if seat == me and act.kind_of(code) == act.OFFER]
        offers += len(offer_codes)
        for code in offer_codes:
            sides = sorted((count_cards(act.give_of(code)), count_cards(act.want_of(code))))
            assert sides[0] == 1 or make is Daring
            largest = max(largest, sides[1])
    assert n_different
    assert largest == most
    assert offers > 5


def test_its_steps_make_the_record_of_that_tournament() -> None:
    job = job_of(*[Medium] * 4, **TABLES[0])
    finished = job.play(2)
    scheduled = job.schedule.game(2)
    game = WholeGames().play(replace(job.options, first=scheduled.starter), scheduled.seed, NETS, (0,) * 4)
    record = Record.from_json(finished.record)
    assert record.steps == tuple(game.steps)
    assert finished.winner == game.winner
    assert finished.turns == game.state.turn_number


def test_a_game_stops_at_the_cap() -> None:
    job = job_of(*[Medium, Otherwise] * 2, cap=9, **TABLES[0])
    match, game = in_the_arena(job, 0), at_once(job, 0)
    assert game.steps == match.steps
    assert game.winner < 0
    assert game.state.turn_number == 10


def test_interpreted_it_is_the_same_game() -> None:
    job = job_of(Medium, Otherwise, Medium, cap=2, **TABLES[1])
    quick, plain = (at_once(job, 1, compiled=compiled, heat=300) for compiled in (True, False))
    assert quick == plain
    assert len(quick.steps) > 12


def test_one_room_plays_many_games_without_mixing_them_up() -> None:
    games, rules = WholeGames(), check_options(first=0, **TABLES[0])
    first = games.play(rules, 3, NETS, (0, 1, 0, 1))
    games.play(check_options(first=2, **TABLES[1]), 4, NETS, (1, 1, 1), samples=500)
    assert games.play(rules, 3, NETS, (0, 1, 0, 1)) == first


def test_heat_tries_other_things_that_are_legal_too() -> None:
    rules = check_options(first=0, **TABLES[0])
    plain, warm, again = (WholeGames().play(rules, 5, NETS, (0,) * 4, heat=heat) for heat in (0, 200, 200))
    assert plain.steps != warm.steps
    assert warm == again
    assert warm.faults == 0


def test_positions_are_kept_with_the_eyes_of_one_seat() -> None:
    games = WholeGames()
    game = games.play(check_options(first=0, **TABLES[1]), 6, NETS, (0,) * 3, samples=100)
    assert 5 <= games.n_positions <= game.decisions
    x = games.positions[: games.n_positions, :3]
    assert set(games.eyes[: games.n_positions]) == {0, 1, 2}
    assert np.all(x[..., 0] == 1)
    assert np.all(x[..., feature.POINTS_NEEDED : feature.POINTS_NEEDED + 11].sum(-1) == 1)
    assert np.all(x[..., feature.ROUNDS_TO_TURN : feature.ROUNDS_TO_TURN + 4].sum(-1) == 1)
    assert np.all(x[..., feature.THREE_PLAYERS] == 1)
    own = [
        feature.TIME_TO_PAY_HOLDING,
        feature.AFFORDABLE,
        feature.AFFORDABLE_NOW,
        feature.HAND_KINDS,
        *range(feature.CARDS_BY_KIND, feature.CARDS_BY_KIND + 5),
    ]
    for row, eye in zip(x, games.eyes, strict=False):
        assert not row[[seat for seat in range(3) if seat != eye]][:, own].any()  # cards of others are not looked at
    assert x[np.arange(games.n_positions), games.eyes[: games.n_positions]][:, feature.TIME_TO_PAY_HOLDING].all()
