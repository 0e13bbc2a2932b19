"""Random play, three ways.

`choose` and `carry_out` act on a referee among what is legal, with a liking for building; `walk` goes through the games
of the duel of core and twin, whose tempers also make offers that are refused; `play_randomly` and `trading` play a
`Game` as its seats see it.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator

from hexholm.game.game import Game
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import lane, unpack
from hexholm.rules.core.encoding.structs import RESOURCES
from hexholm.rules.referee import IllegalAction, Referee
from tests.speed import COMPILED
from tests.twin.duel import Duel

LIKED = (act.SETTLEMENT, act.CITY, act.BUY, act.KNIGHT_CARD, act.ROAD_BUILDING_CARD)


def random_offer(game: Referee, rng: random.Random) -> tuple[int, int] | None:
    """An offer by somebody, one or two cards for one; None if it would be refused."""
    turn, players = game.state.active, game.state.players
    maker = rng.randrange(players)
    held = [kind for kind, n in enumerate(unpack(game.state.hand[maker])) if n]
    others = [seat for seat in range(players) if seat != maker]
    if not held:
        return None
    give, want = lane(rng.choice(held)) * rng.randint(1, 2), lane(rng.randrange(5))
    to = sum(1 << seat for seat in rng.sample(others, rng.randint(1, len(others)))) if maker == turn else 1 << turn
    code = act.offer(give, want, to)
    return (maker, code) if game.why_not(maker, code) is None else None


def choose(game: Referee, rng: random.Random) -> tuple[int | None, int]:
    """The next act: the seat (None: Nature) and the code."""
    open_outcomes = game.chance()
    if open_outcomes:
        codes = list(open_outcomes)
        return None, rng.choices(codes, [float(open_outcomes[code]) for code in codes])[0]
    if game.phase == "main" and rng.random() < 0.15:
        offer = random_offer(game, rng)
        if offer is not None:
            return offer
    seat = rng.choice(game.to_act())
    codes = [code for code in game.legal(seat) if game.why_not(seat, code) is None]
    liked = [code for code in codes if code & 31 in LIKED]
    return seat, rng.choice(liked if liked and rng.random() < 0.8 else codes)


def carry_out(game: Referee, who: int | None, code: int) -> None:
    """An action of a seat, or an outcome of chance."""
    if who is None or code & 31 >= act.DICE:
        game.deal(code)
    else:
        game.play(who, code)


def some_code(rng: random.Random, kind: int) -> int:
    """A code of a kind with parameters out of the blue: small, near the borders, or anything."""
    bits = rng.choice((3, 6, 7, 8, 12, 25, 31, 54, 57))
    return kind | rng.getrandbits(bits) << 5


def walk(number: int, steps: int, *, compiled: bool = COMPILED) -> Iterator[Duel]:
    """The game of that number without the twin, before each of its steps and at its end."""
    duel = Duel(number, compiled)
    game = duel.referee
    for _ in range(steps):
        yield duel
        if game.winner is not None:
            return
        if chance := game.chance():
            game.deal(duel.rng.choice(list(chance)))
        else:
            seat = duel.rng.choice(game.to_act())
            with contextlib.suppress(IllegalAction):
                game.play(seat, duel.choose(seat))
    yield duel


def play_randomly(game: Game, steps: int, seed: int = 0) -> Game:
    """Play on with random legal actions."""
    pick = random.Random(seed)
    for _ in range(steps):
        if game.over:
            break
        game.play(pick.choice(game.legal_actions))
    return game


def trading(edition: str, seed: int, steps: int) -> Iterator[Game]:
    """A random game with many offers, after every step."""
    game, pick = Game(edition=edition, seed=seed), random.Random(seed)
    for _ in range(steps):
        if game.over:
            return
        who = pick.choice(game.to_act)
        texts = game.view(who).legal_actions.texts
        give, want = pick.sample(RESOURCES, 2)
        others = [color for color in game.colors if color != who]
        offer = f"offer 1 {give} : 1 {want} to {' '.join(pick.sample(others, pick.randint(1, len(others))))}"
        if pick.random() < 0.4 and game.why_not(offer, by=who) is None:
            texts = [offer]
        with contextlib.suppress(IllegalAction):  # what a partner lacks is told only when it is tried
            game.play(pick.choice(texts), by=who)
        yield game
