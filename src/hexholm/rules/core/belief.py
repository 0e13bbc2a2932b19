"""What can be inferred about hidden cards: exact, from what each observer has seen (docs/decisions/0004).

*Resource hands.* For each seat and for the public: a weighted set of joint hands ("worlds"). Public gains and
losses move all worlds alike; a loss, an offer made or accepted rules out worlds in which the cards were not there;
a theft between two others splits every world by the cards the victim may have lost. Weights are products of the
chances of thefts, normalized.

*Development cards.* Per seat, seen by the public: every hidden hand that fits what was bought, played and not won
with, with the number of draw histories that lead to it. The odds that an observer sees combine these with the cards
it knows (:mod:`.view`).

More worlds than there is room for are dropped, lightest first, and a flag says so.
"""

from __future__ import annotations

from ..compilation.kernels import inline, kernel
from ..encoding import action_codes as act
from ..encoding.action_codes import give_of, kind_of, parameter_of, slot_of
from ..encoding.lanes import N_KINDS, count, count_cards, covers, single_card
from ..encoding.phases import OVER
from ..encoding.structs import CARD_HANDS, OBSERVERS, SEATS, VICTORY_POINT, WORLDS, Belief, OpenOffers, Scratch, State


@kernel
def start_belief(b: Belief, s: State) -> None:
    """Start from what is on the table: hands and cards are taken as known to all."""
    for observer in range(OBSERVERS):
        b.worlds[observer] = 1
        b.capped[observer] = 0
        b.weight[observer, 0] = 1.0
        for seat in range(SEATS):
            b.hand[observer, 0, seat] = s.hand[seat]
    for seat in range(SEATS):
        b.card_hands[seat] = 1
        b.card_capped[seat] = 0
        new = s.new_cards if seat == s.active else 0
        b.card_old[seat, 0] = s.development[seat] - new
        b.card_new[seat, 0] = new
        b.card_ways[seat, 0] = 1.0


# --- resource hands ------------------------------------------------------------------------------------------


@kernel
def observe_change(b: Belief, observer: int, seat: int, gain: int, loss: int) -> None:
    """`observer` sees `seat` pay `loss` and take `gain`."""
    slot = 0
    for i in range(b.worlds[observer]):
        if covers(b.hand[observer, i, seat], loss):
            if slot != i:
                copy_world(b, observer, i, slot)
            b.hand[observer, slot, seat] += gain - loss
            slot += 1
    keep_worlds(b, observer, slot)


@kernel
def keep_worlds(b: Belief, observer: int, worlds: int) -> None:
    """Only the first `worlds` worlds are left; make their weights add up to one."""
    if worlds == b.worlds[observer]:
        return
    b.worlds[observer] = worlds
    normalize_weights(b, observer)


@inline
def copy_world(b: Belief, observer: int, source: int, target: int) -> None:
    """Copy a world over another, when those between were ruled out."""
    b.weight[observer, target] = b.weight[observer, source]
    for seat in range(SEATS):
        b.hand[observer, target, seat] = b.hand[observer, source, seat]


@kernel
def normalize_weights(b: Belief, observer: int) -> None:
    """Make the weights of the worlds of `observer` add up to one."""
    weight_sum = 0.0
    for i in range(b.worlds[observer]):
        weight_sum += b.weight[observer, i]
    for i in range(b.worlds[observer]):
        b.weight[observer, i] /= weight_sum


@kernel
def observe_seen_theft(b: Belief, observer: int, thief: int, victim: int, kind: int) -> None:
    """`observer`, the thief or the victim, sees the stolen card: only worlds where it was there are left."""
    slot = 0
    for i in range(b.worlds[observer]):
        n = count(b.hand[observer, i, victim], kind)
        if n:
            copy_world(b, observer, i, slot)
            b.weight[observer, slot] *= n
            b.hand[observer, slot, victim] -= single_card(kind)
            b.hand[observer, slot, thief] += single_card(kind)
            slot += 1
    b.worlds[observer] = slot
    normalize_weights(b, observer)


