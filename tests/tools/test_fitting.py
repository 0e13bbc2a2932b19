"""Fitting a judgment: the gradient, the games, and that a fit learns what there is to learn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hexholm.bots.judgment import shipped_judgment
from hexholm.bots.kernels import feature_numbers as feature
from hexholm.bots.kernels import mind
from hexholm.bots.kernels.feature_numbers import FEATURES
from hexholm.bots.kernels.mind import HIDDEN_UNITS, NET_SIZE, ROWS, SIDE_SIZE, Mind
from hexholm.bots.kernels.value_network import add_features, sum_units
from hexholm.bots.kernels.whole_games import TRADER_BIT
from hexholm.bots.shipped.compiled_games import Net
from hexholm.rules.encoding.structs import SEATS
from tools import fitting
from tools.fitting import (
    Lineup,
    Network,
    Positions,
    certain_odds,
    fit,
    handmade_net,
    mix_options,
    parse_rival,
    play_block,
    pooled_odds,
    random_net,
    td_odds,
)


def strength_of(seat_mind: Mind, net: Net, own: int) -> float:
    """What the players' units make of the features in `seat_mind.x`."""
    base, rows = 0 if own else ROWS, net.reshape(-1, HIDDEN_UNITS)
    for j in range(HIDDEN_UNITS):
        seat_mind.h[j] = float(rows[base + FEATURES, j])
    add_features(seat_mind, rows, base, 0, FEATURES)
    return sum_units(seat_mind, rows, base)


