"""`random`: any kind of action, then any action of that kind. The floor that every other player stands on.

    >>> import hexholm
    >>> from hexholm.bots import Random
    >>> game = hexholm.Game(edition="fifth", setup="fixed", seed=7)
    >>> Random(seed=3).choose(game.view("red")) in game.legal_actions
    True

Its choice is a function of its seed and of what its seat sees, so it plays the same game again, also when it is made
anew for every question. One offer a turn, of one card for one card, is among what it may do, but none that came to
nothing before; it answers others by chance. Nobody can talk with it for ever: whatever else it does uses up cards,
pieces or answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from hexholm.rules.colors import Color
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import N_KINDS, single_card, unpack
from hexholm.rules.encoding.structs import State

from ..memory import Memory, pack_terms

if TYPE_CHECKING:
    from hexholm.game.action import Action
    from hexholm.game.game import SeatView

    from ..protocol import Thought

_STATE_BYTES: Final = slice(0, State.size)
"""Where the state as a seat sees it lies in a view."""


class Random:
    """Chooses anything that is legal."""

    def __init__(self, seed: int | str = 0) -> None:
        self._key = blake2b(f"random player {seed}".encode(), digest_size=16).digest()
        self._memory = Memory()
        self._last_choice: tuple[SeatView, int] | None = None

    def choose(self, view: SeatView) -> int:
        """The code of a legal action: each kind is as likely as any other, and so is each action of that kind."""
        self._memory.observe(view)
        kinds: dict[int, list[int]] = {}
        for code in view.legal_actions.codes:
            kinds.setdefault(act.kind_of(code), []).append(code)
        if act.END in kinds and not self._memory.turn_offers and (offers := _possible_offers(view, self._memory)):
            kinds[act.OFFER] = offers
        kind_draw, action_draw = self._draw_numbers(view)
        codes = list(kinds.values())[kind_draw % len(kinds)]
        code = codes[action_draw % len(codes)]
        self._memory.remember_choice(view, code)
        self._last_choice = view, code
        return code

    def explain(self) -> list[Thought]:
        """What it chose, by chance, and the best of all else, with the chances that `medium` would give them."""
        from ..explanation.thoughts import explain_choice  # what it needs takes a while to load

        return [] if self._last_choice is None else explain_choice(*self._last_choice, decided="by lot")

    def remind(self, turn: int, own_offers: Iterable[Action], countered: Iterable[Color] = ()) -> None:
        """What it offered on a turn; else it forgets what it said from then on."""
        self._memory.remind(turn, own_offers, countered)

    def _draw_numbers(self, view: SeatView) -> tuple[int, int]:
        """Two large numbers that follow from the seed and from what is seen."""
        facts = view.facts
        offers = (
            facts.offer_give,
            facts.offer_want,
            facts.offer_maker,
            facts.offer_to,
            facts.offer_yes,
            facts.offer_no,
        )
        visible_bytes = view.raw.buffer[_STATE_BYTES].tobytes() + repr(offers).encode()
        digest = blake2b(visible_bytes, digest_size=16, key=self._key).digest()
        return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def _possible_offers(view: SeatView, memory: Memory) -> list[int]:
    """One card for one of another kind, to everybody, but for what came to nothing before; none where none can be."""
    facts = view.facts
    if any(facts.offer_give):
        return []
    hand = unpack(facts.hand[facts.observer])
    everybody_else = (1 << facts.players) - 1 & ~(1 << facts.observer)
    offers = [
        act.offer_action(single_card(give), single_card(want), everybody_else)
        for give in range(N_KINDS)
        if hand[give]
        for want in range(N_KINDS)
        if want != give and pack_terms(single_card(give), single_card(want)) not in memory.failed_offers
    ]
    return offers if offers and view.why_not(offers[0]) is None else []