@kernel
def observe_unseen_theft(b: Belief, scratch: Scratch, observer: int, thief: int, victim: int) -> None:
    """An observer who sees only that a card moved: each world splits by the kinds it may have been."""
    worlds_before = b.worlds[observer]
    for i in range(worlds_before):
        scratch.old_weight[i] = b.weight[observer, i]
        for seat in range(SEATS):
            scratch.old_hand[i, seat] = b.hand[observer, i, seat]
    b.worlds[observer] = 0
    for i in range(worlds_before):
        for kind in range(N_KINDS):
            n = count(scratch.old_hand[i, victim], kind)
            if n:
                add_world(b, scratch, observer, i, thief, victim, kind, scratch.old_weight[i] * n)
    normalize_weights(b, observer)


@kernel
def add_world(
    b: Belief, scratch: Scratch, observer: int, i: int, thief: int, victim: int, kind: int, weight: float
) -> None:
    """Add world `i` of before with `kind` stolen; equal worlds merge, and without room the lightest gives way."""
    card = single_card(kind)
    for j in range(b.worlds[observer]):
        same = True
        for seat in range(SEATS):
            hand = scratch.old_hand[i, seat]
            if seat == thief:
                hand += card
            elif seat == victim:
                hand -= card
            if b.hand[observer, j, seat] != hand:
                same = False
                break
        if same:
            b.weight[observer, j] += weight
            return
    slot = b.worlds[observer]
    if slot == WORLDS:
        b.capped[observer] = 1
        slot = 0
        for j in range(WORLDS):
            if b.weight[observer, j] < b.weight[observer, slot]:
                slot = j
        if b.weight[observer, slot] >= weight:
            return
    else:
        b.worlds[observer] = slot + 1
    b.weight[observer, slot] = weight
    for seat in range(SEATS):
        b.hand[observer, slot, seat] = scratch.old_hand[i, seat]
    b.hand[observer, slot, thief] += card
    b.hand[observer, slot, victim] -= card


@kernel
def observe_monopoly(b: Belief, observer: int, seat: int, kind: int, amounts: int) -> None:
    """All see how many cards of `kind` each seat hands over; `amounts`: those numbers, a byte a seat."""
    slot = 0
    for i in range(b.worlds[observer]):
        fits = True
        gain = 0
        for opponent in range(SEATS):
            if opponent != seat:
                n = (amounts >> (8 * opponent)) & 255
                gain += n
                if count(b.hand[observer, i, opponent], kind) != n:
                    fits = False
        if fits:
            if slot != i:
                copy_world(b, observer, i, slot)
            for opponent in range(SEATS):
                if opponent != seat:
                    b.hand[observer, slot, opponent] -= ((amounts >> (8 * opponent)) & 255) * single_card(kind)
            b.hand[observer, slot, seat] += gain * single_card(kind)
            slot += 1
    keep_worlds(b, observer, slot)


@kernel
def restart_worlds(b: Belief, s: State, observer: int, seat: int, shown_cards: int) -> None:
    """No world is left, because too many had to be dropped: take one that fits the sizes of all hands and the supply.

    `seat` has just shown to hold `shown_cards`. Only what `observer` may know is used: its own hand, the supply, sizes.
    """
    b.worlds[observer] = 1
    b.weight[observer, 0] = 1.0
    cards_out = s.hand[0] + s.hand[1] + s.hand[2] + s.hand[3]  # together they are public: what the supply lacks
    for holder in range(SEATS):
        b.hand[observer, 0, holder] = 0
    if observer < SEATS:
        b.hand[observer, 0, observer] = s.hand[observer]
        cards_out -= s.hand[observer]
    if seat != observer and covers(cards_out, shown_cards) and count_cards(shown_cards) <= count_cards(s.hand[seat]):
        b.hand[observer, 0, seat] = shown_cards
        cards_out -= shown_cards
    for holder in range(SEATS):
        missing = count_cards(s.hand[holder]) - count_cards(b.hand[observer, 0, holder])
        for kind in range(N_KINDS):
            n = min(missing, count(cards_out, kind))
            b.hand[observer, 0, holder] += n * single_card(kind)
            cards_out -= n * single_card(kind)
            missing -= n


# --- development cards ---------------------------------------------------------------------------------------