def some_positions(n: int, seed: int = 1) -> Positions:
    """Made up: two to four seats, and the seat with most income wins, as a rule."""
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 0.5, (n, SEATS, FEATURES)).astype(np.float32)
    seat_taken = np.arange(SEATS) < rng.integers(2, SEATS + 1, (n, 1))
    x[~seat_taken] = 0
    luck = rng.gumbel(0, 0.5, (n, SEATS))
    winner = np.argmax(np.where(seat_taken, 3 * x[..., feature.INCOME] + luck, -np.inf), 1)
    return Positions(x, seat_taken, winner, np.arange(n) // 3, rng.integers(0, seat_taken.sum(1)))


class Precise(Network):
    """The same network with numbers of double length, so that small differences can be seen."""

    def __init__(self, net: Net) -> None:
        super().__init__(net)
        self.p = net.copy()  # type: ignore[assignment]


def test_the_gradient_agrees_with_small_differences() -> None:
    data = some_positions(12)
    x = data.x.astype(np.float64)
    net = random_net(3)
    net[[FEATURES * HIDDEN_UNITS + i for i in range(HIDDEN_UNITS)]] = 0.1
    gradient = np.zeros(NET_SIZE)
    Precise(net).measure_loss(x, data.seat_taken, data.winner, gradient)  # type: ignore[arg-type]
    rng = np.random.default_rng(5)
    largest = np.argsort(-abs(gradient))[:60]
    offsets = [side * SIDE_SIZE + FEATURES * HIDDEN_UNITS + i for side in range(2) for i in range(2 * HIDDEN_UNITS)]
    tried = {*largest, *rng.choice(NET_SIZE, 60), *offsets}
    step = 1e-4  # the strengths are kept in single length
    for i in tried:
        up, down = (net.copy() for _ in range(2))
        up[i] += step
        down[i] -= step
        high, low = (Precise(p).measure_loss(x, data.seat_taken, data.winner) for p in (up, down))  # type: ignore[arg-type]
        rise = high - low
        assert rise / (2 * step) == pytest.approx(gradient[i], rel=0.05, abs=2e-3), f"number {i}"
    assert abs(gradient[largest]).max() > 0.02


def test_the_network_is_the_one_that_players_judge_by() -> None:
    """Shares by the fitting code are those of the players' strengths, for the own seat and for the others."""
    net, data = shipped_judgment("medium").net, some_positions(5)
    for x, seat_taken, winner in zip(data.x, data.seat_taken, data.winner, strict=True):
        strengths = []
        for seat in range(SEATS):
            seat_mind = Mind()
            for i in range(FEATURES):
                seat_mind.x[i] = float(x[seat, i])
            strengths.append(strength_of(seat_mind, net, int(seat == 0)))
        powers = np.where(seat_taken, np.exp(np.array(strengths) - max(strengths)), 0)
        surprise = Network(net).measure_loss(x[None], seat_taken[None], winner[None])
        assert surprise == pytest.approx(-np.log(powers[winner] / powers.sum()), rel=1e-3, abs=1e-3)


def test_who_is_not_there_cannot_win_and_teaches_nothing() -> None:
    data = some_positions(40)
    assert not data.seat_taken.all()
    network, changed = Network(random_net(1)), data.x.copy()
    changed[~data.seat_taken] = 7
    assert network.measure_loss(changed, data.seat_taken, data.winner) == network.measure_loss(
        data.x, data.seat_taken, data.winner
    )


def test_a_fit_lowers_the_surprise_about_who_wins() -> None:
    data, new = some_positions(9000), some_positions(500, seed=2)
    start = random_net(4)
    surprise_before = Network(start).measure_loss(new.x, new.seat_taken, new.winner)
    net, held_out_surprise = fit(start, data, seed=1, epochs=25, rate=3e-3)
    surprise_after = Network(net).measure_loss(new.x, new.seat_taken, new.winner)
    assert surprise_after < surprise_before - 0.1
    assert held_out_surprise == pytest.approx(surprise_after, abs=0.1)


def test_a_fit_to_a_few_positions_learns_from_them_too_and_can_be_had_again() -> None:
    data, start = some_positions(300), random_net(4)
    before = Network(start).measure_loss(data.x, data.seat_taken, data.winner)
    net, _ = fit(start, data, seed=1, epochs=20, rate=3e-3)
    assert Network(net).measure_loss(data.x, data.seat_taken, data.winner) < before - 0.1
    assert np.array_equal(fit(start, data, seed=1, epochs=20, rate=3e-3)[0], net)
    assert not np.array_equal(fit(start, data, seed=1, epochs=10, rate=3e-3)[0], net)


def test_what_teachers_think_together_is_their_mean() -> None:
    data, teachers = some_positions(60), [random_net(1) * 2, random_net(2) * 2]
    shares = [Network(net).win_shares(data.x, data.seat_taken)[0] for net in teachers]
    both = np.sqrt(shares[0] * shares[1])
    both /= both.sum(1, keepdims=True)
    assert pooled_odds(data, teachers) == pytest.approx(both, abs=1e-5)
    assert pooled_odds(data, teachers[:1]) == pytest.approx(shares[0], abs=1e-5)


def test_what_comes_of_a_position_is_thought_at_the_next_and_in_the_end_who_won() -> None:
    positions, net = some_positions(60), random_net(1) * 2
    of_game = np.repeat(np.arange(0, 60, 3), 3)  # the same seats and the same winner in all three positions of a game
    seat_taken, player_counts = positions.seat_taken[of_game], positions.seat_taken[of_game].sum(1)
    winner = (positions.winner[of_game] + positions.observer[of_game]) % player_counts
    eye = positions.observer % player_counts
    data = Positions(
        np.where(seat_taken[..., None], positions.x, 0), seat_taken, (winner - eye) % player_counts, positions.game, eye
    )
    assert np.array_equal(td_odds(data, net, 1.0), certain_odds(data.winner))
    pooled = pooled_odds(data, [net])
    for part in (0.0, 0.6):
        odds = td_odds(data, net, part)
        assert odds.sum(1) == pytest.approx(np.ones(60), abs=1e-5)
        assert np.array_equal(odds[2::3], certain_odds(data.winner)[2::3])
        for i in range(59):
            if data.game[i] != data.game[i + 1]:
                continue
            for place in range(player_counts[i]):
                then = (eye[i] + place - eye[i + 1]) % player_counts[i]  # the same seat, seen from the next eye
                expected_odds = (1 - part) * pooled[i + 1, then] + part * odds[i + 1, then]
                assert odds[i, place] == pytest.approx(expected_odds, abs=1e-5)


def test_a_pupil_comes_to_think_as_its_teacher() -> None:
    data, new, teacher = some_positions(9000), some_positions(500, seed=2), random_net(7) * 2
    pupil, _ = fit(random_net(4), data, seed=1, epochs=25, rate=3e-3, odds=pooled_odds(data, [teacher]))
    shares = [Network(net).win_shares(new.x, new.seat_taken)[0] for net in (random_net(4), pupil, teacher)]
    far, near = (abs(shares[2] - share).mean() for share in shares[:2])
    assert near < 0.6 * far


def test_games_are_asked_for_in_whole_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        fitting.main(["--games", "70", "--out", str(tmp_path)])
    assert "give a multiple of 50" in capsys.readouterr().err


def test_the_same_seed_gives_the_same_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "GAMES_AT_A_TIME", 6)
    lineup = Lineup(np.stack([handmade_net(), shipped_judgment("medium").net]), (mind.DARING, mind.PLAIN))
    block, same_block, other_seed_block = (play_block((lineup, seed, 2, 60, 40)) for seed in (7, 7, 8))
    for column, same in zip(block, same_block, strict=True):
        assert np.array_equal(column, same)
    x, seat_taken, winner, games, eyes, decisions = block
    assert not np.array_equal(winner, other_seed_block[2]) or len(x) != len(other_seed_block[0])
    assert len(x) == len(seat_taken) == len(winner) == len(games) == len(eyes) > 20
    assert set(games) <= set(range(12, 18))  # the third block of six
    assert decisions > 100
    assert np.all(seat_taken[np.arange(len(winner)), winner.astype(int)])  # whoever won was there
    assert np.all(eyes < seat_taken.sum(1))
    assert not x[~seat_taken].any()


