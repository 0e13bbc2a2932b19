"""The core's structs as the plain dicts of the naive twin, so that the two can be compared."""

from __future__ import annotations

from typing import Any

from hexholm.rules.core.limit_tiles import tiles_of, track_of
from hexholm.rules.core.roads import measure_road
from hexholm.rules.encoding.lanes import unpack
from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.structs import CARD_KINDS, OFFERS, RESOURCES, SEATS, Scratch, State, View
from hexholm.rules.places import CORNER_NAMES, HALF, HEX_NAMES, SIDE_NAMES
from hexholm.rules.referee import Referee


def resource_cards(lanes: int) -> dict[str, int]:
    """Resource cards by name."""
    return dict(zip(RESOURCES, unpack(lanes), strict=True))


def development_cards(lanes: int) -> dict[str, int]:
    """Development cards by name."""
    return dict(zip(CARD_KINDS, unpack(lanes), strict=True))


def cards_there(lanes: int) -> dict[str, int]:
    """Resource cards by name, only those that are there."""
    return {name: n for name, n in resource_cards(lanes).items() if n}


def bits(mask: int) -> list[int]:
    """The elements of a bit set."""
    return [i for i in range(mask.bit_length()) if (mask >> i) & 1]


def corners(mask: int) -> list[str]:
    """Names of a set of corners."""
    return sorted(CORNER_NAMES[i] for i in bits(mask))


def sides(lo: int, hi: int) -> list[str]:
    """Names of a set of sides."""
    return sorted(SIDE_NAMES[i] for i in bits(lo) + [i + HALF for i in bits(hi)])


def offers(give: Any, want: Any, maker: Any, to: Any, yes: Any, no: Any) -> dict[int, dict[str, Any]]:
    """Open offers by number."""
    offers_by_number: dict[int, dict[str, Any]] = {}
    for slot in range(OFFERS):
        if give[slot]:
            answers = dict.fromkeys(bits(yes[slot]), "yes") | dict.fromkeys(bits(no[slot]), "no")
            offers_by_number[slot + 1] = {
                "maker": maker[slot],
                "to": bits(to[slot]),
                "give": cards_there(give[slot]),
                "want": cards_there(want[slot]),
                "answers": dict(sorted(answers.items())),
            }
    return offers_by_number


def seat_or_none(seat: int) -> int | None:
    """A seat, or None for nobody."""
    return None if seat < 0 else seat