@kernel
def observe_purchase(b: Belief, scratch: Scratch, s: State, seat: int) -> None:
    """A card was drawn: every hidden hand grows by every kind of which there can be one more."""
    hands_before = b.card_hands[seat]
    for i in range(hands_before):
        scratch.old_hand[i, 0] = b.card_old[seat, i]
        scratch.old_hand[i, 1] = b.card_new[seat, i]
        scratch.old_weight[i] = b.card_ways[seat, i]
    b.card_hands[seat] = 0
    unplayed = unplayed_cards(s)
    for kind in range(N_KINDS):
        for i in range(hands_before):
            if covers(unplayed, scratch.old_hand[i, 0] + scratch.old_hand[i, 1] + single_card(kind)):
                add_hidden_hand(
                    b, seat, scratch.old_hand[i, 0], scratch.old_hand[i, 1] + single_card(kind), scratch.old_weight[i]
                )


@kernel
def add_hidden_hand(b: Belief, seat: int, old: int, new: int, ways: float) -> None:
    """Add a hidden hand; equal ones merge, and without room the least likely gives way."""
    for j in range(b.card_hands[seat]):
        if b.card_old[seat, j] == old and b.card_new[seat, j] == new:
            b.card_ways[seat, j] += ways
            return
    slot = b.card_hands[seat]
    if slot == CARD_HANDS:
        b.card_capped[seat] = 1
        slot = 0
        for j in range(CARD_HANDS):
            if b.card_ways[seat, j] < b.card_ways[seat, slot]:
                slot = j
        if b.card_ways[seat, slot] >= ways:
            return
    else:
        b.card_hands[seat] = slot + 1
    b.card_old[seat, slot] = old
    b.card_new[seat, slot] = new
    b.card_ways[seat, slot] = ways


@inline
def unplayed_cards(s: State) -> int:
    """All development cards that lie in the deck or in hands (lanes): the deck of the box less what was played."""
    return s.deck + s.development[0] + s.development[1] + s.development[2] + s.development[3]


@inline
def copy_hidden_hand(b: Belief, seat: int, source: int, target: int) -> None:
    """Copy a hidden hand over another, when those between were ruled out."""
    b.card_old[seat, target] = b.card_old[seat, source]
    b.card_new[seat, target] = b.card_new[seat, source]
    b.card_ways[seat, target] = b.card_ways[seat, source]


@kernel
def observe_played_card(b: Belief, seat: int, kind: int) -> None:
    """A card of `kind`, not a new one, was played."""
    slot = 0
    for i in range(b.card_hands[seat]):
        if count(b.card_old[seat, i], kind):
            copy_hidden_hand(b, seat, i, slot)
            b.card_old[seat, slot] -= single_card(kind)
            slot += 1
    b.card_hands[seat] = slot


@kernel
def age_new_cards(b: Belief, scratch: Scratch, seat: int) -> None:
    """The turn is over: new cards become old ones."""
    hands_before = b.card_hands[seat]
    for i in range(hands_before):
        scratch.old_hand[i, 0] = b.card_old[seat, i] + b.card_new[seat, i]
        scratch.old_weight[i] = b.card_ways[seat, i]
    b.card_hands[seat] = 0
    for i in range(hands_before):
        add_hidden_hand(b, seat, scratch.old_hand[i, 0], 0, scratch.old_weight[i])


@kernel
def rule_out_hidden_hands(b: Belief, s: State) -> None:
    """Drop hidden hands that would have won, or hold more of a kind than can be left."""
    unplayed = unplayed_cards(s)
    for seat in range(s.players):
        slot = 0
        for i in range(b.card_hands[seat]):
            hand = b.card_old[seat, i] + b.card_new[seat, i]
            points = s.points[seat] + count(hand, VICTORY_POINT) * s.points_card
            if covers(unplayed, hand) and (seat != s.active or s.phase == OVER or points < s.points_to_win):
                if slot != i:
                    copy_hidden_hand(b, seat, i, slot)
                slot += 1
        b.card_hands[seat] = slot
        if slot == 0:
            restart_hidden_hands(b, s, seat)


