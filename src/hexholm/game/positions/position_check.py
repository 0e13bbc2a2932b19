"""What is wrong with a position that could be read: every sentence says what would be right, with the rule.

Only what can be seen on the table is judged, not whether a game could have led there. Wherever the core knows the
rule, the core is asked: who holds an award, who owes discards, who can be robbed, which offers are allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.core.awards import reassign_largest_army, reassign_longest_road, total_points
from hexholm.rules.core.dice import ALL_PAIRS, BAG_FLOOR, take_turn_roll
from hexholm.rules.core.legal import can_add_road, roads_left, victims_at
from hexholm.rules.core.offers import has_several, judge_offer
from hexholm.rules.core.placement import next_placement
from hexholm.rules.core.roads import measure_road, road_count
from hexholm.rules.encoding.lanes import count_cards, covers, unpack
from hexholm.rules.encoding.phases import (
    CHOOSE_VICTIM,
    DICE_FALL,
    DISCARDING,
    DRAW,
    FREE_ROAD,
    MAIN,
    MOVE_ROBBER,
    OVER,
    PHASES,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    START_ROLL,
    THEFT,
)
from hexholm.rules.encoding.refusals import LEGAL, OFFERS_WHAT_IS_NOT_THERE, refusal_of
from hexholm.rules.encoding.structs import (
    CARD_KINDS,
    KNIGHT,
    NOBODY,
    OFFERS,
    RESOURCES,
    ROAD_BUILDING,
    VICTORY_POINT,
    OpenOffers,
    Scratch,
    State,
)
from hexholm.rules.places import (
    CORNER_NAMES,
    CORNER_NEIGHBORS,
    HALF,
    HEX_NAMES,
    SIDE_CORNERS,
    SIDE_NAMES,
)
from hexholm.rules.reasons import reason_of
from hexholm.rules.setup.options import Options

from ..language.phrases import join_words

PHASE_WORDS: Final = tuple(phase.name.replace(" ", "-") for phase in PHASES)
_ROBBING: Final = (MOVE_ROBBER, CHOOSE_VICTIM, THEFT)
_OFFERS_STAY: Final = (MAIN, FREE_ROAD, DRAW, *_ROBBING)


def bit_places(bits: int) -> list[int]:
    """The places or seats in a set of bits, in order."""
    places = []
    while bits:
        low = bits & -bits
        places.append(low.bit_length() - 1)
        bits ^= low
    return places


def sides_of(s: State, seat: SeatNumber) -> int:
    """The roads of a seat in one set."""
    return s.roads_lo[seat] | s.roads_hi[seat] << HALF


def is_placement(phase: int) -> bool:
    """Whether it is one of the two placement rounds."""
    return phase in (PLACE_SETTLEMENT, PLACE_ROAD)


def placing_seat(player_count: int, first: int, number: int) -> int:
    """Who places start settlement `number`, from 0 to twice the players less one (SETUP-11, SETUP-12)."""
    if number == 0:
        return first
    s = State()
    s.players, s.first, s.placed = player_count, first, number - 1
    next_placement(s)
    return s.active


def full_discards(s: State) -> list[int]:
    """How many cards each seat must discard on a seven, before anybody has chosen (SEVEN-02)."""
    after: State = s.copy()
    take_turn_roll(after, 3, 4)
    return [after.owed[seat] for seat in range(s.players)]


# --- pieces --------------------------------------------------------------------------------------------------


def piece_faults(s: State, colors: tuple[Color, ...]) -> Iterator[str]:
    """One piece to a place, the distance rule, connected roads, the stock."""
    pieces: dict[int, str] = {}
    for seat, color in enumerate(colors):
        for kind, buildings in (("settlement", s.settlements[seat]), ("city", s.cities[seat])):
            for corner in bit_places(buildings):
                piece, name = f"{color}'s {kind}", CORNER_NAMES[corner]
                if corner in pieces:
                    yield f"{piece} at {name} stands where {pieces[corner]} is; a corner holds one piece (BUILD-07)"
                for neighbor in CORNER_NEIGHBORS[corner]:
                    if neighbor in pieces:
                        yield (
                            f"{piece} at {name} is next to {pieces[neighbor]} at {CORNER_NAMES[neighbor]}; "
                            "there must be two sides between buildings (SETTLE-03, SETUP-13)"
                        )
                pieces[corner] = piece
    owner: dict[int, str] = {}
    for seat, color in enumerate(colors):
        for side in bit_places(sides_of(s, seat)):
            if side in owner:
                road = f"{color}'s road {SIDE_NAMES[side]}"
                yield f"{road} lies where {owner[side]} has one; one road to a side (ROAD-02)"
            owner.setdefault(side, color)
        if loose := _loose_roads(s, seat):
            names = ", ".join(SIDE_NAMES[side] for side in loose)
            yield f"{color}'s roads {names} lead to no settlement or city of {color} (ROAD-03)"
        for kind, n, limit in (
            ("settlements", s.settlements[seat].bit_count(), s.settlement_limit),
            ("cities", s.cities[seat].bit_count(), s.city_limit),
            ("roads", road_count(s, seat), s.road_limit),
        ):
            if n > limit:
                yield f"{color} has {n} {kind}; the stock holds {limit} (COMP-05)"


def _loose_roads(s: State, seat: SeatNumber) -> list[int]:
    """Roads that lead to no own building; an opponent's building on the way may have come later."""
    reached = set(bit_places(s.settlements[seat] | s.cities[seat]))
    loose = bit_places(sides_of(s, seat))
    while True:
        touching = [side for side in loose if reached.intersection(SIDE_CORNERS[side])]
        if not touching:
            return loose
        for side in touching:
            reached.update(SIDE_CORNERS[side])
        loose = [side for side in loose if side not in touching]


