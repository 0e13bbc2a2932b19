"""Actions as numbers: kind in the lowest 5 bits, its parameters above.

The seat that acts is not part of the code; it is always passed beside it. Nature's actions (the dice, a stolen
card, a drawn card) are actions like any other, so that applying one is deterministic. `act_v1` numbers everything
but free-form offers densely for search and learning (:mod:`.action_numbers`).
"""

from __future__ import annotations

from typing import Final

from ..compilation.kernels import constant_table, kernel
from .lanes import N_KINDS, count_cards, narrow, widen

(
    NOTHING,
    ROLL,
    END,
    SETTLEMENT,
    CITY,
    ROAD,
    BUY,
    KNIGHT_CARD,
    ROAD_BUILDING_CARD,
    YEAR_OF_PLENTY_CARD,
    MONOPOLY_CARD,
    WAIVE,
    ROBBER,
    STEAL,
    DISCARD,
    DISCARD_CARD,
    SUPPLY,
    OFFER,
    COUNTER,
    ACCEPT,
    REJECT,
    CONFIRM,
    WITHDRAW,
    DICE,
    STOLEN,
    DRAWN,
) = range(26)

KIND_NAMES: Final = (
    "nothing", "roll", "end", "settlement", "city", "road", "buy", "knight", "road-building", "year-of-plenty",
    "monopoly", "waive", "robber", "steal", "discard", "discard-card", "supply", "offer", "counter", "accept",
    "reject", "confirm", "withdraw", "dice", "stolen", "drawn",
)  # fmt: skip
NO_SECOND: Final = 7  # year of plenty with a single card
_PAIRS: Final = [(a, b) for a in range(N_KINDS) for b in range(a, N_KINDS)]
PLENTY_PAIRS: Final = len(_PAIRS)
# The 20 choices of Year of Plenty: 15 pairs, then 5 single cards (only when the supply holds one card, DEV-21).
PLENTY_FIRST = constant_table([a for a, _ in _PAIRS] + list(range(N_KINDS)), "i1")
PLENTY_SECOND = constant_table([b for _, b in _PAIRS] + [NO_SECOND] * N_KINDS, "i1")
HIGHEST_RATE: Final = 7  # of a trade with the supply, as far as its code has room
_GIVEN_AT: Final = 36  # where the code of an uneven trade with the supply has the number of cards given


@kernel
def kind_of(code: int) -> int:
    """The kind of action: ROLL, END, SETTLEMENT and so on."""
    return code & 31


@kernel
def parameter_of(code: int) -> int:
    """The parameters: a corner, side, hex, seat, kind of card, or a packed form of several."""
    return code >> 5


@kernel
def simple_action(kind: int, parameter: int) -> int:
    """The code of an action with at most one parameter."""
    return kind | parameter << 5


@kernel
def plenty_action(first: int, second: int) -> int:
    """Year of Plenty / Invention: take `first` and `second` (NO_SECOND: only one, DEV-21)."""
    return YEAR_OF_PLENTY_CARD | (first | second << 3) << 5


@kernel
def discard_action(cards: int) -> int:
    """Discard a whole multiset (lanes)."""
    return DISCARD | narrow(cards) << 5


@kernel
def supply_action(give_kind: int, rate: int, want: int) -> int:
    """Trade with the supply: `rate` cards of kind `give_kind` for each card in `want` (lanes)."""
    return SUPPLY | (give_kind | rate << 3 | narrow(want) << 6) << 5


def uneven_supply_action(give_kind: int, given: int, want: int) -> int:
    """A trade with the supply at no rate: `given` cards of a kind for `want` (lanes); always refused (PORT-01)."""
    return supply_action(give_kind, 0, want) | given << _GIVEN_AT


@kernel
def offer_action(give: int, want: int, to: int) -> int:
    """Offer `give` for `want` (lanes) to the seats in the bit set `to`."""
    return OFFER | (narrow(give) | narrow(want) << 25 | to << 50) << 5


@kernel
def counter_action(give: int, want: int, slot: int) -> int:
    """Answer the offer in `slot` with another one."""
    return COUNTER | (narrow(give) | narrow(want) << 25 | slot << 50) << 5


@kernel
def confirm_action(slot: int, partner: int) -> int:
    """Trade the offer in `slot` with one who said yes to it."""
    return CONFIRM | (slot | partner << 3) << 5


@kernel
def dice_outcome(a: int, b: int) -> int:
    """The code of two dice, an outcome of chance."""
    return DICE | (a | b << 3) << 5


# --- what a code holds, each kind read as it is packed above ---------------------------------------------------------


@kernel
def give_of(code: int) -> int:
    """What the maker of an offer or counter-offer gives (lanes)."""
    return widen((code >> 5) & 0x1FFFFFF)


@kernel
def want_of(code: int) -> int:
    """What the maker of an offer or counter-offer wants (lanes)."""
    return widen((code >> 30) & 0x1FFFFFF)


@kernel
def to_of(code: int) -> int:
    """The addressees of an offer, as bits."""
    return (code >> 55) & 15


@kernel
def slot_of(code: int) -> int:
    """The slot of the offer that is answered, countered, withdrawn or confirmed."""
    return (code >> 55) & 15 if kind_of(code) == COUNTER else (code >> 5) & 7


@kernel
def partner_of(code: int) -> int:
    """The seat that a confirmation trades with."""
    return code >> 8


@kernel
def first_die_of(code: int) -> int:
    """What the first die shows."""
    return (code >> 5) & 7


@kernel
def second_die_of(code: int) -> int:
    """What the second die shows."""
    return code >> 8


@kernel
def first_taken_of(code: int) -> int:
    """The kind of the first card that Year of Plenty takes."""
    return (code >> 5) & 7


@kernel
def second_taken_of(code: int) -> int:
    """The kind of the second card that Year of Plenty takes, or NO_SECOND."""
    return code >> 8


@kernel
def supply_give_of(code: int) -> int:
    """The kind of the cards that a trade with the supply gives."""
    return (code >> 5) & 7


@kernel
def supply_rate_of(code: int) -> int:
    """How many cards a trade with the supply gives for one."""
    return (code >> 8) & 7


@kernel
def supply_want_of(code: int) -> int:
    """What a trade with the supply takes (lanes)."""
    return widen(code >> 11)


def supply_given_of(code: int) -> int:
    """How many cards a trade with the supply gives."""
    rate = supply_rate_of(code)
    return rate * count_cards(supply_want_of(code)) if rate else code >> _GIVEN_AT


@kernel
def decline_instead(code: int) -> int:
    """What is done for a yes to an offer, or a confirmation, whose cards are gone, which its seat could not know.

    No, or the offer is taken back (TRADE-10); NOTHING for any other action.
    """
    slot = slot_of(code)
    if kind_of(code) == ACCEPT:
        return simple_action(REJECT, slot)
    return simple_action(WITHDRAW, slot) if kind_of(code) == CONFIRM else NOTHING


OUTCOME_CODES: Final = (
    *(dice_outcome(a, b) for a in range(1, 7) for b in range(1, 7)),
    *(simple_action(kind, x) for kind in (STOLEN, DRAWN) for x in range(N_KINDS)),
)
"""All that chance can bring."""
