"""Schedules: every seating equally often, blocks that share board and dice, seeds that depend on nothing else."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from hexholm.arena.schedule import SEED_BITS, Schedule
from hexholm.rules.errors import BadInput


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_round_every_seating_is_played_equally_often(seats: int) -> None:
    plan = Schedule(seats, seats, seed=1)
    seatings = Counter(game.entrants_by_seat for game in map(plan.game, range(plan.meeting * len(plan.orders))))
    assert set(seatings) == set(permutations(range(seats)))
    assert set(seatings.values()) == {1}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_block_everybody_sits_once_in_every_seat(seats: int) -> None:
    plan = Schedule(seats, seats, seed=1)
    for block in range(10):
        games = [plan.game(block * seats + turn) for turn in range(seats)]
        for entrant_index in range(seats):
            assert sorted(game.entrants_by_seat.index(entrant_index) for game in games) == list(range(seats))


def test_the_games_of_a_block_share_board_dice_and_starter_and_blocks_do_not() -> None:
    plan = Schedule(4, 4, seed=9)
    blocks: dict[int, set[tuple[int, int]]] = {}
    for game in map(plan.game, range(400)):
        blocks.setdefault(game.block, set()).add((game.seed, game.starter))
    assert all(len(pairs) == 1 for pairs in blocks.values())
    assert len({seed for pairs in blocks.values() for seed, _ in pairs}) == 100


def test_every_seat_begins_equally_often_and_so_does_everybody() -> None:
    plan = Schedule(4, 4, seed=9)
    games = list(map(plan.game, range(16)))
    assert Counter(game.starter for game in games) == dict.fromkeys(range(4), 4)
    assert Counter(game.entrants_by_seat[game.starter] for game in games) == dict.fromkeys(range(4), 4)


def test_a_player_has_the_same_seed_in_all_games_of_a_block_and_another_in_the_next() -> None:
    plan = Schedule(4, 4, seed=2)

    def seeds(block: int, entrant_index: int) -> set[int]:
        games = [plan.game(4 * block + turn) for turn in range(4)]
        return {game.bot_seeds[game.entrants_by_seat.index(entrant_index)] for game in games}

    assert all(len(seeds(block, entrant_index)) == 1 for block in range(6) for entrant_index in range(4))
    assert len({seed for block in range(6) for entrant_index in range(4) for seed in seeds(block, entrant_index)}) == 24


def test_more_players_than_seats_all_meet_equally_often() -> None:
    plan = Schedule(5, 3, seed=2)
    met = Counter(frozenset(game.entrants_by_seat) for game in map(plan.game, range(plan.meeting * len(plan.orders))))
    assert len(met) == 10
    assert len(set(met.values())) == 1


def test_seeds_follow_from_the_seed_of_the_tournament_alone() -> None:
    assert Schedule(4, 4, seed=7).game(13) == Schedule(4, 4, seed=7).game(13)
    assert Schedule(4, 4, seed=7).game(13).seed != Schedule(4, 4, seed=8).game(13).seed
    game = Schedule(4, 4, seed=7).game(123_456)
    assert all(0 <= seed < 1 << SEED_BITS for seed in (game.seed, *game.bot_seeds))


def test_too_few_and_too_many_players_are_refused() -> None:
    with pytest.raises(BadInput, match="3 players for 4 seats: name at least 4"):
        Schedule(3, 4, seed=0)
    with pytest.raises(BadInput, match="name at most 32"):
        Schedule(33, 4, seed=0)


def test_groups_have_met_equally_often_after_a_meeting_and_not_before() -> None:
    plan = Schedule(5, 4, 7)
    assert plan.meeting == 20
    assert set(
        Counter(entrant_index for game in map(plan.game, range(20)) for entrant_index in game.entrants_by_seat).values()
    ) == {16}
