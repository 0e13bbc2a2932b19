"""Random play, three ways.

`choose` and `carry_out` act on a referee among what is legal, with a liking for building; `walk` goes through the games
of the duel of core and twin, whose tempers also make offers that are refused; `play_randomly` and `trading_game` play a
`Game` as its seats see it.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator

from hexholm.game.game import Game
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import single_card, unpack
from hexholm.rules.encoding.structs import RESOURCES
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.referee import Referee
from tests.helpers.speed import COMPILED
from tests.twin.duel import Duel

LIKED = (act.SETTLEMENT, act.CITY, act.BUY, act.KNIGHT_CARD, act.ROAD_BUILDING_CARD)


def random_offer(referee: Referee, rng: random.Random) -> tuple[int, int] | None:
    """An offer by somebody, one or two cards for one; None if it would be refused."""
    active, player_count = referee.state.active, referee.state.players
    maker = rng.randrange(player_count)
    held_kinds = [kind for kind, n in enumerate(unpack(referee.state.hand[maker])) if n]
    other_seats = [seat for seat in range(player_count) if seat != maker]
    if not held_kinds:
        return None
    give, want = single_card(rng.choice(held_kinds)) * rng.randint(1, 2), single_card(rng.randrange(5))
    to = (
        sum(1 << seat for seat in rng.sample(other_seats, rng.randint(1, len(other_seats))))
        if maker == active
        else 1 << active
    )
    code = act.offer_action(give, want, to)
    return (maker, code) if referee.why_not(maker, code) is None else None


def choose(referee: Referee, rng: random.Random) -> tuple[int | None, int]:
    """The next act: the seat (None: Nature) and the code."""
    open_outcomes = referee.chance()
    if open_outcomes:
        codes = list(open_outcomes)
        return None, rng.choices(codes, [float(open_outcomes[code]) for code in codes])[0]
    if referee.phase == "main" and rng.random() < 0.15:
        offer = random_offer(referee, rng)
        if offer is not None:
            return offer
    seat = rng.choice(referee.to_act())
    codes = [code for code in referee.legal(seat) if referee.why_not(seat, code) is None]
    liked = [code for code in codes if act.kind_of(code) in LIKED]
    return seat, rng.choice(liked if liked and rng.random() < 0.8 else codes)


def carry_out(referee: Referee, seat: int | None, code: int) -> None:
    """An action of a seat, or an outcome of chance."""
    if seat is None or act.kind_of(code) >= act.DICE:
        referee.deal(code)
    else:
        referee.play(seat, code)


def random_code(rng: random.Random, kind: int) -> int:
    """A code of a kind with parameters out of the blue: small, near the borders, or anything."""
    bits = rng.choice((3, 6, 7, 8, 12, 25, 31, 54, 57))
    return kind | rng.getrandbits(bits) << 5


def walk(number: int, steps: int, *, compiled: bool = COMPILED) -> Iterator[Duel]:
    """The game of that number without the twin, before each of its steps and at its end."""
    duel = Duel(number, compiled)
    referee = duel.referee
    for _ in range(steps):
        yield duel
        if referee.winner is not None:
            return
        if outcomes := referee.chance():
            referee.deal(duel.rng.choice(list(outcomes)))
        else:
            seat = duel.rng.choice(referee.to_act())
            with contextlib.suppress(IllegalAction):
                referee.play(seat, duel.choose(seat))
    yield duel


def play_randomly(game: Game, steps: int, seed: int = 0) -> Game:
    """Play on with random legal actions."""
    pick = random.Random(seed)
    for _ in range(steps):
        if game.over:
            break
        game.play(pick.choice(game.legal_actions))
    return game


def trading_game(edition: str, seed: int, steps: int) -> Iterator[Game]:
    """A random game with many offers, after every step."""
    game, pick = Game(edition=edition, seed=seed), random.Random(seed)
    for _ in range(steps):
        if game.over:
            return
        color = pick.choice(game.to_act)
        texts = game.view(color).legal_actions.texts
        give, want = pick.sample(RESOURCES, 2)
        other_colors = [each for each in game.colors if each != color]
        offer = (
            f"offer 1 {give} : 1 {want} to {' '.join(pick.sample(other_colors, pick.randint(1, len(other_colors))))}"
        )
        if pick.random() < 0.4 and game.why_not(offer, by=color) is None:
            texts = [offer]
        with contextlib.suppress(IllegalAction):  # what a partner lacks is told only when it is tried
            game.play(pick.choice(texts), by=color)
        yield game