def test_everybody_of_a_table_sits_down_somewhere_as_chance_will_have_it() -> None:
    lineup = Lineup(np.stack([handmade_net()] * 2), (mind.DARING, mind.SHREWD))
    own_kind, rival_kind = mind.DARING << TRADER_BIT, 1 | mind.SHREWD << TRADER_BIT
    seatings = [lineup.assign_seats(4, seed) for seed in range(100)]
    assert seatings == [lineup.assign_seats(4, seed) for seed in range(100)]
    for place in range(4):
        assert {seating[place] for seating in seatings} == {own_kind, rival_kind}
    assert 150 < sum(seating.count(own_kind) for seating in seatings) < 250


def test_who_else_plays_is_named_with_how_they_trade(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_rival("a/hard.json:shrewd") == (Path("a/hard.json"), "shrewd")
    for text in ("hard.json", "hard.json:mean"):
        with pytest.raises(SystemExit):
            fitting.main(["--rivals", text, "--out", str(tmp_path)])
        assert f"{text}: say how it trades, as in hard.json:shrewd (plain, shrewd, daring)" in capsys.readouterr().err


class Alone:
    """A pool that is this process."""

    def map(self, work: Any, tasks: Any, chunksize: int) -> list[Any]:  # noqa: ARG002
        return [work(task) for task in tasks]

    def imap_unordered(self, work: Any, tasks: Any, chunksize: int) -> list[Any]:
        return self.map(work, tasks, chunksize)


def test_a_later_generation_learns_from_the_games_of_all_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(fitting, "GAMES_AT_A_TIME", 4)
    start = tmp_path / "start.json"
    shipped_judgment("medium").write(start)
    argv = "--generations 2 --games 8 --match 4 --epochs 1 --fits 2 --td-lambda 0.5 --trades daring".split()
    arguments = fitting.read_arguments(
        [*argv, "--rivals", f"{start}:shrewd", "--start", str(start), "--out", str(tmp_path)]
    )
    (_, first, figures), (_, second, later_figures) = fitting.fit_generations(arguments, Alone())
    assert later_figures["positions"] > figures["positions"] > 20
    assert not np.array_equal(first.net, second.net)
    assert 0 <= figures["share_against_three_of_the_one_before"] <= 1
    assert "--trades daring --rivals start.json:shrewd --td-lambda 0.5 --fits 2 --match 4" in first.about["command"]
    assert first.about["start"] == shipped_judgment("medium").about


def test_a_fit_is_judged_by_games_of_which_it_was_shown_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    data = some_positions(600)
    games_by_call: list[set[int]] = []
    places = {x.tobytes(): int(game) for x, game in zip(data.x, data.game, strict=True)}
    loss = Network.measure_loss

    def watched(self: Network, x: Any, seat_taken: Any, winner: Any, gradient: Any = None) -> float:
        games_by_call.append({places[row.tobytes()] for row in x})
        return loss(self, x, seat_taken, winner, gradient)

    monkeypatch.setattr(Network, "measure_loss", watched)
    fit(random_net(1), data, seed=1, epochs=1, rate=0.003)
    *training_games, held_out_games = games_by_call
    assert held_out_games == set(range(0, 200, 20))
    assert not held_out_games & set().union(*training_games)


def test_the_games_that_are_fitted_to_are_a_hundred_in_a_mixture() -> None:
    mixed_options = mix_options()
    assert len(mixed_options) == 100
    assert {(options.edition, options.players) for options in mixed_options} >= {
        ("fifth", 4),
        ("sixth", 4),
        ("fifth", 2),
        ("zip", 4),
    }


def test_a_judgment_made_by_hand_likes_what_a_player_would_like() -> None:
    seat_mind, net = Mind(), handmade_net()
    plain = strength_of(seat_mind, net, 1)
    for good in (feature.CARDS_PER_ROLL + 3, feature.SITE_BEST_NOW, feature.CARDS_BY_KIND, feature.POINTS_NEEDED):
        seat_mind.x[good] = 1.0
        better = strength_of(seat_mind, net, 1)
        assert better > plain
        plain = better