def public_part(
    s: State, lengths: list[int], open_offers: dict[int, dict[str, Any]], tiles: list[int], track: list[int]
) -> dict[str, Any]:
    """What everybody sees."""
    seats = range(s.players)
    return {
        "phase": PHASES[s.phase].name,
        "turn": s.active,
        "first": seat_or_none(s.first),
        "rolled": bool(s.rolled),
        "card_played": bool(s.card_played),
        "trading_closed": bool(s.trading_closed),
        "free_roads": s.free_roads,
        "dice": [s.die_a, s.die_b] if s.die_a else None,
        "robber": HEX_NAMES[s.robber],
        "supply": resource_cards(s.supply),
        "played": [development_cards(s.played[seat]) for seat in seats],
        "settlements": [corners(s.settlements[seat]) for seat in seats],
        "cities": [corners(s.cities[seat]) for seat in seats],
        "roads": [sides(s.roads_lo[seat], s.roads_hi[seat]) for seat in seats],
        "road_length": lengths,
        "longest_road": seat_or_none(s.longest_road),
        "largest_army": seat_or_none(s.largest_army),
        "points": [s.points[seat] for seat in seats],
        "winner": seat_or_none(s.winner),
        "turn_number": s.turn_number,
        "offers": open_offers,
        "dice_bag": [[i // 6 + 1, i % 6 + 1] for i in bits(s.dice_bag)] if s.balanced_dice else None,
        "limit_tiles": tiles,
        "track": track,
    }


def full_state(referee: Referee) -> dict[str, Any]:
    """Everything, as the twin's `state()` says it."""
    s, t, scratch = referee.state, referee.open_offers, Scratch()
    seats = range(s.players)
    lengths = [measure_road(s, scratch, seat) for seat in seats] if not referee.compiled else compiled_lengths(referee)
    state = public_part(
        s,
        lengths,
        offers(t.give, t.want, t.maker, t.to, t.yes, t.no),
        [tiles_of(s, seat) for seat in seats],
        [track_of(s, seat) for seat in seats],
    )
    state["hands"] = [resource_cards(s.hand[seat]) for seat in seats]
    state["deck"] = development_cards(s.deck)
    state["development"] = [development_cards(s.development[seat]) for seat in seats]
    state["new_cards"] = development_cards(s.new_cards)
    state["total"] = [s.points[seat] + unpack(s.development[seat])[1] * s.points_card for seat in seats]
    state["owed"] = [s.owed[seat] for seat in seats]
    state["discards"] = [resource_cards(s.discards[seat]) if s.discards[seat] else None for seat in seats]
    state["to_act"] = referee.to_act()
    return state


def compiled_lengths(referee: Referee) -> list[int]:
    """Road lengths, from the public view."""
    view = referee.view(None)
    return [view.road_length[seat] for seat in range(view.players)]


def view_data(v: View) -> dict[str, Any]:
    """A view, as the twin's `view(seat)` says it; the belief comes with float weights."""
    seats = range(v.players)
    seat = v.observer if v.observer < SEATS else None
    view = public_part(
        v,
        [v.road_length[s] for s in seats],
        offers(v.offer_give, v.offer_want, v.offer_maker, v.offer_to, v.offer_yes, v.offer_no),
        [v.limit_tile[s] for s in seats],
        [v.track[s] for s in seats],
    )
    view["seat"] = seat
    view["hand"] = None if seat is None else resource_cards(v.hand[seat])
    view["hand_sizes"] = [v.hand_size[s] for s in seats]
    view["development"] = None if seat is None else development_cards(v.development[seat])
    view["card_counts"] = [v.card_count[s] for s in seats]
    view["new_count"] = v.new_count
    view["new_cards"] = development_cards(v.new_cards) if seat == v.active else None
    view["deck_size"] = v.deck_size
    view["own_total"] = None if seat is None else v.own_points
    view["owed"] = [v.owed[s] for s in seats]
    view["to_act"] = bits(v.to_act)
    view["discards"] = resource_cards(v.discards[seat]) if seat is not None and v.discards[seat] else None
    view["revealed"] = [v.revealed[s] for s in seats] if v.revealed[0] >= 0 else None
    view["belief"] = (
        None
        if v.capped
        else {tuple(unpack(v.world_hand[i, s]) for s in seats): v.world_weight[i] for i in range(v.worlds)}
    )
    view["card_belief"] = [
        None
        if v.card_capped[s]
        else {(unpack(v.card_old[s, i]), unpack(v.card_new[s, i])): v.card_ways[s, i] for i in range(v.card_hands[s])}
        for s in seats
    ]
    return view


def differences(core: dict[str, Any], twin: dict[str, Any]) -> list[str]:
    """Where the two disagree, in words; empty if they agree."""
    lines = []
    for key in sorted(core.keys() | twin.keys()):
        core_value, twin_value = core.get(key), twin.get(key)
        if key == "belief":
            assert twin_value is not None
            if core_value is None:  # the flag is up, the weights are approximate: once there were more worlds than room
                continue
            fractions = {hands: weight for weight, hands in twin_value}
            same = core_value.keys() == fractions.keys() and all(
                abs(core_value[h] - float(w)) < 1e-9 for h, w in fractions.items()
            )
        elif key == "card_belief":
            assert core_value is not None
            assert twin_value is not None
            same = all(
                core_odds is None or core_odds == twin_odds
                for core_odds, twin_odds in zip(core_value, twin_value, strict=True)
            )
        else:
            same = core_value == twin_value
        if not same:
            lines.append(f"{key}: core {core_value!r}, twin {twin_value!r}")
    return lines
