"""Games in which everybody acts at random among what is legal, with a liking for building."""

from __future__ import annotations

import random

from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import lane, unpack
from hexholm.rules.referee import Referee

LIKED = (act.SETTLEMENT, act.CITY, act.BUY, act.KNIGHT_CARD, act.ROAD_BUILDING_CARD)


def random_offer(game: Referee, rng: random.Random) -> tuple[int, int] | None:
    """An offer by somebody, one or two cards for one; None if it would be refused."""
    turn, players = game.state.turn, game.state.players
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
    """Carry out what :func:`choose` chose."""
    if who is None:
        game.deal(code)
    else:
        game.play(who, code)
