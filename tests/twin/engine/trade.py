"""Trading: with the supply (PORT-*) and with other players (TRADE-*, design decision 6)."""

from __future__ import annotations

from .actions import Action, Resources, write_cards
from .editions import BANK_PER_RESOURCE, OPEN_OFFERS, RESOURCES
from .table import Offer, Table

# trading with the supply


def rates(table: Table, seat: int, kind: str) -> list[int]:
    """Every rate a seat is entitled to for one kind; a worse one may be chosen (PORT-10)."""
    harbors = {table.harbor_at.get(corner) for corner in table.settlements[seat] | table.cities[seat]}  # PORT-05
    entitled_rates = [4]  # PORT-01
    if "any" in harbors:
        entitled_rates.append(3)  # PORT-02
    if kind in harbors:
        entitled_rates.append(2)  # PORT-03, PORT-04
    return entitled_rates


def why_no_supply(table: Table, seat: int, action: Action) -> str | None:
    """Refusal of a supply trade by the active seat in the main phase."""
    if table.trading_closed:
        return "PHASE-05"
    give_count, want_count = sum(action.give.values()), sum(action.want.values())
    if len(action.give) > 1:
        return "PORT-08"
    if not give_count or not want_count or give_count % want_count:
        return "PORT-01"
    (kind,) = action.give
    if kind in action.want:
        return "PORT-06"
    rate = give_count // want_count  # PORT-09: a multiple at once is several trades at one rate
    rule = {3: "PORT-02", 2: "PORT-03"}.get(rate, "PORT-01")
    if rate not in rates(table, seat, kind) or table.hands[seat][kind] < give_count:
        return rule
    if any(table.supply[k] < count for k, count in action.want.items()):
        return "PORT-07"
    return None


def do_supply(table: Table, seat: int, action: Action) -> None:
    """Cards to the supply, others back."""
    change: Resources = dict(action.want)
    for kind, count in action.give.items():
        change[kind] = -count
    table.move_cards({seat: change})


def legal_supply(table: Table, seat: int) -> set[str]:
    """Single supply trades at every rate."""
    actions = set()
    for kind in RESOURCES:
        for rate in rates(table, seat, kind):
            if table.hands[seat][kind] >= rate:
                actions |= {f"supply {rate} {kind} : 1 {k}" for k in RESOURCES if k != kind and table.supply[k]}
    return actions


# trading with other players


def why_not_now(table: Table) -> str | None:
    """Offers live only in the main phase with trading open (during a turn; not before the roll, nothing pending)."""
    if table.phase == "roll":
        return "TRADE-01"
    if table.phase != "main":
        return "PHASE-11"  # also TRADE-14.e2
    return "PHASE-05" if table.trading_closed else None


def why_no_new_offer(table: Table, maker: int, to: list[int], give: Resources, want: Resources) -> str | None:
    """Conditions of an offer; the same for a counter-offer."""
    if not to or maker in to:
        return "TRADE-02"
    if maker != table.turn and to != [table.turn]:  # TRADE-03.e1
        return "TRADE-02"
    if not give or not want:
        return "TRADE-05"
    if set(give) & set(want):
        return "TRADE-06"
    if max(want.values()) > BANK_PER_RESOURCE:
        return "COMP-03"
    if not table.holds(maker, give):
        return "TRADE-14"  # e4
    if len(table.offers) >= OPEN_OFFERS:
        return "TRADE-03"
    return None


def why_no_trade(table: Table, seat: int, action: Action) -> str | None:
    """Refusal of offer, counter, accept, reject, confirm, withdraw; during a turn."""
    closed = why_not_now(table)
    if closed is not None:
        return closed
    if action.verb == "offer":
        to = [table.seat_of(color) for color in action.to]
        seats = sorted({s for s in to if s is not None})
        if None in to:
            return "TRADE-02"
        return why_no_new_offer(table, seat, seats, action.give, action.want)
    offer = table.offers.get(action.number)
    if offer is None:
        return "TRADE-03"
    if action.verb == "withdraw":
        return None if seat == offer.maker else "TRADE-14"  # e3
    if action.verb == "confirm":
        partner = table.seat_of(action.color)
        if seat != offer.maker or len(offer.to) == 1 or partner is None or offer.answers.get(partner) != "yes":
            return "TRADE-15"
        return None if table.holds(seat, offer.give) and table.holds(partner, offer.want) else "TRADE-10"
    if seat not in offer.to:
        return "TRADE-02" if table.turn not in (seat, offer.maker) else "TRADE-15"
    if action.verb == "counter":
        return why_no_new_offer(table, seat, [offer.maker], action.give, action.want)
    if action.verb == "reject":
        return "TRADE-15" if offer.answers.get(seat) == "no" else None
    # accept
    if offer.answers.get(seat) == "yes":
        return "TRADE-15"
    if not table.holds(seat, offer.want):
        return "TRADE-10"
    if len(offer.to) == 1 and not table.holds(offer.maker, offer.give):
        return "TRADE-10"  # e1, e2
    return None