# --- cards ---------------------------------------------------------------------------------------------------


def card_faults(s: State, colors: tuple[Color, ...], box_supply: int, box_deck: int) -> Iterator[str]:
    """No more cards than the box holds: of resources `box_supply`, of development cards `box_deck` (lanes)."""
    seats = range(len(colors))
    for kind, name in enumerate(RESOURCES):
        hand_count, box_count = sum(unpack(s.hand[seat])[kind] for seat in seats), unpack(box_supply)[kind]
        if hand_count > box_count:
            yield f"the players hold {hand_count} {name}; there are {box_count} in the game (COMP-03)"
    for kind, name in enumerate(CARD_KINDS):
        drawn_count = sum(unpack(s.development[seat])[kind] + unpack(s.played[seat])[kind] for seat in seats)
        box_count = unpack(box_deck)[kind]
        if drawn_count > box_count:
            yield f"the players have drawn {drawn_count} {name} cards; there are {box_count} in the game (COMP-04)"
    for seat, color in enumerate(colors):
        if unpack(s.played[seat])[VICTORY_POINT]:
            yield f"{color} has played victory-point cards; they are not played, they count in the hand (DEV-25)"


# --- awards --------------------------------------------------------------------------------------------------


def rightful_road_holder(s: State, scratch: Scratch) -> int:
    """Who holds Longest Road by the rules, if the holder named in `s` had it so far (LROAD-08 to LROAD-11)."""
    after: State = s.copy()
    reassign_longest_road(after, scratch)
    return after.longest_road


def rightful_army_holders(s: State) -> set[int]:
    """Who may hold Largest Army, if the holder named in `s` had it so far: several if it depends on who was first."""
    holders = set()
    for order in (range(s.players), reversed(range(s.players))):
        after: State = s.copy()
        for seat in order:
            reassign_largest_army(after, seat)
        holders.add(after.largest_army)
    return holders


def award_faults(s: State, scratch: Scratch, colors: tuple[Color, ...]) -> Iterator[str]:
    """The awards lie where the rules put them."""
    road_holder = rightful_road_holder(s, scratch)
    if road_holder != s.longest_road:
        lengths = ", ".join(f"{color} {measure_road(s, scratch, seat)}" for seat, color in enumerate(colors))
        fault = f"longest-road={_holder_name(colors, s.longest_road)}, but the longest roads are {lengths}"
        yield f"{fault}: it belongs to {_holder_name(colors, road_holder)} (LROAD-01, LROAD-10)"
    knights = [unpack(s.played[seat])[KNIGHT] for seat in range(s.players)]
    knight_counts = ", ".join(f"{color} {n}" for color, n in zip(colors, knights, strict=True))
    if s.largest_army != NOBODY and knights[s.largest_army] < s.largest_army_min:
        fault = f"largest-army={colors[s.largest_army]}, but played knights are {knight_counts}"
        yield f"{fault}: it takes {s.largest_army_min} (ARMY-01)"
        return
    holders = rightful_army_holders(s)
    if len(holders) > 1:
        yield f"largest-army is missing: played knights are {knight_counts}; say who was first (ARMY-02)"
    elif holders != {s.largest_army}:
        fault = f"largest-army={_holder_name(colors, s.largest_army)}, but played knights are {knight_counts}"
        yield f"{fault}: it belongs to {_holder_name(colors, holders.pop())} (ARMY-01, ARMY-02)"


