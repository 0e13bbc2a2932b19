"""What people may do at a table beside playing: sit down, speak, mute, pause, be away, resign, leave.

Each function says what a command would lead to, as :meth:`.table.Table.decide` does, or raises Declined; none changes
anything.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from hexholm.bots import TABLE_BOTS
from hexholm.game.language.clean_text import clean, clean_name, name_key
from hexholm.rules.colors import Color

from ..bot_pool.bot_pool import SUBSTITUTE_BOT
from ..table_literals import Wish
from ..wire import messages
from ..wire.host_refusals import Declined
from . import log
from .agreement import agreed_outcome, bot_takes, can_be_kicked, kick_outcome, stand_in
from .rated_games import check_can_lose_seat
from .seats import Eyes, Guest, Seat
from .state import TableState
from .table_decision import Decision

MOST_SPECTATOR_REMARKS: Final = 500
"""Of all who watch a table, from its beginning to its end: they stay in its log."""
SeatCommand = (
    messages.Say
    | messages.SeatBot
    | messages.Kick
    | messages.Pause
    | messages.End
    | messages.Away
    | messages.Back
    | messages.Resign
    | messages.Leave
    | messages.Mute
    | messages.Silence
    | messages.Rename
    | messages.Pace
)


def decide_seat_command(table: TableState, command: SeatCommand, guest: Guest) -> Decision:
    """What a command would lead to. Raises Declined."""
    match command:
        case messages.Say():
            return _say(table, command, guest)
        case messages.SeatBot():
            return _put(table, command, guest)
        case messages.Kick():
            return _kick(table, command, guest)
        case messages.Pause() | messages.End():
            return _ask_for_pause_or_end(table, command, guest)
        case messages.Away() | messages.Back() | messages.Resign():
            return _change_presence(table, command, guest)
        case messages.Leave():
            return _give_up_seat(table, guest)
        case messages.Mute():
            return _mute(table, command, guest)
        case messages.Silence():
            return _silence(table, command, guest)
        case messages.Rename():
            return _rename(table, command, guest)
        case messages.Pace():
            if table.status == "over":
                raise Declined.because("over")
            check_creator(table, guest)
            return Decision((log.Paced(pace=command.pace),))


def _say(table: TableState, command: messages.Say, guest: Guest) -> Decision:
    if guest.color is None and not table.opening.spectators_speak:
        raise Declined.because("watchers_are_silent")
    if guest.color is not None and table.seats[guest.color].silenced:
        raise Declined.because("silenced")
    text = clean(command.text)
    if not text:
        raise Declined.because("nothing_said")
    if len(text) > messages.LONGEST_TEXT:
        raise Declined.because("said_too_much", most=messages.LONGEST_TEXT)
    if guest.color is not None:
        return Decision((log.Said(color=guest.color, text=text, guest_id=guest.id),))
    if table.spectators_silenced:
        raise Declined.because("silenced")
    if not clean_name(guest.name):
        raise Declined.because("spectator_without_name")
    if table.spectator_remarks >= MOST_SPECTATOR_REMARKS:
        raise Declined.because("spectators_said_enough", most=MOST_SPECTATOR_REMARKS)
    return Decision((log.Said(name=_own_name(table, "", guest.name), text=text, guest_id=guest.id),))


def check_creator(table: TableState, guest: Guest) -> None:
    """Raises Declined for everybody but the one who set up the table."""
    if guest.id != table.creator_id:
        raise Declined.because("creator_only")


def check_dice_words_closed(table: TableState) -> None:
    """Raises Declined while words for the dice are opened.

    If seats could change then, words would be brought anew under the same key of the host, and whoever has that key
    could go on trying until the dice suit.
    """
    if table.fair_dice.open_until is not None:
        raise Declined.because("words_opening")


def _put(table: TableState, command: messages.SeatBot, guest: Guest) -> Decision:
    check_bot_name(command.bot_name)
    check_creator(table, guest)
    seat = table.find_seat(command.color)
    if table.status != "open":
        raise Declined.because("kick_instead")
    check_dice_words_closed(table)
    if seat.sitter == "person":
        raise Declined.because("kick_first", name=seat.name)
    if command.bot_name is None:
        return Decision((log.Seated(color=seat.color, sitter="empty"),))
    if table.opening.chance_source == "people":
        raise Declined.because("no_bots_here")
    return Decision((bot_sits(seat.color, command.bot_name),))


def check_bot_name(bot_name: str | None) -> None:
    """Raises Declined for a bot that is not there to be put on a seat; None is none."""
    if bot_name is not None and bot_name not in TABLE_BOTS:
        raise Declined.because("no_such_player", player=bot_name[:40], players=TABLE_BOTS)


def bot_sits(color: Color, bot_name: str) -> log.Seated:
    """That a bot sits somewhere from now on."""
    return log.Seated(color=color, sitter="bot", name=bot_name, bot_name=bot_name)


def person_sits(color: Color, guest_id: str, name: str) -> log.Seated:
    """That a person sits somewhere from now on, by its name or that of the seat."""
    return log.Seated(color=color, sitter="person", name=clean_name(name) or color, guest_id=guest_id)


def decide_taking_seat(table: TableState, color: Color, guest_id: str, name: str) -> Decision:
    """What taking a seat leads to. Raises Declined."""
    seat = table.find_seat(color)
    if seat.sitter == "bot" and table.status == "open" and guest_id != table.creator_id:
        raise Declined.because("bot_was_put")
    if any(other_seat.guest_id == guest_id for other_seat in table.seats.values() if other_seat.color != color):
        raise Declined.because("one_seat_each")  # nobody plays two colors
    if seat.sitter == "person":
        raise Declined.because("seat_taken", name=seat.name)
    if table.status == "over":
        raise Declined.because("over")
    if table.status == "playing":
        raise Declined.because("seats_stay" if seat.sitter == "bot" else "begun_without_you")
    check_dice_words_closed(table)
    if guest_id in table.kicked_guest_ids:
        raise Declined.because("kicked")
    reservation = table.reservations.get(color)
    if reservation is not None and reservation.guest_id != guest_id:
        raise Declined.because("seat_reserved", name=reservation.name)
    return Decision((person_sits(color, guest_id, _own_name(table, color, name)),))


def _own_name(table: TableState, color: Color, name: str) -> str:
    """A name that nobody else here has: with a number where it could be taken for somebody else's."""
    wanted, number = clean_name(name), 1
    own_name = wanted
    while _is_name_taken(table, color, own_name):
        number += 1
        ending = f" {number}"
        own_name = wanted[: messages.LONGEST_NAME - len(ending)] + ending
    return own_name