def cards_gone(table: Table, seat: int, action: Action) -> bool:
    """For the events: a yes or a choice that fails only because cards have gone meanwhile."""
    offer = table.offers.get(action.number)
    if offer is None or why_no_trade(table, seat, action) != "TRADE-10":
        return False
    return action.verb == "confirm" or table.holds(seat, offer.want)


def do_trade(table: Table, seat: int, action: Action) -> None:
    """Carry out a trade action that is not refused."""
    if action.verb == "offer":
        to = sorted({s for s in map(table.seat_of, action.to) if s is not None})
        open_offer(table, Offer(seat, to, action.give, action.want))
        return
    offer = table.offers[action.number]
    if action.verb == "counter":
        table.events["counter_offer"] += 1
        open_offer(table, Offer(seat, [offer.maker], action.give, action.want))
        say_no(table, action.number, seat)
    elif action.verb == "reject":
        say_no(table, action.number, seat)
    elif action.verb == "withdraw":
        del table.offers[action.number]
    elif action.verb == "confirm":
        partner = table.seat_of(action.color)
        assert partner is not None
        exchange(table, action.number, partner)
        table.events["exchange_by_confirm"] += 1
    elif len(offer.to) == 1:
        exchange(table, action.number, seat)
        table.events["exchange_by_accept"] += 1
    else:
        offer.answers[seat] = "yes"  # TRADE-15.e2: the maker picks
        table.show_held(seat, offer.want)


def open_offer(table: Table, offer: Offer) -> None:
    """A new offer takes the lowest free number; everybody learns that the maker holds what is offered."""
    number = next(n for n in range(1, OPEN_OFFERS + 1) if n not in table.offers)
    table.offers[number] = offer
    table.show_held(offer.maker, offer.give)


def say_no(table: Table, number: int, seat: int) -> None:
    """A no; when all addressees have said no, the offer closes."""
    offer = table.offers[number]
    offer.answers[seat] = "no"
    if all(offer.answers.get(s) == "no" for s in offer.to):
        del table.offers[number]


def exchange(table: Table, number: int, partner: int) -> None:
    """Both sides give at once (TRADE-10); the offer closes, others stay open."""
    offer = table.offers.pop(number)
    changes: dict[int, Resources] = {offer.maker: dict(offer.want), partner: dict(offer.give)}
    for kind, count in offer.give.items():
        changes[offer.maker][kind] = -count
    for kind, count in offer.want.items():
        changes[partner][kind] = -count
    table.move_cards(changes)


def seats_asked(table: Table) -> set[int]:
    """Addressees that have not answered an open offer."""
    if not table.trading_open():
        return set()
    return {seat for offer in table.offers.values() for seat in offer.to if seat not in offer.answers}


def legal_trade(table: Table, seat: int) -> set[str]:
    """Answers, choices and withdrawals; nothing here depends on what the seat cannot know."""
    actions: set[str] = set()
    if not table.trading_open():
        return actions
    for number, offer in table.offers.items():
        if seat == offer.maker:
            actions.add(f"withdraw #{number}")
            if len(offer.to) > 1 and table.holds(seat, offer.give):
                willing_seats = [s for s in offer.to if offer.answers.get(s) == "yes"]
                actions |= {f"confirm #{number} {table.colors[s]}" for s in willing_seats}
        if seat in offer.to:
            if offer.answers.get(seat) != "no":
                actions.add(f"reject #{number}")
            if offer.answers.get(seat) != "yes" and table.holds(seat, offer.want):
                actions.add(f"accept #{number}")
    return actions


def offers_as_dicts(table: Table) -> dict[int, dict[str, object]]:
    """Open offers for states and views (public)."""
    return {
        number: {
            "maker": offer.maker,
            "to": list(offer.to),
            "give": {kind: offer.give[kind] for kind in RESOURCES if offer.give.get(kind)},
            "want": {kind: offer.want[kind] for kind in RESOURCES if offer.want.get(kind)},
            "answers": dict(offer.answers),
        }
        for number, offer in sorted(table.offers.items())
    }


def offer_text(give: Resources, want: Resources, to: list[str]) -> str:
    """An offer as text."""
    return f"offer {write_cards(give)} : {write_cards(want)} to {' '.join(to)}"
