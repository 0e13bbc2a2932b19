"""What can be inferred about hidden cards: exact, from what each observer has seen (docs/decisions/0004).

*Resource hands.* For each seat and for the public: a weighted set of joint hands ("worlds"). Public gains and
losses move all worlds alike; a loss, an offer made or accepted rules out worlds in which the cards were not there;
a theft between two others splits every world by the cards the victim may have lost. Weights are products of the
chances of thefts, normalised.

*Development cards.* Per seat, seen by the public: every hidden hand that fits what was bought, played and not won
with, with the number of draw histories that lead to it. The odds that an observer sees combine these with the cards
it knows (:mod:`.view`).

More worlds than there is room for are dropped, lightest first, and a flag says so.
"""

from __future__ import annotations

from ..compiled import inline, kernel
from .encoding import actions as act
from .encoding.actions import give_of, kind_of, parameter_of
from .encoding.lanes import count, covers, lane, total
from .encoding.structs import CARD_HANDS, OBSERVERS, SEATS, VICTORY_POINT, WORLDS, Belief, State, Talk, Work
from .phases import OVER


@kernel
def start_belief(b: Belief, s: State) -> None:
    """Start from what is on the table: hands and cards are taken as known to all."""
    for o in range(OBSERVERS):
        b.worlds[o] = 1
        b.capped[o] = 0
        b.weight[o, 0] = 1.0
        for seat in range(SEATS):
            b.hand[o, 0, seat] = s.hand[seat]
    for seat in range(SEATS):
        b.card_hands[seat] = 1
        b.card_capped[seat] = 0
        new = s.new_cards if seat == s.active else 0
        b.card_old[seat, 0] = s.cards[seat] - new
        b.card_new[seat, 0] = new
        b.card_ways[seat, 0] = 1.0


# --- resource hands ------------------------------------------------------------------------------------------


@kernel
def observe_change(b: Belief, o: int, seat: int, gain: int, loss: int) -> None:
    """Observer `o` sees `seat` pay `loss` and take `gain`."""
    kept = 0
    for i in range(b.worlds[o]):
        if covers(b.hand[o, i, seat], loss):
            if kept != i:
                copy_world(b, o, i, kept)
            b.hand[o, kept, seat] += gain - loss
            kept += 1
    keep_worlds(b, o, kept)


@kernel
def keep_worlds(b: Belief, o: int, kept: int) -> None:
    """Only the first `kept` worlds are left; make their weights add up to one."""
    if kept == b.worlds[o]:
        return
    b.worlds[o] = kept
    normalise_weights(b, o)


@inline
def copy_world(b: Belief, o: int, source: int, target: int) -> None:
    """Copy a world over another, when those between were ruled out."""
    b.weight[o, target] = b.weight[o, source]
    for seat in range(SEATS):
        b.hand[o, target, seat] = b.hand[o, source, seat]


@kernel
def normalise_weights(b: Belief, o: int) -> None:
    """Make the weights of the worlds of observer `o` add up to one."""
    whole = 0.0
    for i in range(b.worlds[o]):
        whole += b.weight[o, i]
    for i in range(b.worlds[o]):
        b.weight[o, i] /= whole


@kernel
def observe_seen_theft(b: Belief, o: int, thief: int, victim: int, kind: int) -> None:
    """Observer `o`, the thief or the victim, sees the stolen card: only worlds where it was there are left."""
    kept = 0
    for i in range(b.worlds[o]):
        n = count(b.hand[o, i, victim], kind)
        if n:
            copy_world(b, o, i, kept)
            b.weight[o, kept] *= n
            b.hand[o, kept, victim] -= lane(kind)
            b.hand[o, kept, thief] += lane(kind)
            kept += 1
    b.worlds[o] = kept
    normalise_weights(b, o)


@kernel
def observe_unseen_theft(b: Belief, w: Work, o: int, thief: int, victim: int) -> None:
    """An observer who sees only that a card moved: each world splits by the kinds it may have been."""
    before = b.worlds[o]
    for i in range(before):
        w.was_weight[i] = b.weight[o, i]
        for seat in range(SEATS):
            w.was_hand[i, seat] = b.hand[o, i, seat]
    b.worlds[o] = 0
    for i in range(before):
        for kind in range(5):
            n = count(w.was_hand[i, victim], kind)
            if n:
                add_world(b, w, o, i, thief, victim, kind, w.was_weight[i] * n)
    normalise_weights(b, o)


