"""Fit the judgement of the compiled players to games played to their end, generation by generation.

    python -m hexholm.bots.fitting --generations 4 --games 100000 --jobs 16 --out judged/

Generation 0 plays with a judgement made by hand, or with `--start`; each later one with what was fitted to the games of
all before.
Positions are taken at random moments, seen with the eyes of one seat, and labelled with who won in the end. What is
minimised is the surprise about the winner (cross-entropy), by Adam. Then the new judgement plays one against three of
the one before; that goes up and down, so the best of all is found by matches among them.

Who wins is mostly luck, so judgements fitted to different games differ much, also where none is better. With
`--teachers a.json b.json ...` a judgement is fitted to what several others think on average, which errs less. With
`--td-lambda 0.6` a position is labelled by what the judgement that plays thinks of the positions that follow, and only
the rest of the weight lies on who won (temporal differences).

A judgement is best where it learned: `--trades daring --rivals hard.json:shrewd` lets it trade as `expert` does, and
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

from hexholm.rules.core.draws import key_for
from hexholm.rules.core.encoding.structs import SEATS
from hexholm.rules.options import Options, check_options

from .compiled_players.games import Net, WholeGames
from .judgement import Judgement
from .kernels import mind as at
from .kernels.mind import FEATURES, HIDDEN_UNITS, NET, SIDE
from .kernels.whole_games import TRADER

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
TRADERS: Final = {"plain": at.PLAIN, "shrewd": at.SHREWD, "daring": at.DARING}
"""Ways to trade, by the words that stand for them on the command line."""
DECAY: Final = 1e-5
"""How strongly weights are drawn to 0."""


def by_hand() -> Net:
    """A plain judgement to begin with: what a player of the game would guess."""
    w = np.zeros(FEATURES)
    for needed in range(11):
        w[at.NEEDS + needed] = 0.45 * (10 - needed) + (1.0 if needed <= 1 else 0.0)
    for kind, liked in enumerate((1.0, 1.0, 0.8, 1.1, 1.1)):
        w[at.MAKES + kind] = 1.2 * liked
        w[at.MAKES_ANY + kind] = 0.5
    w[at.TIME_TO_PAY : at.TIME_TO_PAY + 4] = (0.2, 0.6, 0.8, 0.5)
    w[at.NEAR : at.NEAR + 4] = (0.05, 0.3, 0.5, 0.2)
    w[at.PAYS_NOW + 1 : at.PAYS_NOW + 3] = (0.2, 0.3)
    w[at.HAND], w[at.HAND_OVER] = 0.3, -0.3
    w[at.SITE_BEST : at.SITE_BEST + 3] = 0.3
    w[at.GENERIC], w[at.SPECIAL] = 0.1, 0.5
    w[at.ROAD_GAP], w[at.ARMY_GAP] = 0.2, 0.2
    w[at.HELD : at.HELD + 5], w[at.CARDS_HELD] = 0.25, 0.3
    net = np.zeros(NET)
    for base in (0, SIDE):  # one unit for what is above 0 and one for what is below: together a plain sum
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
    there: npt.NDArray[np.bool_]
    won: npt.NDArray[np.int64]
    game: npt.NDArray[np.int64]
    """Its number: positions of one game are all shown to a fit, or none of them. They follow each other in time."""
    eye: npt.NDArray[np.int64]
    """The seat that looks."""

    def __len__(self) -> int:
        return len(self.won)


def mixture() -> list[Options]:
    """A hundred sets of options, as often as they are played."""
    return [one for n, given in MIXTURE for one in [check_options(first=0, **given)] * n]


@dataclass(frozen=True)
class Lineup:
    """Who plays: judgements, and for each how it trades. Every seat is taken by one of them, as chance will have it."""

    nets: Net
    traders: tuple[int, ...]

    def seats(self, players: int, seed: int) -> list[int]:
        """Who sits where, as :meth:`.compiled_players.games.WholeGames.play` takes it."""
        kinds = [row | trader << TRADER for row, trader in enumerate(self.traders)]
        return [int(kind) for kind in np.random.default_rng(seed).choice(kinds, players)]


def play_block(task: tuple[Lineup, int, int, int, int]) -> tuple[Any, Any, Any, Any, Any, int]:
    """Some games: positions, who was there, who won, in which game, with whose eyes; and decisions."""
    who, seed, block, heat, samples = task
    table, kinds = WholeGames(), mixture()
    xs, theres, wons, games, eyes, decisions = [], [], [], [], [], 0
    for i in range(GAMES_AT_A_TIME):
        number = block * GAMES_AT_A_TIME + i
        game_seed = key_for(seed, "fitting", number) & (1 << 48) - 1
        given = kinds[(number * 37) % len(kinds)]
        given = replace(given, first=number % given.players)
        seats = who.seats(given.players, game_seed)
        game = table.play(given, game_seed, who.nets, seats, heat=heat, samples=samples)
        decisions += game.decisions
        if game.winner < 0:
            continue
        for row in range(table.kept):
            eye = int(table.eyes[row])
            order = [(eye + k) % given.players for k in range(given.players)]
            x = np.zeros((SEATS, FEATURES), np.float32)
            x[: given.players] = table.positions[row][order]
            there = np.zeros(SEATS, np.bool_)
            there[: given.players] = True
            xs.append(x)
            theres.append(there)
            wons.append(order.index(game.winner))
            games.append(number)
            eyes.append(eye)
    return np.array(xs, np.float16), np.array(theres), np.array(wons), np.array(games), np.array(eyes), decisions


def gather(who: Lineup, games: int, seed: int, heat: int, samples: int, pool: Any) -> tuple[Positions, int]:
    """Positions of many games, taken after so many `samples` of 1000 decisions."""
    tasks = [(who, seed, block, heat, samples) for block in range(games // GAMES_AT_A_TIME)]
    found = pool.map(play_block, tasks, chunksize=1)
    *columns, decisions = zip(*found, strict=True)
    return Positions(*map(np.concatenate, columns)), sum(decisions)


# --- fitting ------------------------------------------------------------------------------------------------------


class Network:
    """The judgement with its gradient: two sides, each FEATURES x HIDDEN, offsets, output weights."""

    def __init__(self, net: Net) -> None:
        self.p = net.astype(np.float32)

    def parts(self, p: Float32s, side: int) -> tuple[Float32s, Float32s, Float32s]:
        """Weights, offsets and output weights of a side, as views."""
        base = side * SIDE
        split = base + FEATURES * HIDDEN_UNITS
        return (
            p[base:split].reshape(FEATURES, HIDDEN_UNITS),
            p[split : split + HIDDEN_UNITS],
            p[split + HIDDEN_UNITS : base + SIDE],
        )

    def shares(self, x: Float32s, there: Any) -> tuple[Float32s, list[Float32s]]:
        """How likely each seat is to win, and what the hidden units say on the way."""
        n = len(x)
        own, others = x[:, 0], x[:, 1:].reshape(-1, FEATURES)
        hidden, strength = [], np.empty((n, SEATS), np.float32)
        for side, rows in enumerate((own, others)):
            weights, offsets, output = self.parts(self.p, side)
            h = np.maximum(rows @ weights + offsets, 0)
            hidden.append(h)
            strength[:, side : 1 + 3 * side] = (h @ output).reshape(n, -1)
        strength[~there] = -1e9
        strength -= strength.max(1, keepdims=True)
        share = np.exp(strength)
        share /= share.sum(1, keepdims=True)
        return share, hidden

    def loss(self, x: Float32s, there: Any, won: Any, gradient: Float32s | None = None) -> float:
        """The mean surprise; adds its gradient. `won`: who has won, or by position and seat how likely that is."""
        n = len(won)
        odds = won if won.ndim == 2 else certain_odds(won)
        share, hidden = self.shares(x, there)
        surprise = -(odds * np.log(np.maximum(share, 1e-9))).sum(1)
        if gradient is not None:
            d = (share - odds) / n
            for side, rows in enumerate((x[:, 0], x[:, 1:].reshape(-1, FEATURES))):
                _, _, output = self.parts(self.p, side)
                dw, db, dv = self.parts(gradient, side)
                ds = d[:, side : 1 + 3 * side].reshape(-1)
                dv += hidden[side].T @ ds
                dh = ds[:, None] * output * (hidden[side] > 0)
                dw += rows.T @ dh
                db += dh.sum(0)
        return float(surprise.mean())


def certain_odds(won: Any) -> Float32s:
    """Who has won, as odds."""
    odds = np.zeros((len(won), SEATS), np.float32)
    odds[np.arange(len(won)), won] = 1
    return odds


def pooled_odds(data: Positions, nets: Sequence[Net]) -> Float32s:
    """By position and seat how likely several judgements think a win is, together.

    Each of them has learned from other games and errs in its own way; what they think on average errs less.
    """
    odds = np.empty((len(data), SEATS), np.float32)
    for low in range(0, len(data), 20_000):
        part = slice(low, low + 20_000)
        x, there = data.x[part].astype(np.float32), data.there[part]
        logs = sum(np.log(np.maximum(Network(net).shares(x, there)[0], 1e-30)) for net in nets) / len(nets)
        share = np.exp(logs) * there
        odds[part] = share / share.sum(1, keepdims=True)
    return odds


def td_odds(data: Positions, net: Net, td_lambda: float) -> Float32s:
    """By position and seat how likely a win is, by what came of it (temporal differences).

    What `net` thinks at the next position of the game counts 1 - `td_lambda`, what comes of that one the rest; of the
    last one comes who won.
    """
    players = data.there.sum(1)
    seats = (data.eye[:, None] + np.arange(SEATS)) % players[:, None]
    seats = np.where(data.there, seats, np.arange(SEATS))  # by position and place, counted from the eye

    def by_seat(odds: Float32s) -> Float32s:
        turned = np.empty_like(odds)
        np.put_along_axis(turned, seats, odds, 1)
        return turned

    now, end = by_seat(pooled_odds(data, [net])), by_seat(certain_odds(data.won))
    for i in range(len(data) - 2, -1, -1):
        if data.game[i] == data.game[i + 1]:
            end[i] = (1 - td_lambda) * now[i + 1] + td_lambda * end[i + 1]
    return np.take_along_axis(end, seats, 1)


def fit(
    start: Net, data: Positions, seed: int, epochs: int, rate: float, odds: Float32s | None = None
) -> tuple[Net, float]:
    """A judgement fitted to positions by Adam, and its surprise at every twentieth game, which it was not shown.

    It learns who has won, or `odds` by position and seat.
    """
    rng = np.random.default_rng(seed)
    network = Network(start)
    shown = data.game % 20 != 0
    rows = np.flatnonzero(shown)
    mean, square = np.zeros(NET, np.float32), np.zeros(NET, np.float32)
    step, batch = 0, min(4096, len(rows))
    steps = epochs * max(1, len(rows) // batch)
    lesson = data.won if odds is None else odds
    for _ in range(epochs):
        rng.shuffle(rows)
        for low in range(0, len(rows) - batch + 1, batch):
            pick = np.sort(rows[low : low + batch])
            gradient = DECAY * network.p
            network.loss(data.x[pick].astype(np.float32), data.there[pick], lesson[pick], gradient)
            step += 1
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            now = rate * (1 - 0.95 * step / steps)
            network.p -= now * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    held = np.flatnonzero(~shown)[:200_000]
    surprise = network.loss(data.x[held].astype(np.float32), data.there[held], data.won[held])
    return network.p.astype(np.float64), surprise


def random_net(seed: int) -> Net:
    """Small random weights to begin a fit with."""
    rng = np.random.default_rng(seed)
    net = np.zeros(NET)
    for side in range(2):
        base = side * SIDE
        net[base : base + FEATURES * HIDDEN_UNITS] = rng.normal(0, (2 / FEATURES) ** 0.5, FEATURES * HIDDEN_UNITS)
        net[base + SIDE - HIDDEN_UNITS : base + SIDE] = rng.normal(0, (1 / HIDDEN_UNITS) ** 0.5, HIDDEN_UNITS)
    return net


# --- which is better -----------------------------------------------------------------------------------------------


def play_match(task: tuple[Net, Net, int, int, int]) -> int:
    """Whether the first judgement wins a game against three of the second; all trade alike."""
    new, old, trader, seed, number = task
    global _table
    if _table is None:
        _table = WholeGames()
    given = check_options(edition="fifth", setup="variable", players=4, first=number // 4 % 4)
    seats = [1 | trader << TRADER] * 4
    seats[number % 4] = trader << TRADER
    game = _table.play(given, key_for(seed, "match", number // 4) & (1 << 48) - 1, np.stack([new, old]), seats)
    return int(game.winner == number % 4)


_table: WholeGames | None = None


def win_share_against(new: Net, old: Net, trader: int, games: int, seed: int, pool: Any) -> float:
    """Of how many games one of the new wins among three of the old."""
    tasks = ((new, old, trader, seed, number) for number in range(games))
    won: int = sum(pool.imap_unordered(play_match, tasks, chunksize=8))
    return won / games


def generations(given: argparse.Namespace, pool: Any) -> Iterator[tuple[int, Judgement, dict[str, Any]]]:
    """Judgements, each better than the one before."""
    start = Judgement.read(given.start) if given.start else None
    net = start.net if start else by_hand()
    teachers = [Judgement.read(path) for path in given.teachers]
    rivals = [(Judgement.read(path).net, TRADERS[trades]) for path, trades in given.rivals]
    before: Positions | None = None
    for generation in range(given.generations):
        begun = time.perf_counter()
        trader = TRADERS[given.trades]
        nets, traders = zip((net, trader), *rivals, strict=True)
        who = Lineup(np.stack(nets), traders)
        last, decisions = gather(who, given.games, given.seed + generation, given.heat, given.samples, pool)
        played = time.perf_counter() - begun
        data = last if before is None else join_positions(before, last)
        odds = td_odds(data, net, given.td_lambda) if given.td_lambda < 1 else certain_odds(data.won)
        if teachers:
            odds = given.trust * pooled_odds(data, [one.net for one in teachers]) + (1 - given.trust) * odds
        tries = [
            fit(random_net(given.fresh + generation + i), data, generation, given.epochs, given.rate, odds)
            for i in range(given.fits)
        ]
        match = given.seed + 1000 + generation
        if given.fits > 1:  # the best of several was lucky, too: its match is played on other boards
            shares = [win_share_against(one, net, trader, given.match, match, pool) for one, _ in tries]
            tries = [tries[int(np.argmax(shares))]]
            match += 1000
        ((new, surprise),) = tries
        share = win_share_against(new, net, trader, given.match, match, pool)
        told = {
            "generation": generation,
            "games": given.games,
            "positions": len(data),
            "surprise": round(surprise, 4),
            "share_against_three_of_the_one_before": round(share, 4),
            "match_games": given.match,
            "decisions": decisions,
            "seconds_playing": round(played),
            "seconds": round(time.perf_counter() - begun),
        }
        about = {"command": command_text(given), "seed": given.seed, **told}
        if start:
            about["start"] = start.about
        if rivals:
            about["rivals"] = [Judgement.read(path).about for path, _ in given.rivals if path != given.start]
        if teachers:
            about["teachers"] = [one.about for one in teachers]
        yield generation, Judgement(new, about), told
        net, before = new, data


def join_positions(a: Positions, b: Positions) -> Positions:
    """Positions of two lots of games, the earlier ones first."""
    return Positions(*(np.concatenate((getattr(a, one.name), getattr(b, one.name))) for one in fields(Positions)))


def command_text(given: argparse.Namespace) -> str:
    """What was typed, but for what does not matter to the result."""
    told = ("generations", "games", "seed", "heat", "samples", "fresh", "epochs", "rate")
    said = [f"--{name} {getattr(given, name)}" for name in told]
    if given.trades != "plain":
        said.append(f"--trades {given.trades}")
    if given.rivals:
        said += ["--rivals", *(f"{path.name}:{trades}" for path, trades in given.rivals)]
    if given.td_lambda < 1:
        said.append(f"--td-lambda {given.td_lambda}")
    if given.fits > 1:
        said.append(f"--fits {given.fits} --match {given.match}")
    if given.start:
        said.append(f"--start {given.start.name}")
    if given.teachers:
        said += ["--teachers", *(path.name for path in given.teachers), f"--trust {given.trust}"]
    return " ".join(["python -m hexholm.bots.fitting", *said])


def rival(text: str) -> tuple[Path, str]:
    """Another player at the table: a file of a judgement, and how it trades."""
    file, _, trades = text.rpartition(":")
    if trades not in TRADERS:
        file = file or text
        raise argparse.ArgumentTypeError(f"{text}: say how it trades, as in {file}:shrewd ({', '.join(TRADERS)})")
    return Path(file), trades


def arguments(typed: Sequence[str] | None = None) -> argparse.Namespace:
    """What was typed, read."""
    parser = argparse.ArgumentParser(prog="python -m hexholm.bots.fitting", description=(__doc__ or "").split("\n")[0])
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
    parser.add_argument("--start", type=Path, help="the judgement that plays first; else one made by hand")
    parser.add_argument("--trades", choices=TRADERS, default="plain", help="how it trades")
    parser.add_argument("--rivals", type=rival, nargs="+", default=[], help="who else plays, as in hard.json:shrewd")
    parser.add_argument("--td-lambda", type=float, default=1.0, help="below 1, what is thought later counts too")
    parser.add_argument("--fits", type=int, default=1, help="so many, of which the best in matches is kept")
    parser.add_argument("--teachers", type=Path, nargs="+", default=[], help="judgements to learn from")
    parser.add_argument(
        "--trust", type=float, default=1.0, help="how much the teachers count; what came of it has the rest"
    )
    parser.add_argument("--out", type=Path, required=True, help="a folder for the judgements")
    given = parser.parse_args(typed)
    if given.games < GAMES_AT_A_TIME or given.games % GAMES_AT_A_TIME:
        parser.error(
            f"--games {given.games}: they are played {GAMES_AT_A_TIME} at a time; give a multiple of {GAMES_AT_A_TIME}"
        )
    return given


def main(typed: Sequence[str] | None = None) -> None:
    """Fit judgements as was typed, and keep one file for each generation."""
    given = arguments(typed)
    given.out.mkdir(parents=True, exist_ok=True)
    # compiled before there are processes
    WholeGames().play(check_options(edition="fifth", first=0), 1, by_hand()[None], (0,) * 4)
    with multiprocessing.get_context("fork").Pool(given.jobs) as pool:
        for generation, found, told in generations(given, pool):
            found.write(given.out / f"generation-{generation}.json")
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