def _is_name_taken(table: TableState, color: Color, name: str) -> bool:
    """Whether a name could be taken for that of somebody else who sits here."""
    key = name_key(name)
    return bool(key) and any(
        seat.sitter == "person" and seat.color != color and name_key(seat.name) == key for seat in table.seats.values()
    )


def _kick(table: TableState, command: messages.Kick, guest: Guest) -> Decision:
    seat = table.find_seat(command.color)
    alone = is_word_enough(table, guest)
    if table.status != "playing" or not guest.color:
        check_creator(table, guest)
    if seat.sitter != "person" or seat.guest_id == guest.id:
        raise Declined.because("nobody_to_kick")
    if table.status == "open":
        check_dice_words_closed(table)
        return Decision((log.Seated(color=seat.color, sitter="empty", kicked=seat.guest_id),))
    if table.status == "over":
        raise Declined.because("no_game")
    check_can_lose_seat(table, seat)
    if alone:
        return Decision((bot_takes(seat),))
    if guest.color is None:
        raise Declined.because("only_seated")
    return _ask_to_kick(table, seat, guest.color, on=command.on)


def _ask_to_kick(table: TableState, seat: Seat, color: Color, *, on: bool) -> Decision:
    """Ask in a running game that a seat be taken away, agree to it, or let it be."""
    seats = table.seats.values()
    if not on:
        if color not in seat.kick_wishes:
            raise Declined.because("not_asked")
        return Decision((log.KickWished(by=color, color=seat.color, on=False),))
    if table.seats[color].resigned:
        raise Declined.because("resigned")
    if seat.resigned or (seat.away and not seat.is_away_without_bot):
        raise Declined.because("bot_plays_there", name=seat.name)
    if not can_be_kicked(seat, seats):
        raise Declined.because("too_few_to_kick", name=seat.name)
    bodies: list[log.EntryBody] = []
    if color not in seat.kick_wishes:
        bodies.append(log.KickWished(by=color, color=seat.color))
    outcome = kick_outcome(seat, seats, seat.kick_wishes | {color})
    if outcome is not None:
        bodies.append(outcome)
    if not bodies:
        raise Declined.because("asked_already")
    return Decision((*bodies, *_agreed_after(table, outcome)))


