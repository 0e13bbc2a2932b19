"""One of its games as our structs: the whole state, what every observer can infer, and the view of a seat.

A :class:`Reader` turns the state of its game into our `State`: its board, cards, pieces, awards and points as *it* has
them, wrong rulings included. A :class:`Shadow` follows a game by the records of its actions: it has its engine repeat
each of them on a copy, and our own belief kernels look at before and after. What a player of ours gets is the view that
our core makes of these structs (`do_view`), so what is hidden from a seat here is hidden from it there.

Nothing here imports Catanatron: games are taken as they come, and enumerations are known by the names of their members.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from hexholm.game.game import SeatView
from hexholm.rules.compilation import mode
from hexholm.rules.compilation.kernels import fast
from hexholm.rules.core import entry_points
from hexholm.rules.core.placement import lay_board
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding import phases
from hexholm.rules.encoding.lanes import pack, single_card
from hexholm.rules.encoding.structs import NOBODY, Belief, OpenOffers, Scratch, State, View
from hexholm.rules.errors import BadInput
from hexholm.rules.initial_state import rules_in_force
from hexholm.rules.places import HALF
from hexholm.rules.referee import Referee
from hexholm.rules.setup.options import Options, check_options

from . import kernels
from .answers import PLACED, PLAIN
from .island import CARD, CARDS, KIND, RESOURCES, Island

FREE_ROADS: Final = 2
_PHASES: Final = {
    "BUILD_INITIAL_SETTLEMENT": phases.PLACE_SETTLEMENT,
    "BUILD_INITIAL_ROAD": phases.PLACE_ROAD,
    "DISCARD": phases.DISCARDING,
    "MOVE_ROBBER": phases.MOVE_ROBBER,
}
_CODES: Final = {name: kind for kind, name in (PLAIN | PLACED).items()}


def rules_of(game: Any) -> Options:
    """Its rules in our words: the fifth edition with trade and build combined is nearest."""
    colors = tuple(color.name.lower() for color in game.state.colors)
    return check_options(
        edition="fifth",
        setup="variable",
        phases="combined",
        players=len(colors),
        two_players=len(colors) == 2,
        colors=colors,
        first=0,
        points_to_win=game.vps_to_win,
        hand_limit=game.state.discard_limit,
        friendly_robber=bool(game.state.friendly_robber),
    )


class Reader:
    """Reads the states of one game; seats are the places in its seating order, the first one begins."""

    def __init__(self, game: Any) -> None:
        self.island = Island(game.state.board.map)
        self.options = rules_of(game)
        self.seat_of = {color: seat for seat, color in enumerate(game.state.colors)}
        self.blank = rules_in_force(self.options)
        lay_board(self.blank, self.island.layout.board)
        self.blank.first = 0
        self.blank.second_road_optional = 0  # there the second free road must be placed if it can be
        self._hand_keys = [[f"P{seat}_{name}_IN_HAND" for name in RESOURCES] for seat in self.seat_of.values()]
        self._card_keys = [[f"P{seat}_{name}_IN_HAND" for name in CARDS] for seat in self.seat_of.values()]
        self._played_keys = [[f"P{seat}_PLAYED_{name}" for name in CARDS] for seat in self.seat_of.values()]

    def whole_state(self, game: Any, scratch: Scratch, core: Any = kernels) -> State:
        """The state of the game; `core` has the kernel that derives what follows from the pieces."""
        state: State = self.blank.copy()
        self.read_cards(game, state)
        self.read_pieces(game, state)
        core.do_refresh(state.buffer, scratch.buffer)
        state.road_record = max(state.longest_road_min - 1, game.state.board.road_length)  # what it compares with
        return state

    # --- cards, and whose turn it is ----------------------------------------------------------------------------------

    def read_cards(self, game: Any, s: State) -> None:
        """All that an action can change but for the pieces: cards, points, and where in the turn the game is."""
        its_state = game.state
        player_state, seats = its_state.player_state, s.players
        bank = dict(zip(("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE"), its_state.resource_freqdeck, strict=True))
        s.supply = pack([bank[name] for name in RESOURCES])
        s.deck = pack([its_state.development_listdeck.count(name) for name in CARDS])
        for seat in range(seats):
            s.hand[seat] = pack([player_state[key] for key in self._hand_keys[seat]])
            s.development[seat] = pack([player_state[key] for key in self._card_keys[seat]])
            s.played[seat] = pack([player_state[key] for key in self._played_keys[seat]])
            s.points[seat] = player_state[f"P{seat}_VICTORY_POINTS"]
            s.owed[seat] = its_state.discard_counts[seat] if its_state.current_prompt.name == "DISCARD" else 0
        s.active = turn = its_state.current_turn_index
        s.rolled = bool(player_state[f"P{turn}_HAS_ROLLED"])
        s.card_played = bool(player_state[f"P{turn}_HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN"])
        s.turn_number = 0 if its_state.is_initial_build_phase else its_state.num_turns - 2 * (seats - 1) + 1
        s.free_roads = (
            min(its_state.free_roads_available, player_state[f"P{turn}_ROADS_AVAILABLE"])
            if its_state.is_road_building
            else 0
        )
        s.free_placed = FREE_ROADS - its_state.free_roads_available if its_state.is_road_building else 0
        s.phase = self._phase(its_state, s)
        s.winner = NOBODY if (winner := game.winning_color()) is None else self.seat_of[winner]
        if s.winner != NOBODY:
            s.phase = phases.OVER
        self._read_turn(its_state, s)

    def _phase(self, its_state: Any, s: State) -> int:
        prompt = its_state.current_prompt.name
        if prompt in _PHASES:
            return _PHASES[prompt]
        if its_state.is_road_building:
            return phases.FREE_ROAD
        return phases.MAIN if s.rolled else phases.BEFORE_ROLL

    @staticmethod
    def _read_turn(its_state: Any, s: State) -> None:
        """The dice and the development cards bought since the last turn ended: both stand in the log alone."""
        s.new_cards = s.die_a = s.die_b = 0
        for record in reversed(its_state.action_records):
            match record.action.action_type.name:
                case "END_TURN":
                    return
                case "ROLL":
                    s.die_a, s.die_b = record.result
                case "BUY_DEVELOPMENT_CARD":
                    s.new_cards += single_card(CARD[record.result])

    # --- pieces and awards --------------------------------------------------------------------------------------------

    def read_pieces(self, game: Any, s: State) -> None:
        """What stands on the board, and who holds the awards as it says."""
        its_state, island = game.state, self.island
        for node, (color, kind) in its_state.board.buildings.items():
            buildings = s.cities if kind == "CITY" else s.settlements
            buildings[self.seat_of[color]] |= 1 << island.corner_of[node]
        for (a, b), color in its_state.board.roads.items():
            if a < b:
                side = island.side_of[a, b]
                if side < HALF:
                    s.roads_lo[self.seat_of[color]] |= 1 << side
                else:
                    s.roads_hi[self.seat_of[color]] |= 1 << (side - HALF)
        s.robber = island.hex_of[its_state.board.robber_coordinate]
        s.longest_road = s.largest_army = NOBODY
        for seat in range(s.players):
            if its_state.player_state[f"P{seat}_HAS_ROAD"]:
                s.longest_road = seat
            if its_state.player_state[f"P{seat}_HAS_ARMY"]:
                s.largest_army = seat
        self._read_placement(its_state, s)

    def _read_placement(self, its_state: Any, s: State) -> None:
        """The start settlements in the order in which they were placed."""
        first_actions = [record.action for record in its_state.action_records[: 4 * s.players]]
        start_settlements = [
            (self.seat_of[action.color], self.island.corner_of[action.value])
            for action in first_actions
            if action.action_type.name == "BUILD_SETTLEMENT"
        ]
        for seat, corner in start_settlements[s.players : 2 * s.players]:
            s.second_corner[seat] = corner
        if start_settlements:
            s.last_corner = start_settlements[-1][1]
        s.placed = len(start_settlements) - 1 if s.phase == phases.PLACE_ROAD else len(start_settlements)


# --- what happened --------------------------------------------------------------------------------------------------


class Event(NamedTuple):
    """One of its actions as ours: who, what, who lost a card by it, and where the robber went."""

    seat: int
    code: int
    victim: int = NOBODY
    robber: int = NOBODY


def event_of(record: Any, reader: Reader) -> Event:
    """What a record of its log says. Of two steps of ours, such as buying and drawing, the one that tells more."""
    action = record.action
    kind, value, island, seat = action.action_type.name, action.value, reader.island, reader.seat_of[action.color]
    match kind:
        case "ROLL":
            return Event(seat, act.dice_outcome(*record.result))
        case "BUY_DEVELOPMENT_CARD":
            return Event(seat, act.simple_action(act.DRAWN, CARD[record.result]))
        case "MOVE_ROBBER":
            robber_hex = island.hex_of[value[0]]
            if record.result is None:
                return Event(seat, act.simple_action(act.ROBBER, robber_hex), NOBODY, robber_hex)
            return Event(seat, act.simple_action(act.STOLEN, KIND[record.result]), reader.seat_of[value[1]], robber_hex)
        case "BUILD_SETTLEMENT" | "BUILD_CITY":
            return Event(seat, act.simple_action(_CODES[kind], island.corner_of[value]))
        case "BUILD_ROAD":
            return Event(seat, act.simple_action(act.ROAD, island.side(value)))
        case "PLAY_MONOPOLY" | "DISCARD_RESOURCE":
            return Event(seat, act.simple_action(_CODES[kind], KIND[value]))
        case "PLAY_YEAR_OF_PLENTY":
            first, *second = [KIND[name] for name in value]
            return Event(seat, act.plenty_action(first, second[0] if second else act.NO_SECOND))
        case "MARITIME_TRADE":
            rate = sum(name is not None for name in value[:4])
            return Event(seat, act.supply_action(KIND[value[0]], rate, single_card(KIND[value[4]])))
    if kind in _CODES:
        return Event(seat, _CODES[kind])
    return Event(seat, act.CONFIRM)  # a trade among players: if hands change, all see how


class Shadow:
    """Our state of one of its games, brought up to date whenever one of our players is asked."""

    def __init__(self, game: Any, compiled: bool | None = None) -> None:
        if not game.state.is_initial_build_phase:
            raise BadInput(
                "a game can be followed from its set-up on: later, what a seat has seen is not known any more"
            )
        self.compiled = mode.runs_compiled(compiled)
        self._core: Any = fast() if self.compiled else _interpreted
        self._game = game.copy()
        self.reader = Reader(game)
        self.open_offers, self.belief, self.scratch, self._state_before = OpenOffers(), Belief(), Scratch(), State()
        self._state: State = self.reader.blank.copy()
        self.reader.read_cards(self._game, self._state)
        self._core.do_start_belief(self.belief.buffer, self._state.buffer)  # in the set-up all cards lie open

    def follows(self, game: Any) -> bool:
        """Whether this is the same game, further on."""
        return bool(game.id == self._game.id and len(game.state.action_records) >= len(self._game.state.action_records))

    def catch_up(self, game: Any) -> None:
        """Look at all that has happened since."""
        for record in game.state.action_records[len(self._game.state.action_records) :]:
            self.see(record)

    def see(self, record: Any) -> None:
        """Repeat one action, and tell the observers."""
        event = event_of(record, self.reader)
        self._state_before.buffer[:] = self._state.buffer
        self._state_before.victim = event.victim
        self._game.execute(record.action, validate_action=False, action_record=record)
        self.reader.read_cards(self._game, self._state)
        self._core.do_observe(
            self.belief.buffer,
            self.scratch.buffer,
            self._state_before.buffer,
            self._state.buffer,
            event.seat,
            event.code,
        )

    def state(self) -> State:
        """The whole state as it is now."""
        return self.reader.whole_state(self._game, self.scratch, self._core)

    def view(self, seat: int, state: State | None = None) -> SeatView:
        """What a seat may know, now or in a state that follows from now."""
        raw, state = View(), state or self.state()
        self._core.do_view(
            state.buffer, self.open_offers.buffer, self.belief.buffer, self.scratch.buffer, raw.buffer, seat
        )
        return SeatView(self.reader.options, self.reader.island.layout, raw, self.compiled)

    def referee(self, state: State) -> Referee:
        """Our rules on a copy of a state: to ask what may be done and what follows; the observers are not told."""
        return Referee(self.reader.options, self.reader.island.layout, state.copy(), self.compiled)


class _Interpreted:
    """The same entry points as plain Python functions."""

    do_start_belief, do_view = staticmethod(entry_points.do_start_belief), staticmethod(entry_points.do_view)
    do_observe, do_refresh = staticmethod(kernels.do_observe), staticmethod(kernels.do_refresh)


_interpreted = _Interpreted()
