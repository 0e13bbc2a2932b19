"""Whole games in one call are the very games that a tournament plays with the same players, one decision at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hexholm.arena.entrants import entrants
from hexholm.arena.match import Match, TournamentJob
from hexholm.bots.compiled_players.games import WholeGame, WholeGames
from hexholm.bots.compiled_players.players import Medium
from hexholm.bots.judgement import judgement
from hexholm.bots.kernels import mind as at
from hexholm.bots.kernels.whole_games import TRADER
from hexholm.game.game import Record
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import total
from hexholm.rules.core.encoding.structs import NATURE
from hexholm.rules.options import check_options

NETS = np.stack([judgement("medium").net, judgement("hard").net])
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
    table = Match(job, job.schedule.game(number))
    table.play()
    return table


def at_once(job: TournamentJob, number: int, *, compiled: bool = True, **how: Any) -> WholeGame:
    """The same match in one call; entrants of odd number judge by the second network."""
    match = job.schedule.game(number)
    rules = replace(job.options, first=match.starter)
    return WholeGames(compiled).play(rules, match.seed, NETS, [who % 2 for who in match.seats], cap=job.cap, **how)


def job_of(*names: Any, cap: int = 1000, **given: Any) -> TournamentJob:
    return TournamentJob(entrants(names), check_options(**given), seed=11, cap=cap, records=True, compiled=True)


@pytest.mark.parametrize("given", TABLES)
def test_it_is_the_game_of_a_tournament(given: dict[str, Any]) -> None:
    job = job_of(*[Medium, Otherwise, Medium, Otherwise][: given["players"]], **given)
    offers = answers = 0
    for number in range(5):
        table, game = in_the_arena(job, number), at_once(job, number)
        assert game.steps == table.steps
        assert game.state == table.referee.state
        assert game.winner >= 0
        assert game.faults == 0
        assert not table.faults
        assert game.decisions == sum(seat != NATURE for seat, _ in game.steps)
        kinds = [code & 31 for _, code in game.steps]
        offers += kinds.count(act.OFFER)
        answers += kinds.count(act.ACCEPT) + kinds.count(act.REJECT) + kinds.count(act.COUNTER)
    assert offers > 5
    assert answers > 5


class Shrewd(Medium):
    """Makes the offers that are best for itself."""

    trader = at.SHREWD


class Daring(Medium):
    """Makes larger ones too, and hopes."""

    trader = at.DARING


@pytest.mark.parametrize("make, most", [(Shrewd, 2), (Daring, 3)])
def test_a_shrewd_trader_is_the_same_in_one_call(make: type[Medium], most: int) -> None:
    job = job_of(make, *[Medium] * 3, **TABLES[0])
    plain = job_of(*[Medium] * 4, **TABLES[0])
    others = offers = largest = 0
    for number in range(4):
        match = job.schedule.game(number)
        rules = replace(job.options, first=match.starter)
        seats = [make.trader << TRADER if who == 0 else 0 for who in match.seats]
        game = WholeGames().play(rules, match.seed, NETS, seats, cap=job.cap)
        assert game.steps == in_the_arena(job, number).steps
        others += game.steps != in_the_arena(plain, number).steps
        me = match.seats.index(0)
        given = [code for seat, code in game.steps if seat == me and code & 31 == act.OFFER]
        offers += len(given)
        for code in given:
            sides = sorted((total(act.give_of(code)), total(act.want_of(code))))
            assert sides[0] == 1 or make is Daring
            largest = max(largest, sides[1])
    assert others
    assert largest == most
    assert offers > 5


def test_its_steps_make_the_record_of_that_tournament() -> None:
    job = job_of(*[Medium] * 4, **TABLES[0])
    played = job.play(2)
    match = job.schedule.game(2)
    game = WholeGames().play(replace(job.options, first=match.starter), match.seed, NETS, (0,) * 4)
    record = Record.from_json(played.record)
    assert record.steps == tuple(game.steps)
    assert played.winner == game.winner
    assert played.turns == game.state.turn_number


def test_a_game_stops_at_the_cap() -> None:
    job = job_of(*[Medium, Otherwise] * 2, cap=9, **TABLES[0])
    table, game = in_the_arena(job, 0), at_once(job, 0)
    assert game.steps == table.steps
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
    assert 5 <= games.kept <= game.decisions
    x = games.positions[: games.kept, :3]
    assert set(games.eyes[: games.kept]) == {0, 1, 2}
    assert np.all(x[..., 0] == 1)
    assert np.all(x[..., at.NEEDS : at.NEEDS + 11].sum(-1) == 1)
    assert np.all(x[..., at.ROUNDS_TO_TURN : at.ROUNDS_TO_TURN + 4].sum(-1) == 1)
    assert np.all(x[..., at.THREE_PLAYERS] == 1)
    own = [at.NEAR, at.PAYS, at.PAYS_NOW, at.HAND_KINDS, *range(at.HELD, at.HELD + 5)]
    for row, eye in zip(x, games.eyes, strict=False):
        assert not row[[seat for seat in range(3) if seat != eye]][:, own].any()  # cards of others are not looked at
    assert x[np.arange(games.kept), games.eyes[: games.kept]][:, at.NEAR].all()