@kernel
def add_world(b: Belief, w: Work, o: int, i: int, thief: int, victim: int, kind: int, weight: float) -> None:
    """Add world `i` of before with `kind` stolen; equal worlds merge, and without room the lightest gives way."""
    moved = lane(kind)
    for j in range(b.worlds[o]):
        same = True
        for seat in range(SEATS):
            hand = w.was_hand[i, seat]
            if seat == thief:
                hand += moved
            elif seat == victim:
                hand -= moved
            if b.hand[o, j, seat] != hand:
                same = False
                break
        if same:
            b.weight[o, j] += weight
            return
    slot = b.worlds[o]
    if slot == WORLDS:
        b.capped[o] = 1
        slot = 0
        for j in range(WORLDS):
            if b.weight[o, j] < b.weight[o, slot]:
                slot = j
        if b.weight[o, slot] >= weight:
            return
    else:
        b.worlds[o] = slot + 1
    b.weight[o, slot] = weight
    for seat in range(SEATS):
        b.hand[o, slot, seat] = w.was_hand[i, seat]
    b.hand[o, slot, thief] += moved
    b.hand[o, slot, victim] -= moved


@kernel
def observe_monopoly(b: Belief, o: int, seat: int, kind: int, shown: int) -> None:
    """All see how many cards of `kind` each seat hands over; `shown`: those numbers, a byte a seat."""
    kept = 0
    for i in range(b.worlds[o]):
        fits = True
        gain = 0
        for other in range(SEATS):
            if other != seat:
                n = (shown >> (8 * other)) & 255
                gain += n
                if count(b.hand[o, i, other], kind) != n:
                    fits = False
        if fits:
            if kept != i:
                copy_world(b, o, i, kept)
            for other in range(SEATS):
                if other != seat:
                    b.hand[o, kept, other] -= ((shown >> (8 * other)) & 255) * lane(kind)
            b.hand[o, kept, seat] += gain * lane(kind)
            kept += 1
    keep_worlds(b, o, kept)


@kernel
def restart_worlds(b: Belief, s: State, o: int, seat: int, shown: int) -> None:
    """No world is left, because too many had to be dropped: take one that fits the sizes of all hands and the supply.

    `seat` has just shown to hold `shown`. Only what `o` may know is used: its own hand, the supply, hand sizes.
    """
    b.worlds[o] = 1
    b.weight[o, 0] = 1.0
    out = s.hand[0] + s.hand[1] + s.hand[2] + s.hand[3]  # together they are public: what the supply lacks
    for other in range(SEATS):
        b.hand[o, 0, other] = 0
    if o < SEATS:
        b.hand[o, 0, o] = s.hand[o]
        out -= s.hand[o]
    if seat != o and covers(out, shown) and total(shown) <= total(s.hand[seat]):
        b.hand[o, 0, seat] = shown
        out -= shown
    for other in range(SEATS):
        missing = total(s.hand[other]) - total(b.hand[o, 0, other])
        for kind in range(5):
            n = min(missing, count(out, kind))
            b.hand[o, 0, other] += n * lane(kind)
            out -= n * lane(kind)
            missing -= n


# --- development cards ---------------------------------------------------------------------------------------


@kernel
def observe_purchase(b: Belief, w: Work, s: State, seat: int) -> None:
    """A card was drawn: every hidden hand grows by every kind of which there can be one more."""
    before = b.card_hands[seat]
    for i in range(before):
        w.was_hand[i, 0] = b.card_old[seat, i]
        w.was_hand[i, 1] = b.card_new[seat, i]
        w.was_weight[i] = b.card_ways[seat, i]
    b.card_hands[seat] = 0
    left = never_played(s)
    for kind in range(5):
        for i in range(before):
            if covers(left, w.was_hand[i, 0] + w.was_hand[i, 1] + lane(kind)):
                add_hidden_hand(b, seat, w.was_hand[i, 0], w.was_hand[i, 1] + lane(kind), w.was_weight[i])


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
def never_played(s: State) -> int:
    """All development cards that lie in the deck or in hands (lanes): the deck of the box less what was played."""
    return s.deck + s.cards[0] + s.cards[1] + s.cards[2] + s.cards[3]


@inline
def copy_hidden_hand(b: Belief, seat: int, source: int, target: int) -> None:
    """Copy a hidden hand over another, when those between were ruled out."""
    b.card_old[seat, target] = b.card_old[seat, source]
    b.card_new[seat, target] = b.card_new[seat, source]
    b.card_ways[seat, target] = b.card_ways[seat, source]


@kernel
def observe_played_card(b: Belief, seat: int, kind: int) -> None:
    """A card of `kind`, not a new one, was played."""
    kept = 0
    for i in range(b.card_hands[seat]):
        if count(b.card_old[seat, i], kind):
            copy_hidden_hand(b, seat, i, kept)
            b.card_old[seat, kept] -= lane(kind)
            kept += 1
    b.card_hands[seat] = kept


@kernel
def age_new_cards(b: Belief, w: Work, seat: int) -> None:
    """The turn is over: new cards become old ones."""
    before = b.card_hands[seat]
    for i in range(before):
        w.was_hand[i, 0] = b.card_old[seat, i] + b.card_new[seat, i]
        w.was_weight[i] = b.card_ways[seat, i]
    b.card_hands[seat] = 0
    for i in range(before):
        add_hidden_hand(b, seat, w.was_hand[i, 0], 0, w.was_weight[i])