def is_word_enough(table: TableState, guest: Guest) -> bool:
    """Whether the word of one is enough: of the creator, where no person plays."""
    return guest.id == table.creator_id and not any(seat.plays for seat in table.seats.values())


def decide_forgetting(table: TableState, guest_id: str) -> Decision | None:
    """What it leads to that a guest is deleted, None: nothing. In a game that goes on it has resigned.

    Where nobody else plays, the game ends; a table that has not begun ends with the one who set it up.
    """
    seat = next((seat for seat in table.seats.values() if seat.sitter == "person" and seat.guest_id == guest_id), None)
    match table.status:
        case "open" if guest_id == table.creator_id:
            return Decision((log.Ended(how="abandoned"),))
        case "open" if seat is not None and table.fair_dice.open_until is not None:
            # The game begins in a moment, with the words that were promised (:func:`check_dice_words_closed`).
            if sum(other.sitter == "person" for other in table.seats.values()) == 1:
                return Decision((log.Ended(how="abandoned", note="the only person left"),))
            stays = log.Seated(
                color=seat.color, sitter="bot", name=SUBSTITUTE_BOT, bot_name=SUBSTITUTE_BOT, keeps_words=True
            )
            return Decision((stays,))
        case "open" if seat is not None:
            return Decision((log.Seated(color=seat.color, sitter="empty"),))
        case "playing" if seat is not None:
            others = (other for other in table.seats.values() if other.sitter == "person" and not other.resigned)
            if all(other.color == seat.color for other in others):
                return Decision((log.Ended(how="abandoned", note="the only person left"),))
            if not seat.resigned:
                change = _resignation(seat)
                return Decision((change, *_agreed_after(table, change)))
    return None


def _ask_for_pause_or_end(table: TableState, command: messages.Pause | messages.End, guest: Guest) -> Decision:
    wish: Wish = "pause" if isinstance(command, messages.Pause) else "end"
    if wish == "end" and table.status == "open":
        check_creator(table, guest)
        return Decision((log.Ended(how="abandoned"),))
    if table.status != "playing":
        raise Declined.because("no_game")
    if wish == "pause" and table.paused:
        raise Declined.because("paused_already")
    alone = is_word_enough(table, guest)
    if guest.color is None and not alone:
        raise Declined.because("only_seated")
    if not command.on:
        return _withdraw_wish(table, wish, guest)
    if guest.color and table.seats[guest.color].resigned and not alone:
        raise Declined.because("resigned")
    bodies: list[log.EntryBody] = []
    wishes = dict(table.wishes)
    if guest.color and guest.color not in wishes[wish]:
        bodies.append(log.Wished(color=guest.color, what=wish))
        wishes[wish] = wishes[wish] | {guest.color}
    if alone:
        bodies.append(log.Paused(on=True, by=guest.color or "") if wish == "pause" else log.Ended(how="agreed"))
    elif (outcome := agreed_outcome(table.seats.values(), wishes, paused=table.paused)) is not None:
        bodies.append(outcome)
    if not bodies:
        raise Declined.because("asked_already")
    return Decision(tuple(bodies))


def _agreed_after(table: TableState, change: log.EntryBody | None) -> tuple[log.EntryBody, ...]:
    """What the others have agreed on once somebody need no longer be asked, for being away or having lost the seat."""
    seats = dict(table.seats)
    match change:
        case log.AwayChanged() | log.LongGone():
            seat = seats[change.color]
            resigned = isinstance(change, log.AwayChanged) and change.resigned
            long_gone = isinstance(change, log.LongGone) or seat.long_gone
            seats[seat.color] = replace(seat, away=True, resigned=resigned, long_gone=long_gone)
        case log.Seated():
            seats[change.color] = Seat(change.color, change.sitter)
        case _:
            return ()
    outcome = agreed_outcome(seats.values(), table.wishes, paused=table.paused)
    return () if outcome is None else (outcome,)