def _join_names(names: Iterable[str]) -> str:
    return join_words(list(names) or ["nobody"], "and")


def _holder_name(colors: tuple[Color, ...], seat: SeatNumber) -> str:
    return colors[seat] if seat >= 0 else "nobody"


# --- the turn ------------------------------------------------------------------------------------------------


def flow_faults(s: State, options: Options, hidden: Collection[int] = ()) -> Iterator[str]:
    """Phase, turn and what is open agree; `hidden`: seats whose development cards are not known."""
    phase, colors = s.phase, options.colors
    phase_text, active = f"phase={PHASE_WORDS[phase]}", colors[s.active]
    if phase == START_ROLL:
        yield from _start_roll_faults(s, options)
    elif s.rollers or s.tied or s.best_roll:
        yield f"to-roll, best-roll and best-rollers belong to phase=start-roll, not to {phase_text} (SETUP-06)"
    if is_placement(phase):
        yield from _placement_faults(s, colors)
    if phase <= PLACE_ROAD:
        if any(s.development[seat] or s.played[seat] for seat in range(s.players)):
            yield f"{phase_text}: development cards come after the set-up (SETUP-21)"
        if s.turn_number:
            yield f"{phase_text} with turn-number={s.turn_number}: the first turn comes after the set-up (SETUP-17)"
    else:
        expected_active = (s.first + s.turn_number - 1) % s.players
        if s.turn_number < 1:
            yield f"turn-number={s.turn_number}: turns are counted from 1 (PHASE-01)"
        elif s.active != expected_active:
            yield (
                f"turn {s.turn_number} is {colors[expected_active]}'s, not {active}'s: {colors[s.first]} began and "
                "turns go clockwise (PHASE-01)"
            )
    yield from _dice_faults(s, phase_text)
    yield from _turn_card_faults(s, colors, phase_text)
    if phase == DISCARDING or any(s.discards[seat] for seat in range(s.players)):
        yield from _discard_faults(s, colors)
    yield from _robber_faults(s, colors)
    yield from _free_road_faults(s, active)
    if s.trading_closed and not (s.separate and s.rolled):
        yield "trading=closed: only with phases=separate and after the roll a build or purchase ends trading (PHASE-05)"
    if phase == DRAW:
        if s.deck == 0:
            yield f"{phase_text}: no development card is left to be drawn (DEV-08)"
        if s.separate and not s.trading_closed:
            yield f"{phase_text}: with phases=separate the purchase has ended trading; write trading=closed (PHASE-05)"
    if phase == OVER or s.active not in hidden:
        points, target = total_points(s, s.active), s.points_to_win
        if phase == OVER and points < target:
            yield f"{phase_text}, but {active}, whose turn it is, has {points} of {target} points (WIN-01)"
        elif phase != OVER and points >= target:
            yield f"{active} has {points} of {target} points in the own turn: it is phase=over (WIN-02)"


def _start_roll_faults(s: State, options: Options) -> Iterator[str]:
    colors, rollers = options.colors, sum(1 << seat for seat in options.rollers())
    if not rollers:
        yield f"phase=start-roll, but nobody rolls: {options.who_begins()} begins (SETUP-05)"
        return
    if strangers := (s.rollers | s.tied) & ~rollers:
        names, allowed_names = (
            _join_names(colors[seat] for seat in bit_places(seats)) for seats in (strangers, rollers)
        )
        yield f"to-roll and best-rollers name {names}; only {allowed_names} roll (SETUP-07)"
    if not s.rollers:
        yield "to-roll names nobody; in phase=start-roll somebody is still to roll (SETUP-06)"
        return
    if s.active != min(bit_places(s.rollers)):
        yield f"turn={colors[s.active]}: the next of to-roll is {colors[min(bit_places(s.rollers))]} (SETUP-06)"
    if s.best_roll:
        if not s.tied:
            yield f"best-roll={s.best_roll}: best-rollers must say who rolled it (SETUP-06)"
        elif max(bit_places(s.tied)) >= min(bit_places(s.rollers)):
            yield "best-rollers have rolled before those in to-roll, who follow in the order of the seats (SETUP-06)"
    elif s.tied and (s.tied != s.rollers or not has_several(s.tied)):
        yield "best-rollers without best-roll are those who tied: all of them are in to-roll again (SETUP-07)"
    elif not s.tied and s.rollers != rollers:
        yield "best-roll is missing: some have rolled already, or tie and roll again as best-rollers (SETUP-06)"
    if not s.fixed_start and any(s.settlements[seat] or s.cities[seat] for seat in range(s.players)):
        yield "phase=start-roll with setup=variable: pieces are placed when it is known who begins (SETUP-11)"