@kernel
def rule_out_hidden_hands(b: Belief, s: State) -> None:
    """Drop hidden hands that would have won, or hold more of a kind than can be left."""
    left = never_played(s)
    for seat in range(s.players):
        kept = 0
        for i in range(b.card_hands[seat]):
            held = b.card_old[seat, i] + b.card_new[seat, i]
            points = s.points[seat] + count(held, VICTORY_POINT) * s.points_card
            if covers(left, held) and (seat != s.active or s.phase == OVER or points < s.points_to_win):
                if kept != i:
                    copy_hidden_hand(b, seat, i, kept)
                kept += 1
        b.card_hands[seat] = kept
        if kept == 0:
            restart_hidden_hands(b, s, seat)


@kernel
def restart_hidden_hands(b: Belief, s: State, seat: int) -> None:
    """No hidden hand is left, because too many had to be dropped: take one of the right size that could be."""
    left = never_played(s)
    new_missing = total(s.new_cards) if seat == s.active else 0
    old_missing = total(s.cards[seat]) - new_missing
    old = 0
    new = 0
    for i in range(5):
        kind = (i + 2) % 5  # victory points last
        n = min(old_missing, count(left, kind))
        old += n * lane(kind)
        old_missing -= n
        n = min(new_missing, count(left, kind) - n)
        new += n * lane(kind)
        new_missing -= n
    b.card_hands[seat] = 1
    b.card_old[seat, 0] = old
    b.card_new[seat, 0] = new
    b.card_ways[seat, 0] = 1.0


# --- events --------------------------------------------------------------------------------------------------


@kernel
def shown_by_monopoly(before: State, kind: int) -> int:
    """How many cards of `kind` each seat holds, a byte a seat."""
    shown = 0
    for seat in range(SEATS):
        shown |= count(before.hand[seat], kind) << (8 * seat)
    return shown


@kernel
def shown_by_yes(t: Talk, code: int) -> int:
    """The cards a seat proves to hold by a yes that is only noted (lanes); asked before the action is carried out."""
    slot = parameter_of(code) & 7
    if kind_of(code) == act.ACCEPT and t.to[slot] & (t.to[slot] - 1):
        return t.want[slot]
    return 0


@kernel
def observe(b: Belief, w: Work, before: State, after: State, seat: int, code: int, shown: int) -> None:
    """Tell all observers about an action of `seat`; `shown`: what :func:`shown_by_yes` said."""
    kind = kind_of(code)
    x = parameter_of(code)
    if kind == act.STOLEN:
        for o in range(OBSERVERS):
            if o == seat or o == before.victim:
                observe_seen_theft(b, o, seat, before.victim, x)
            else:
                observe_unseen_theft(b, w, o, seat, before.victim)
    elif kind == act.MONOPOLY_CARD:
        amounts = shown_by_monopoly(before, x)
        for o in range(OBSERVERS):
            observe_monopoly(b, o, seat, x, amounts)
    else:
        for other in range(before.players):
            if before.hand[other] != after.hand[other]:
                observe_public_change(b, other, after.hand[other], before.hand[other])
        if kind == act.OFFER or kind == act.COUNTER:
            shown = give_of(code)
        if shown:
            for o in range(OBSERVERS):
                observe_change(b, o, seat, shown, shown)
    for o in range(OBSERVERS):
        if b.worlds[o] == 0:
            restart_worlds(b, after, o, seat, shown)
    observe_cards(b, w, after, seat, kind)


@kernel
def observe_public_change(b: Belief, seat: int, after: int, before: int) -> None:
    """A hand changed in the open: what grew was gained, what shrank was paid.

    A payment and a gain of the same kind in one action do not occur.
    """
    gain = 0
    loss = 0
    for kind in range(5):
        delta = count(after, kind) - count(before, kind)
        if delta > 0:
            gain += delta * lane(kind)
        else:
            loss += -delta * lane(kind)
    for o in range(OBSERVERS):
        observe_change(b, o, seat, gain, loss)


@kernel
def observe_cards(b: Belief, w: Work, after: State, seat: int, kind: int) -> None:
    """The part of an action that concerns development cards."""
    if kind == act.DRAWN:
        observe_purchase(b, w, after, seat)
    elif kind == act.END:
        age_new_cards(b, w, seat)
    elif act.KNIGHT_CARD <= kind <= act.MONOPOLY_CARD:
        if kind == act.KNIGHT_CARD:
            observe_played_card(b, seat, 0)
        else:
            observe_played_card(b, seat, kind - act.KNIGHT_CARD + 1)
    rule_out_hidden_hands(b, after)
