"""Both engines side by side, at every step of its own games: `python -m bench.peers.audit --games 20`.

For every action it is looked at whether
- what it lets a player do is what our rules allow in the converted state;
- our rules, given the same action and the same luck, lead from the state before to the very bytes of the state after,
  and points are what pieces and awards are worth;
- the true cards are among those that every observer holds possible.

Where it rules otherwise than the books that is counted by name; whatever has no name is a fault of the adapter (or a
ruling that nobody knew of), and ends the run with an error.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from hexholm.rules.core.legal import victims_at
from hexholm.rules.core.roads import blocked_for
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding import phases
from hexholm.rules.encoding.lanes import single_card, unpack
from hexholm.rules.encoding.structs import NATURE, NOBODY, OBSERVERS, RESOURCES, SEATS, VICTORY_POINT, State
from hexholm.rules.errors import BadInput
from hexholm.rules.reasons import IllegalAction

from .answers import Key, key_of_action, key_of_code
from .catanatron_game import Event, Shadow, event_of
from .library import load_library, make_opponent

ROAD_RULING_FIELDS: Final = ("longest_road", "points", "road_record", "phase", "winner", "free_roads", "free_placed")
"""What another ruling on the longest road changes, at most: the award, points, and with them the end of the game."""


class Audit:
    """What was found in the games that were looked at."""

    def __init__(self) -> None:
        self.steps = self.games = 0
        self.rulings: Counter[str] = Counter()
        """Steps at which it ruled otherwise, by name."""
        self.faults: list[str] = []

    def watch(self, game: Any, compiled: bool | None = None) -> None:
        """Play a game to its end and look at every step."""
        shadow, limit = Shadow(game, compiled), load_library().turns_limit
        state_before = shadow.state()
        self.games += 1
        while game.winning_color() is None and game.state.num_turns < limit:
            self.compare_choices(game, shadow, state_before)
            game.play_tick()
            shadow.catch_up(game)
            state_after = shadow.state()
            if state_after != shadow.reader.whole_state(game, shadow.scratch):
                self.fault(game, "a repeated game is not the same")
            self.compare_step(game, shadow, state_before, state_after)
            self.compare_points(game, shadow, state_after)
            self.compare_belief(game, shadow, state_after)
            state_before = state_after
            self.steps += 1

    def fault(self, game: Any, message: str) -> None:
        """Something that cannot be explained."""
        place = f"seed {game.seed}, action {len(game.state.action_records)}"
        last_action = game.state.action_records[-1] if game.state.action_records else "none"
        self.faults.append(f"{place}: {message}; the last action was {last_action}")

    # --- what may be done ---------------------------------------------------------------------------------------------

    def compare_choices(self, game: Any, shadow: Shadow, state: State) -> None:
        """Its list of actions against ours."""
        island, seat = shadow.reader.island, game.state.current_player_index
        theirs = {key_of_action(action, island) for action in game.playable_actions}
        if state.phase == phases.DISCARDING:
            hand = unpack(state.hand[seat])
            ours: set[Key] = {("DISCARD_RESOURCE", kind) for kind in range(len(RESOURCES)) if hand[kind]}
        else:
            ours = {key_of_code(code) for code in shadow.referee(state).legal(seat)}
        for key in theirs - ours:
            self.allowed_there(game, key, shadow, state, seat)
        for key in ours - theirs:
            self.fault(game, f"our rules allow {key}, its list does not")
        if state.phase == phases.MOVE_ROBBER:
            for action in game.playable_actions:
                self.compare_victims(game, shadow, state, action)

    def allowed_there(self, game: Any, key: Key, shadow: Shadow, state: State, seat: int) -> None:
        """It allows what our rules do not."""
        if key[0] == "BUILD_ROAD":
            reason = shadow.referee(state).why_not(seat, act.simple_action(act.ROAD, key[1]))
            if reason is not None and reason.name == "path_blocked":
                self.rulings["a road past another's building is allowed"] += 1
                return
        if key[0] == "PLAY_YEAR_OF_PLENTY" and len(key) == 2:
            self.rulings["one card by Year of Plenty although there are two"] += 1
            return
        self.fault(game, f"its list allows {key}, our rules do not")

    def compare_victims(self, game: Any, shadow: Shadow, state: State, action: Any) -> None:
        """Whom the robber may steal from: it asks only for those who have cards."""
        coordinate, color = action.value
        seat = game.state.current_player_index
        victims = victims_at(state, seat, shadow.reader.island.hex_of[coordinate])
        seats_with_cards = {victim for victim in range(state.players) if victims >> victim & 1 and state.hand[victim]}
        named_victim = None if color is None else shadow.reader.seat_of[color]
        if (named_victim is None and seats_with_cards) or (
            named_victim is not None and named_victim not in seats_with_cards
        ):
            self.fault(game, f"{action}: our rules say the victims are the seats {sorted(seats_with_cards)}")

    # --- what an action does ------------------------------------------------------------------------------------------

    def compare_step(self, game: Any, shadow: Shadow, state_before: State, state_after: State) -> None:
        """Our rules on the state before must lead to the state after."""
        record = game.state.action_records[-1]
        event = event_of(record, shadow.reader)
        if act.kind_of(event.code) == act.DISCARD_CARD:  # ours are carried out together; theirs card by card
            if state_before.hand[event.seat] - state_after.hand[event.seat] != single_card(
                act.parameter_of(event.code)
            ):
                self.fault(game, "another card is gone by a discard")
            return
        referee = shadow.referee(state_before)
        for seat, code in steps_of(event, referee.state):
            try:
                referee.step(seat, code)
            except IllegalAction as error:
                if error.reason.name == "path_blocked":
                    self.rulings["a road past another's building was built"] += 1
                else:
                    self.fault(game, str(error))
                return
        changed_fields = [name for name in State.fields if field_differs(referee.state, state_after, name)]
        if not changed_fields:
            return
        if record.action.action_type.name == "ROLL" and set(changed_fields) <= {"hand", "supply"}:
            self.rulings["a supply too short paid nothing to its only taker"] += 1
        elif set(changed_fields) <= set(ROAD_RULING_FIELDS):
            self.rulings["the longest road is held by another, or counted otherwise"] += 1
        else:
            self.fault(game, f"other than by our rules: {', '.join(changed_fields)}")

    def compare_points(self, game: Any, shadow: Shadow, state: State) -> None:
        """Points in the open follow from pieces and awards; the lengths of roads may be counted otherwise there."""
        player_state, lengths = game.state.player_state, shadow.view(0, state).raw.road_length
        for color, seat in shadow.reader.seat_of.items():
            if state.points[seat] != player_state[f"P{seat}_VICTORY_POINTS"]:
                self.fault(game, f"seat {seat} has {state.points[seat]} points by our rules")
            all_points = state.points[seat] + unpack(state.development[seat])[VICTORY_POINT]
            if all_points != player_state[f"P{seat}_ACTUAL_VICTORY_POINTS"]:
                self.fault(game, f"seat {seat} has {all_points} points with hidden ones by our rules")
            if lengths[seat] == game.state.board.road_lengths.get(color, 0):
                continue
            if state.reach[seat] & blocked_for(state, seat):
                self.rulings["(a road that ends at another's building has another length)"] += 1
            else:
                self.fault(game, f"the road of seat {seat} is {lengths[seat]} long by our rules")

    # --- what is known ------------------------------------------------------------------------------------------------

    def compare_belief(self, game: Any, shadow: Shadow, state: State) -> None:
        """The truth must be possible for everybody."""
        b = shadow.belief
        truth = tuple(state.hand[seat] for seat in range(SEATS))
        for observer in range(OBSERVERS):
            if state.players <= observer < OBSERVERS - 1:
                continue
            worlds = {
                tuple(b.hand[observer, i, seat] for seat in range(SEATS)): b.weight[observer, i]
                for i in range(b.worlds[observer])
            }
            if b.capped[observer]:
                self.rulings["(more worlds than an observer keeps)"] += 1
            elif not worlds.get(truth, 0.0) > 0:
                self.fault(game, f"observer {observer} holds the true hands impossible")
        for seat in range(state.players):
            new_cards = state.new_cards if seat == state.active else 0
            card_hands = {(b.card_old[seat, i], b.card_new[seat, i]) for i in range(b.card_hands[seat])}
            if (
                state.winner == NOBODY
                and not b.card_capped[seat]
                and (state.development[seat] - new_cards, new_cards) not in card_hands
            ):
                self.fault(game, f"the true development cards of seat {seat} are held impossible")


def field_differs(a: State, b: State, name: str) -> bool:
    """Whether a field has another value."""
    assert State.dtype.fields is not None
    dtype, offset = State.dtype.fields[name][:2]
    return bool((a.buffer[offset : offset + dtype.itemsize] != b.buffer[offset : offset + dtype.itemsize]).any())


def steps_of(event: Event, state: State) -> Iterator[tuple[int, int]]:
    """One of its actions as the steps that our rules take; the state is looked at between them."""
    seat, code, victim, robber = event
    match act.kind_of(code):
        case act.DICE:
            yield seat, act.ROLL
            yield NATURE, code
        case act.DRAWN:
            yield seat, act.BUY
            yield NATURE, code
        case act.ROBBER | act.STOLEN:
            yield seat, act.simple_action(act.ROBBER, robber)
            if state.phase == phases.CHOOSE_VICTIM:
                victims = [
                    victim_seat
                    for victim_seat in range(state.players)
                    if victims_at(state, seat, robber) >> victim_seat & 1
                ]
                yield seat, act.simple_action(act.STEAL, victims[0] if victim == NOBODY else victim)
            if victim != NOBODY:
                yield NATURE, code
        case _:
            yield seat, code


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=20, help="games to look at (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default 1)")
    parser.add_argument("--players", type=int, default=4, choices=(2, 3, 4))
    parser.add_argument("--by", default="Random", help="who plays: Random, ValueFunction, ... (default Random)")
    arguments = parser.parse_args()
    try:
        result = audit(range(arguments.seed, arguments.seed + arguments.games), arguments.players, arguments.by)
    except BadInput as error:
        sys.exit(str(error))
    print(f"{result.games} games, {result.steps} actions, {len(result.faults)} unexplained")
    for ruling, n in result.rulings.most_common():
        print(f"{n:>8}  {ruling}")
    for fault in result.faults[:20]:
        print(fault)
    sys.exit(bool(result.faults))


def audit(seeds: range, player_count: int = 4, by: str = "Random", compiled: bool | None = True) -> Audit:
    """Look at a game for every seed."""
    peer, result = load_library(), Audit()
    for seed in seeds:
        random.seed(seed)
        players = [make_opponent(by, color) for color in list(peer.Color)[:player_count]]
        result.watch(peer.Game(players, seed=seed), compiled)
    return result


if __name__ == "__main__":
    main()