def _placement_faults(s: State, colors: tuple[Color, ...]) -> Iterator[str]:
    """Pieces as the order of the placement rounds has them; `s.placed` was counted from them."""
    n, settlement_count = s.players, s.placed + (s.phase == PLACE_ROAD)
    if s.fixed_start:
        yield "placement rounds belong to setup=variable; with setup=fixed all pieces lie there before (SETUP-08)"
        return
    if s.placed < 0:
        yield "phase=road: the settlement at which the road goes is missing (SETUP-11)"
        return
    if s.placed >= 2 * n:
        yield f"{settlement_count} settlements: the placement rounds are over with {2 * n}; write phase=roll (SETUP-17)"
        return
    order = [placing_seat(n, s.first, number) for number in range(settlement_count + 1)]
    if s.active != order[s.placed]:
        expected = colors[order[s.placed]]
        yield f"turn={colors[s.active]}: start settlement {s.placed + 1} is {expected}'s (SETUP-11, SETUP-12)"
        return
    for seat, color in enumerate(colors):
        for pieces, count, due in (
            ("settlements", s.settlements[seat].bit_count(), order[:settlement_count].count(seat)),
            ("roads", road_count(s, seat), order[: s.placed].count(seat)),
            ("cities", s.cities[seat].bit_count(), 0),
        ):
            if count != due:
                yield f"{color} has {count} {pieces}, but {due} by now in the placement rounds (SETUP-11, SETUP-12)"
        corners = set(bit_places(s.settlements[seat]))
        if s.phase == PLACE_ROAD and seat == s.active:
            corners.discard(s.last_corner)
        for side in bit_places(sides_of(s, seat)):
            if not corners.intersection(SIDE_CORNERS[side]):
                yield f"{color}'s road {SIDE_NAMES[side]} is at no start settlement that waits for none (SETUP-11)"


def _dice_faults(s: State, phase_text: str) -> Iterator[str]:
    phase = s.phase
    if s.rolled and phase <= DICE_FALL:
        yield f"{phase_text} with dice={s.die_a}+{s.die_b}: the dice of the turn have not fallen yet (PHASE-03)"
    if not s.rolled and phase in (DISCARDING, MAIN, DRAW):
        yield f"{phase_text}: say what was rolled in this turn, like dice=3+4 (PHASE-03)"
    if not s.balanced_dice:
        return
    gone = ALL_PAIRS & ~s.dice_bag
    if s.dice_bag.bit_count() <= BAG_FLOOR:
        yield f"dice-gone names {gone.bit_count()} pairs; balanced dice start again when {36 - BAG_FLOOR} are gone"
    if s.rolled and gone and not (gone >> (6 * (s.die_a - 1) + s.die_b - 1)) & 1:
        yield f"dice-gone lacks {s.die_a}{s.die_b}, which was rolled in this turn"


def _turn_card_faults(s: State, colors: tuple[Color, ...], phase_text: str) -> Iterator[str]:
    """The development cards of the turn: new ones, and the one that was played."""
    active = colors[s.active]
    if not covers(s.development[s.active], s.new_cards):
        yield f"{active}:new names cards that are not in {active}:cards; those bought in this turn are in both (DEV-04)"
    if s.new_cards and not s.rolled:
        yield f"{active}:new, but the dice have not fallen: cards are bought after the roll (BUILD-05)"
    if s.card_played and not s.played[s.active]:
        yield f"card-played=yes, but {active}:played names no card (DEV-03)"
    if s.card_played and s.phase <= PLACE_ROAD:
        yield f"card-played=yes: in {phase_text} there is no turn yet (SETUP-21)"


def _discard_faults(s: State, colors: tuple[Color, ...]) -> Iterator[str]:
    if s.phase != DISCARDING:
        yield f"cards are chosen for discards in phase=discard, not in phase={PHASE_WORDS[s.phase]} (SEVEN-05)"
        return
    if s.rolled and s.die_a + s.die_b != 7:
        yield f"phase=discard with dice={s.die_a}+{s.die_b}: only a seven makes players discard (SEVEN-01)"
    debts = full_discards(s)
    for seat, color in enumerate(colors):
        choice_size = count_cards(s.discards[seat])
        if choice_size and not covers(s.hand[seat], s.discards[seat]):
            yield f"{color}:chosen names cards that are not in {color}:hand (SEVEN-04)"
        if choice_size > debts[seat]:
            yield f"{color} has chosen {choice_size} cards and must discard {debts[seat]} (SEVEN-02)"
    if not any(debt > count_cards(s.discards[seat]) for seat, debt in enumerate(debts)):
        yield f"phase=discard, but nobody has to: no hand over {s.hand_limit} waits for a choice (SEVEN-02, SEVEN-05)"


