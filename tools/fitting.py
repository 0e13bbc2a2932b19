"""Fit the judgment of the compiled players to games played to their end, generation by generation.

    python -m tools.fitting --generations 4 --games 100000 --jobs 16 --out judged/

Generation 0 plays with a judgment made by hand, or with `--start`; each later one with what was fitted to the games of
all before.
Positions are taken at random moments, seen with the eyes of one seat, and labelled with who won in the end. What is
minimised is the surprise about the winner (cross-entropy), by Adam. Then the new judgment plays one against three of
the one before; that goes up and down, so the best of all is found by matches among them.

Who wins is mostly luck, so judgments fitted to different games differ much, also where none is better. With
`--teachers a.json b.json ...` a judgment is fitted to what several others think on average, which errs less. With
`--td-lambda 0.6` a position is labelled by what the judgment that plays thinks of the positions that follow, and only
the rest of the weight lies on who won (temporal differences).

A judgment is best where it learned: `--trades daring --rivals hard.json:shrewd` lets it trade as `expert` does, and
sit with others at the table.

All of it is numpy and follows from the seed; the order in which processes finish does not matter.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hexholm.bots.judgment import Judgment
from hexholm.bots.kernels import feature_numbers as feature
from hexholm.bots.kernels import mind
from hexholm.bots.kernels.feature_numbers import FEATURES
from hexholm.bots.kernels.mind import HIDDEN_UNITS, NET_SIZE, SIDE_SIZE
from hexholm.bots.kernels.whole_games import TRADER_BIT
from hexholm.bots.shipped.compiled_games import Net, WholeGames
from hexholm.rules.encoding.structs import SEATS
from hexholm.rules.random_numbers import key_for
from hexholm.rules.setup.options import Options, check_options

Float32s = npt.NDArray[np.float32]

MIXTURE: Final[tuple[tuple[int, dict[str, Any]], ...]] = (
    (50, {"edition": "fifth", "setup": "variable", "players": 4}),
    (20, {"edition": "sixth", "setup": "variable", "players": 4}),
    (12, {"edition": "fifth", "setup": "variable", "players": 3}),
    (10, {"edition": "fifth", "setup": "variable", "players": 2, "two_players": True}),
    (8, {"edition": "zip", "players": 4}),
)
"""The games that are played: of a hundred so many, with these options."""
GAMES_AT_A_TIME: Final = 50
"""Games that a process plays at a time."""
TRADERS: Final = {"plain": mind.PLAIN, "shrewd": mind.SHREWD, "daring": mind.DARING}
"""Ways to trade, by the words that stand for them on the command line."""
DECAY: Final = 1e-5
"""How strongly weights are drawn to 0."""


def handmade_net() -> Net:
    """A plain judgment to begin with: what a player of the game would guess."""
    w = np.zeros(FEATURES)
    for needed in range(11):
        w[feature.POINTS_NEEDED + needed] = 0.45 * (10 - needed) + (1.0 if needed <= 1 else 0.0)
    for kind, liked in enumerate((1.0, 1.0, 0.8, 1.1, 1.1)):
        w[feature.CARDS_PER_ROLL + kind] = 1.2 * liked
        w[feature.CARDS_PER_ROLL_FLAT + kind] = 0.5
    w[feature.TIME_TO_PAY : feature.TIME_TO_PAY + 4] = (0.2, 0.6, 0.8, 0.5)
    w[feature.TIME_TO_PAY_HOLDING : feature.TIME_TO_PAY_HOLDING + 4] = (0.05, 0.3, 0.5, 0.2)
    w[feature.AFFORDABLE_NOW + 1 : feature.AFFORDABLE_NOW + 3] = (0.2, 0.3)
    w[feature.HAND], w[feature.HAND_OVER] = 0.3, -0.3
    w[feature.SITE_BEST_NOW : feature.SITE_BEST_FAR + 1] = 0.3
    w[feature.GENERIC], w[feature.SPECIAL] = 0.1, 0.5
    w[feature.ROAD_GAP], w[feature.ARMY_GAP] = 0.2, 0.2
    w[feature.CARDS_BY_KIND : feature.CARDS_BY_KIND + 5], w[feature.CARDS_HELD] = 0.25, 0.3
    net = np.zeros(NET_SIZE)
    for base in (0, SIDE_SIZE):  # one unit for what is above 0 and one for what is below: together a plain sum
        weights = net[base : base + FEATURES * HIDDEN_UNITS].reshape(FEATURES, HIDDEN_UNITS)
        weights[:, 0], weights[:, 1] = w, -w
        net[base + FEATURES * HIDDEN_UNITS + HIDDEN_UNITS : base + FEATURES * HIDDEN_UNITS + HIDDEN_UNITS + 2] = (
            1.0,
            -1.0,
        )
    return net


# --- games --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Positions:
    """Positions in numbers, with who looked, who won, and who was not there."""

    x: Float32s
    """By position, seat (the one that looks first), feature."""
    seat_taken: npt.NDArray[np.bool_]
    winner: npt.NDArray[np.int64]
    game: npt.NDArray[np.int64]
    """Its number: positions of one game are all shown to a fit, or none of them. They follow each other in time."""
    observer: npt.NDArray[np.int64]
    """The seat that looks."""

    def __len__(self) -> int:
        return len(self.winner)


def mix_options() -> list[Options]:
    """A hundred sets of options, as often as they are played."""
    return [options for n, named_options in MIXTURE for options in [check_options(first=0, **named_options)] * n]


@dataclass(frozen=True)
class Lineup:
    """Who plays: judgments, and for each how it trades. Every seat is taken by one of them, as chance will have it."""

    nets: Net
    traders: tuple[int, ...]

    def assign_seats(self, player_count: int, seed: int) -> list[int]:
        """Who sits where, as :meth:`hexholm.bots.shipped.compiled_games.WholeGames.play` takes it."""
        kinds = [row | trader << TRADER_BIT for row, trader in enumerate(self.traders)]
        return [int(kind) for kind in np.random.default_rng(seed).choice(kinds, player_count)]


def play_block(task: tuple[Lineup, int, int, int, int]) -> tuple[Any, Any, Any, Any, Any, int]:
    """Some games: positions, who was there, who won, in which game, with whose eyes; and decisions."""
    lineup, seed, block, heat, samples = task
    whole_games, mixed_options = WholeGames(), mix_options()
    features, seats_taken, winners, games, observers, decisions = [], [], [], [], [], 0
    for i in range(GAMES_AT_A_TIME):
        number = block * GAMES_AT_A_TIME + i
        game_seed = key_for(seed, "fitting", number) & (1 << 48) - 1
        options = mixed_options[(number * 37) % len(mixed_options)]
        options = replace(options, first=number % options.players)
        seats = lineup.assign_seats(options.players, game_seed)
        game = whole_games.play(options, game_seed, lineup.nets, seats, heat=heat, samples=samples)
        decisions += game.decisions
        if game.winner < 0:
            continue
        for row in range(whole_games.n_positions):
            observer = int(whole_games.eyes[row])
            order = [(observer + k) % options.players for k in range(options.players)]
            x = np.zeros((SEATS, FEATURES), np.float32)
            x[: options.players] = whole_games.positions[row][order]
            seat_taken = np.zeros(SEATS, np.bool_)
            seat_taken[: options.players] = True
            features.append(x)
            seats_taken.append(seat_taken)
            winners.append(order.index(game.winner))
            games.append(number)
            observers.append(observer)
    return (
        np.array(features, np.float16),
        np.array(seats_taken),
        np.array(winners),
        np.array(games),
        np.array(observers),
        decisions,
    )


def gather(lineup: Lineup, games: int, seed: int, heat: int, samples: int, pool: Any) -> tuple[Positions, int]:
    """Positions of many games, taken after so many `samples` of 1000 decisions."""
    tasks = [(lineup, seed, block, heat, samples) for block in range(games // GAMES_AT_A_TIME)]
    blocks = pool.map(play_block, tasks, chunksize=1)
    *columns, decisions = zip(*blocks, strict=True)
    return Positions(*map(np.concatenate, columns)), sum(decisions)


# --- fitting ------------------------------------------------------------------------------------------------------


class Network:
    """The judgment with its gradient: two sides, each FEATURES x HIDDEN_UNITS, offsets, output weights."""

    def __init__(self, net: Net) -> None:
        self.p = net.astype(np.float32)

    def side_parts(self, p: Float32s, side: int) -> tuple[Float32s, Float32s, Float32s]:
        """Weights, offsets and output weights of a side, as views."""
        base = side * SIDE_SIZE
        split = base + FEATURES * HIDDEN_UNITS
        return (
            p[base:split].reshape(FEATURES, HIDDEN_UNITS),
            p[split : split + HIDDEN_UNITS],
            p[split + HIDDEN_UNITS : base + SIDE_SIZE],
        )

    def win_shares(self, x: Float32s, seat_taken: Any) -> tuple[Float32s, list[Float32s]]:
        """How likely each seat is to win, and what the hidden units say on the way."""
        n = len(x)
        own, others = x[:, 0], x[:, 1:].reshape(-1, FEATURES)
        hidden, strength = [], np.empty((n, SEATS), np.float32)
        for side, rows in enumerate((own, others)):
            weights, offsets, output = self.side_parts(self.p, side)
            h = np.maximum(rows @ weights + offsets, 0)
            hidden.append(h)
            strength[:, side : 1 + 3 * side] = (h @ output).reshape(n, -1)
        strength[~seat_taken] = -1e9
        strength -= strength.max(1, keepdims=True)
        share = np.exp(strength)
        share /= share.sum(1, keepdims=True)
        return share, hidden

    def measure_loss(self, x: Float32s, seat_taken: Any, winner: Any, gradient: Float32s | None = None) -> float:
        """The mean surprise; adds its gradient. `winner`: who has won, or by position and seat how likely that is."""
        n = len(winner)
        odds = winner if winner.ndim == 2 else certain_odds(winner)
        share, hidden = self.win_shares(x, seat_taken)
        surprise = -(odds * np.log(np.maximum(share, 1e-9))).sum(1)
        if gradient is not None:
            d = (share - odds) / n
            for side, rows in enumerate((x[:, 0], x[:, 1:].reshape(-1, FEATURES))):
                _, _, output = self.side_parts(self.p, side)
                dw, db, dv = self.side_parts(gradient, side)
                ds = d[:, side : 1 + 3 * side].reshape(-1)
                dv += hidden[side].T @ ds
                dh = ds[:, None] * output * (hidden[side] > 0)
                dw += rows.T @ dh
                db += dh.sum(0)
        return float(surprise.mean())


def certain_odds(winner: Any) -> Float32s:
    """Who has won, as odds."""
    odds = np.zeros((len(winner), SEATS), np.float32)
    odds[np.arange(len(winner)), winner] = 1
    return odds


def pooled_odds(data: Positions, nets: Sequence[Net]) -> Float32s:
    """By position and seat how likely several judgments think a win is, together.

    Each of them has learned from other games and errs in its own way; what they think on average errs less.
    """
    odds = np.empty((len(data), SEATS), np.float32)
    for low in range(0, len(data), 20_000):
        rows = slice(low, low + 20_000)
        x, seat_taken = data.x[rows].astype(np.float32), data.seat_taken[rows]
        logs = sum(np.log(np.maximum(Network(net).win_shares(x, seat_taken)[0], 1e-30)) for net in nets) / len(nets)
        share = np.exp(logs) * seat_taken
        odds[rows] = share / share.sum(1, keepdims=True)
    return odds


def td_odds(data: Positions, net: Net, td_lambda: float) -> Float32s:
    """By position and seat how likely a win is, by what came of it (temporal differences).

    What `net` thinks at the next position of the game counts 1 - `td_lambda`, what comes of that one the rest; of the
    last one comes who won.
    """
    player_counts = data.seat_taken.sum(1)
    seats = (data.observer[:, None] + np.arange(SEATS)) % player_counts[:, None]
    seats = np.where(data.seat_taken, seats, np.arange(SEATS))  # by position and place, counted from the eye

    def by_seat(odds: Float32s) -> Float32s:
        odds_by_seat = np.empty_like(odds)
        np.put_along_axis(odds_by_seat, seats, odds, 1)
        return odds_by_seat

    odds_now, odds_later = by_seat(pooled_odds(data, [net])), by_seat(certain_odds(data.winner))
    for i in range(len(data) - 2, -1, -1):
        if data.game[i] == data.game[i + 1]:
            odds_later[i] = (1 - td_lambda) * odds_now[i + 1] + td_lambda * odds_later[i + 1]
    return np.take_along_axis(odds_later, seats, 1)


def fit(
    start: Net, data: Positions, seed: int, epochs: int, rate: float, odds: Float32s | None = None
) -> tuple[Net, float]:
    """A judgment fitted to positions by Adam, and its surprise at every twentieth game, which it was not shown.

    It learns who has won, or `odds` by position and seat.
    """
    rng = np.random.default_rng(seed)
    network = Network(start)
    training = data.game % 20 != 0
    rows = np.flatnonzero(training)
    mean, square = np.zeros(NET_SIZE, np.float32), np.zeros(NET_SIZE, np.float32)
    step, batch = 0, min(4096, len(rows))
    steps = epochs * max(1, len(rows) // batch)
    target = data.winner if odds is None else odds
    for _ in range(epochs):
        rng.shuffle(rows)
        for low in range(0, len(rows) - batch + 1, batch):
            pick = np.sort(rows[low : low + batch])
            gradient = DECAY * network.p
            network.measure_loss(data.x[pick].astype(np.float32), data.seat_taken[pick], target[pick], gradient)
            step += 1
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            step_rate = rate * (1 - 0.95 * step / steps)
            network.p -= step_rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    held_out = np.flatnonzero(~training)[:200_000]
    surprise = network.measure_loss(
        data.x[held_out].astype(np.float32), data.seat_taken[held_out], data.winner[held_out]
    )
    return network.p.astype(np.float64), surprise


def random_net(seed: int) -> Net:
    """Small random weights to begin a fit with."""
    rng = np.random.default_rng(seed)
    net = np.zeros(NET_SIZE)
    for side in range(2):
        base = side * SIDE_SIZE
        net[base : base + FEATURES * HIDDEN_UNITS] = rng.normal(0, (2 / FEATURES) ** 0.5, FEATURES * HIDDEN_UNITS)
        net[base + SIDE_SIZE - HIDDEN_UNITS : base + SIDE_SIZE] = rng.normal(0, (1 / HIDDEN_UNITS) ** 0.5, HIDDEN_UNITS)
    return net


# --- which is better -----------------------------------------------------------------------------------------------


def play_match(task: tuple[Net, Net, int, int, int]) -> int:
    """Whether the first judgment wins a game against three of the second; all trade alike."""
    new, old, trader, seed, number = task
    global _whole_games
    if _whole_games is None:
        _whole_games = WholeGames()
    options = check_options(edition="fifth", setup="variable", players=4, first=number // 4 % 4)
    seats = [1 | trader << TRADER_BIT] * 4
    seats[number % 4] = trader << TRADER_BIT
    game = _whole_games.play(options, key_for(seed, "match", number // 4) & (1 << 48) - 1, np.stack([new, old]), seats)
    return int(game.winner == number % 4)


_whole_games: WholeGames | None = None


def win_share_against(new: Net, old: Net, trader: int, games: int, seed: int, pool: Any) -> float:
    """Of how many games one of the new wins among three of the old."""
    tasks = ((new, old, trader, seed, number) for number in range(games))
    wins: int = sum(pool.imap_unordered(play_match, tasks, chunksize=8))
    return wins / games


def fit_generations(arguments: argparse.Namespace, pool: Any) -> Iterator[tuple[int, Judgment, dict[str, Any]]]:
    """Judgments, each better than the one before."""
    start = Judgment.read(arguments.start) if arguments.start else None
    net = start.net if start else handmade_net()
    teachers = [Judgment.read(path) for path in arguments.teachers]
    rivals = [(Judgment.read(path).net, TRADERS[trades]) for path, trades in arguments.rivals]
    earlier_positions: Positions | None = None
    for generation in range(arguments.generations):
        started_at = time.perf_counter()
        trader = TRADERS[arguments.trades]
        nets, traders = zip((net, trader), *rivals, strict=True)
        lineup = Lineup(np.stack(nets), traders)
        positions, decisions = gather(
            lineup,
            arguments.games,
            arguments.seed + generation,
            arguments.heat,
            arguments.samples,
            pool,
        )
        seconds_playing = time.perf_counter() - started_at
        data = positions if earlier_positions is None else join_positions(earlier_positions, positions)
        odds = td_odds(data, net, arguments.td_lambda) if arguments.td_lambda < 1 else certain_odds(data.winner)
        if teachers:
            odds = (
                arguments.trust * pooled_odds(data, [teacher.net for teacher in teachers])
                + (1 - arguments.trust) * odds
            )
        tries = [
            fit(
                random_net(arguments.fresh + generation + i),
                data,
                generation,
                arguments.epochs,
                arguments.rate,
                odds,
            )
            for i in range(arguments.fits)
        ]
        match = arguments.seed + 1000 + generation
        if arguments.fits > 1:  # the best of several was lucky, too: its match is played on other boards
            shares = [win_share_against(candidate, net, trader, arguments.match, match, pool) for candidate, _ in tries]
            tries = [tries[int(np.argmax(shares))]]
            match += 1000
        ((new, surprise),) = tries
        share = win_share_against(new, net, trader, arguments.match, match, pool)
        figures = {
            "generation": generation,
            "games": arguments.games,
            "positions": len(data),
            "surprise": round(surprise, 4),
            "share_against_three_of_the_one_before": round(share, 4),
            "match_games": arguments.match,
            "decisions": decisions,
            "seconds_playing": round(seconds_playing),
            "seconds": round(time.perf_counter() - started_at),
        }
        about = {"command": command_text(arguments), "seed": arguments.seed, **figures}
        if start:
            about["start"] = start.about
        if rivals:
            about["rivals"] = [Judgment.read(path).about for path, _ in arguments.rivals if path != arguments.start]
        if teachers:
            about["teachers"] = [teacher.about for teacher in teachers]
        yield generation, Judgment(new, about), figures
        net, earlier_positions = new, data


def join_positions(a: Positions, b: Positions) -> Positions:
    """Positions of two lots of games, the earlier ones first."""
    return Positions(
        *(np.concatenate((getattr(a, column.name), getattr(b, column.name))) for column in fields(Positions))
    )


def command_text(arguments: argparse.Namespace) -> str:
    """What was typed, but for what does not matter to the result."""
    shown_names = ("generations", "games", "seed", "heat", "samples", "fresh", "epochs", "rate")
    words = [f"--{name} {getattr(arguments, name)}" for name in shown_names]
    if arguments.trades != "plain":
        words.append(f"--trades {arguments.trades}")
    if arguments.rivals:
        words += ["--rivals", *(f"{path.name}:{trades}" for path, trades in arguments.rivals)]
    if arguments.td_lambda < 1:
        words.append(f"--td-lambda {arguments.td_lambda}")
    if arguments.fits > 1:
        words.append(f"--fits {arguments.fits} --match {arguments.match}")
    if arguments.start:
        words.append(f"--start {arguments.start.name}")
    if arguments.teachers:
        words += ["--teachers", *(path.name for path in arguments.teachers), f"--trust {arguments.trust}"]
    return " ".join(["python -m tools.fitting", *words])


def parse_rival(text: str) -> tuple[Path, str]:
    """Another player at the table: a file of a judgment, and how it trades."""
    file, _, trades = text.rpartition(":")
    if trades not in TRADERS:
        file = file or text
        raise argparse.ArgumentTypeError(f"{text}: say how it trades, as in {file}:shrewd ({', '.join(TRADERS)})")
    return Path(file), trades


def read_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """What was typed, read."""
    parser = argparse.ArgumentParser(prog="python -m tools.fitting", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--generations", type=int, default=4)
    parser.add_argument("--games", type=int, default=100_000, help="of each generation")
    parser.add_argument("--match", type=int, default=2_000, help="games against the generation before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--heat", type=int, default=60, help="of 1000 decisions so many try something else")
    parser.add_argument("--samples", type=int, default=40, help="positions are taken after so many of 1000 decisions")
    parser.add_argument("--fresh", type=int, default=0, help="which random weights the first fit begins with")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--start", type=Path, help="the judgment that plays first; else one made by hand")
    parser.add_argument("--trades", choices=TRADERS, default="plain", help="how it trades")
    parser.add_argument(
        "--rivals", type=parse_rival, nargs="+", default=[], help="who else plays, as in hard.json:shrewd"
    )
    parser.add_argument("--td-lambda", type=float, default=1.0, help="below 1, what is thought later counts too")
    parser.add_argument("--fits", type=int, default=1, help="so many, of which the best in matches is kept")
    parser.add_argument("--teachers", type=Path, nargs="+", default=[], help="judgments to learn from")
    parser.add_argument(
        "--trust", type=float, default=1.0, help="how much the teachers count; what came of it has the rest"
    )
    parser.add_argument("--out", type=Path, required=True, help="a folder for the judgments")
    arguments = parser.parse_args(argv)
    if arguments.games < GAMES_AT_A_TIME or arguments.games % GAMES_AT_A_TIME:
        parser.error(
            f"--games {arguments.games}: they are played {GAMES_AT_A_TIME} at a time;"
            f" give a multiple of {GAMES_AT_A_TIME}"
        )
    return arguments


def main(argv: Sequence[str] | None = None) -> None:
    """Fit judgments as was typed, and keep one file for each generation."""
    arguments = read_arguments(argv)
    arguments.out.mkdir(parents=True, exist_ok=True)
    # compiled before there are processes
    WholeGames().play(check_options(edition="fifth", first=0), 1, handmade_net()[None], (0,) * 4)
    with multiprocessing.get_context("fork").Pool(arguments.jobs) as pool:
        for generation, new_judgment, figures in fit_generations(arguments, pool):
            new_judgment.write(arguments.out / f"generation-{generation}.json")
            print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