@kernel
def restart_hidden_hands(b: Belief, s: State, seat: int) -> None:
    """No hidden hand is left, because too many had to be dropped: take one of the right size that could be."""
    unplayed = unplayed_cards(s)
    new_missing = count_cards(s.new_cards) if seat == s.active else 0
    old_missing = count_cards(s.development[seat]) - new_missing
    old = 0
    new = 0
    for i in range(N_KINDS):
        kind = (i + VICTORY_POINT + 1) % N_KINDS  # victory points last
        n = min(old_missing, count(unplayed, kind))
        old += n * single_card(kind)
        old_missing -= n
        n = min(new_missing, count(unplayed, kind) - n)
        new += n * single_card(kind)
        new_missing -= n
    b.card_hands[seat] = 1
    b.card_old[seat, 0] = old
    b.card_new[seat, 0] = new
    b.card_ways[seat, 0] = 1.0


# --- events --------------------------------------------------------------------------------------------------


@kernel
def amounts_held(s: State, kind: int) -> int:
    """How many cards of `kind` each seat holds, a byte a seat."""
    amounts = 0
    for seat in range(SEATS):
        amounts |= count(s.hand[seat], kind) << (8 * seat)
    return amounts


@kernel
def cards_shown_by_yes(offers: OpenOffers, code: int) -> int:
    """The cards a seat proves to hold by a yes that is only noted (lanes); asked before the action is carried out."""
    slot = slot_of(code)
    if kind_of(code) == act.ACCEPT and offers.to[slot] & (offers.to[slot] - 1):
        return offers.want[slot]
    return 0


@kernel
def observe(b: Belief, scratch: Scratch, before: State, after: State, seat: int, code: int, shown_cards: int) -> None:
    """Tell all observers about an action of `seat`; `shown_cards`: what :func:`cards_shown_by_yes` said."""
    kind = kind_of(code)
    parameter = parameter_of(code)
    if kind == act.STOLEN:
        for observer in range(OBSERVERS):
            if observer == seat or observer == before.victim:
                observe_seen_theft(b, observer, seat, before.victim, parameter)
            else:
                observe_unseen_theft(b, scratch, observer, seat, before.victim)
    elif kind == act.MONOPOLY_CARD:
        amounts = amounts_held(before, parameter)
        for observer in range(OBSERVERS):
            observe_monopoly(b, observer, seat, parameter, amounts)
    else:
        for holder in range(before.players):
            if before.hand[holder] != after.hand[holder]:
                observe_public_change(b, holder, after.hand[holder], before.hand[holder])
        if kind == act.OFFER or kind == act.COUNTER:
            shown_cards = give_of(code)
        if shown_cards:
            for observer in range(OBSERVERS):
                observe_change(b, observer, seat, shown_cards, shown_cards)
    for observer in range(OBSERVERS):
        if b.worlds[observer] == 0:
            restart_worlds(b, after, observer, seat, shown_cards)
    observe_cards(b, scratch, after, seat, kind)


@kernel
def observe_public_change(b: Belief, seat: int, after: int, before: int) -> None:
    """A hand changed in the open: what grew was gained, what shrank was paid.

    A payment and a gain of the same kind in one action do not occur.
    """
    gain = 0
    loss = 0
    for kind in range(N_KINDS):
        delta = count(after, kind) - count(before, kind)
        if delta > 0:
            gain += delta * single_card(kind)
        else:
            loss += -delta * single_card(kind)
    for observer in range(OBSERVERS):
        observe_change(b, observer, seat, gain, loss)


@kernel
def observe_cards(b: Belief, scratch: Scratch, after: State, seat: int, kind: int) -> None:
    """The part of an action that concerns development cards."""
    if kind == act.DRAWN:
        observe_purchase(b, scratch, after, seat)
    elif kind == act.END:
        age_new_cards(b, scratch, seat)
    elif act.KNIGHT_CARD <= kind <= act.MONOPOLY_CARD:
        if kind == act.KNIGHT_CARD:
            observe_played_card(b, seat, 0)
        else:
            observe_played_card(b, seat, kind - act.KNIGHT_CARD + 1)
    rule_out_hidden_hands(b, after)