def _robber_faults(s: State, colors: tuple[Color, ...]) -> Iterator[str]:
    phase, hex_name = s.phase, HEX_NAMES[s.robber]
    if phase in _ROBBING:
        seven = s.rolled and s.die_a + s.die_b == 7
        if not seven and not (s.card_played and unpack(s.played[s.active])[KNIGHT]):
            yield (
                f"phase={PHASE_WORDS[phase]}: the robber moves on a seven or by a knight; write dice=3+4, "
                f"or card-played=yes with a knight in {colors[s.active]}:played (ROBBER-01)"
            )
    candidates = bit_places(victims_at(s, s.active, s.robber))
    names = _join_names(colors[seat] for seat in candidates)
    if phase == CHOOSE_VICTIM and len(candidates) < 2:
        yield f"phase=victim, but at the robber's hex {hex_name} {names} can be robbed: there is no choice (ROBBER-06)"
    if phase == THEFT:
        if s.victim not in candidates:
            victim = _holder_name(colors, s.victim)
            yield f"victim={victim}, but at the robber's hex {hex_name} {names} can be robbed (ROBBER-05)"
        elif s.hand[s.victim] == 0:
            yield f"victim={colors[s.victim]}, who has no cards: nothing is stolen (ROBBER-07)"
    elif s.victim != NOBODY:
        yield f"victim={colors[s.victim]} belongs to phase=theft, not to phase={PHASE_WORDS[phase]} (ROBBER-05)"


def _free_road_faults(s: State, active: Color) -> Iterator[str]:
    if s.phase != FREE_ROAD:
        if s.free_roads or s.free_placed:
            yield "free-roads and free-placed belong to phase=free-road (DEV-16)"
        return
    if not s.card_played or not unpack(s.played[s.active])[ROAD_BUILDING]:
        yield f"phase=free-road: write card-played=yes and road-building in {active}:played (DEV-16)"
    due = min(2, roads_left(s, s.active) + s.free_placed)
    if not 0 <= s.free_placed < 2 or s.free_roads < 1 or s.free_roads + s.free_placed != due:
        fault_text = f"free-roads={s.free_roads} and free-placed={s.free_placed}"
        yield f"{fault_text}: together they are {due}, and at least one is left to place (DEV-18)"
    elif not can_add_road(s, s.active):
        yield f"phase=free-road, but {active} can place no road (DEV-18)"


# --- offers --------------------------------------------------------------------------------------------------


def offer_faults(s: State, offers: OpenOffers, options: Options, all_resources: int) -> Iterator[str]:
    """Open offers are well-formed, and it is a time at which they can be open; `all_resources` in lanes."""
    colors = options.colors
    open_slots = [slot for slot in range(OFFERS) if offers.give[slot] or offers.want[slot] or offers.to[slot]]
    if open_slots and (s.phase not in _OFFERS_STAY or not s.rolled or s.trading_closed):
        time_text = "after trading=closed" if s.trading_closed else f"in phase={PHASE_WORDS[s.phase]}"
        yield f"no offer is open {time_text}: offers belong to the trade after the roll (TRADE-01, PHASE-05)"
    for slot in open_slots:
        name, maker = f"offer{slot + 1}", offers.maker[slot]
        verdict = judge_offer(s, OpenOffers(), maker, offers.give[slot], offers.want[slot], offers.to[slot])
        if refusal_of(verdict) not in (LEGAL, OFFERS_WHAT_IS_NOT_THERE):  # the cards may have gone since (TRADE-14)
            yield f"{name} of {colors[maker]}: {reason_of(verdict, options)}"
        elif not covers(all_resources, offers.give[slot]):
            yield f"{name} of {colors[maker]}: there are not that many cards of a kind in the game (COMP-03)"
        if offers.yes[slot] and not has_several(offers.to[slot]):
            yield f"{name}: a yes of the only one asked carries the offer out, so it is not open (TRADE-15)"
        if offers.no[slot] == offers.to[slot]:
            yield f"{name}: all have said no, so it is not open (TRADE-03)"