def decide_resumption(table: TableState, guest: Guest, looking: AbstractSet[Eyes]) -> Decision:
    """What asking that the game go on leads to, where these eyes look. Raises Declined.

    One alone may do it. Who does not look, and so may not know it, is away: their clock stands still and nobody plays
    for them until they are back; else the others' word could end what was agreed, behind their backs.
    """
    if not table.paused:
        raise Declined.because("not_paused")
    if guest.color is None and guest.id != table.creator_id:
        raise Declined.because("only_seated_resume")
    goes_on = log.Paused(on=False, by=guest.color or "")
    if table.opening.is_board_real:  # those with the real board sit at it
        return Decision((goes_on,))
    absent = [
        log.AwayChanged(color=seat.color, away=True)
        for seat in table.seats.values()
        if seat.plays and not seat.away and seat.color not in looking and seat.color != guest.color
    ]
    return Decision((goes_on, *absent))


def decide_absence(table: TableState, color: Color) -> Decision:
    """What it leads to that somebody is gone and keeps the others waiting: a bot stands in, if the table says so.

    Around a real board none does: nobody moves pieces for it.
    """
    seat = table.seats[color]
    is_awaited = table.opening.waits_for_absent or table.opening.is_board_real
    change = log.AwayChanged(color=color, away=True) if is_awaited else stand_in(seat)
    return Decision((change, *_agreed_after(table, change)))


def decide_long_absence(table: TableState, color: Color) -> Decision:
    """What it leads to that somebody has been away for days."""
    change = log.LongGone(color=color)
    return Decision((change, *_agreed_after(table, change)))


def _withdraw_wish(table: TableState, wish: Wish, guest: Guest) -> Decision:
    if guest.color is None or guest.color not in table.wishes[wish]:
        raise Declined.because("not_asked")
    return Decision((log.Wished(color=guest.color, what=wish, on=False),))


def _change_presence(
    table: TableState, command: messages.Away | messages.Back | messages.Resign, guest: Guest
) -> Decision:
    if guest.color is None:
        raise Declined.because("no_seat_of_yours")
    seat = table.seats[guest.color]
    if seat.resigned:
        raise Declined.because("resigned")
    if isinstance(command, messages.Back):
        if not seat.away:
            raise Declined.because("not_away")
        return Decision((log.AwayChanged(color=seat.color, away=False),))
    if table.status != "playing":
        raise Declined.because("no_game")
    resigned = isinstance(command, messages.Resign)
    if seat.away and not resigned:
        raise Declined.because("away_already")
    change = _resignation(seat) if resigned else stand_in(seat)
    return Decision((change, *_agreed_after(table, change)))


def _resignation(seat: Seat) -> log.AwayChanged:
    return log.AwayChanged(color=seat.color, away=True, bot_name=SUBSTITUTE_BOT, resigned=True)


def _give_up_seat(table: TableState, guest: Guest) -> Decision:
    if guest.color is None:
        raise Declined.because("no_seat_of_yours")
    if table.status != "open":
        raise Declined.because("leave_too_late")
    check_dice_words_closed(table)
    return Decision((log.Seated(color=guest.color, sitter="empty"),))


def _mute(table: TableState, command: messages.Mute, guest: Guest) -> Decision:
    color = _speaker(table, command.color)
    if guest.color is None:
        raise Declined.because("mute_needs_seat")
    if color == guest.color:
        raise Declined.because("not_yourself")
    return Decision((log.Muted(by=guest.color, color=color, on=command.on),))


def _speaker(table: TableState, color: Color) -> Color:
    """A seat that somebody named, or "": those who watch, where they may speak. Raises Declined."""
    return color if not color and table.opening.spectators_speak else table.find_seat(color).color


def _silence(table: TableState, command: messages.Silence, guest: Guest) -> Decision:
    check_creator(table, guest)
    color = _speaker(table, command.color)
    if color and table.seats[color].guest_id == guest.id:
        raise Declined.because("not_yourself")
    return Decision((log.Silenced(color=color, on=command.on),))


def _rename(table: TableState, command: messages.Rename, guest: Guest) -> Decision:
    if guest.color is None:
        raise Declined.because("no_seat_of_yours")
    if table.status == "over":
        raise Declined.because("over")
    name = clean_name(command.name)
    if not name:
        raise Declined.because("nothing_said")
    if len(name) > messages.LONGEST_NAME:
        raise Declined.because("said_too_much", most=messages.LONGEST_NAME)
    if _is_name_taken(table, guest.color, name):
        raise Declined.because("name_taken", name=name)
    return Decision((log.Renamed(color=guest.color, name=name, guest_id=guest.id),))
