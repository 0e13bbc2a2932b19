"""What people may do at a table beside playing: sit down, speak, mute, pause, be away, resign, leave.

Each function says what a command would lead to, as :meth:`.table.Table.decide` does, and changes nothing.
"""

from __future__ import annotations

from hexholm.bots import TABLE_BOTS
from hexholm.game.language.clean_text import clean

from ..bot_pool.bot_pool import SUBSTITUTE_BOT
from ..wire import messages as m
from . import log
from .seats import Guest, Seat
from .state import TableState
from .table_decision import Decision, refuse

SeatCommand = (
    m.Say
    | m.Put
    | m.Kick
    | m.Pause
    | m.Resume
    | m.End
    | m.Away
    | m.Back
    | m.Resign
    | m.Leave
    | m.Mute
    | m.Silence
    | m.Rename
    | m.Pace
)


def decide_seat_command(table: TableState, command: SeatCommand, guest: Guest) -> Decision:
    """What a command would lead to."""
    match command:
        case m.Say():
            return _say(table, command, guest)
        case m.Put():
            return _put(table, command, guest)
        case m.Kick():
            return _kick(table, command, guest)
        case m.Pause() | m.End():
            return _ask_for_pause_or_end(table, command, guest)
        case m.Resume():
            return _resume(table, guest)
        case m.Away() | m.Back() | m.Resign():
            return _leave(table, command, guest)
        case m.Leave():
            return _give_up_seat(table, guest)
        case m.Mute():
            return _mute(table, command, guest)
        case m.Silence():
            return _silence(table, command, guest)
        case m.Rename():
            return _rename(table, command, guest)
        case m.Pace():
            if table.status == "over":
                return refuse("over")
            return refuse_unless_creator(table, guest) or Decision((log.Paced(pace=command.pace),))


def _say(table: TableState, command: m.Say, guest: Guest) -> Decision:
    if guest.seat is None:
        return refuse("watchers_are_silent")
    if table.seats[guest.seat].silenced:
        return refuse("silenced")
    text = clean(command.text)
    if not text:
        return refuse("nothing_said")
    if len(text) > m.LONGEST_TEXT:
        return refuse("said_too_much", most=m.LONGEST_TEXT)
    return Decision((log.Said(seat=guest.seat, text=text),))


def refuse_unless_creator(table: TableState, guest: Guest) -> Decision | None:
    """The refusal for everybody but the one who set up the table."""
    if guest.id != table.creator:
        return refuse("creator_only")
    return None


def _find_seat(table: TableState, color: str) -> Seat | Decision:
    no = table.refuse_unknown_seat(color)
    return table.seats[color] if no is None else Decision(refusal=no)


def _put(table: TableState, command: m.Put, guest: Guest) -> Decision:
    if command.bot is not None and command.bot not in TABLE_BOTS:
        return refuse("no_such_player", player=command.bot[:40], players=TABLE_BOTS)
    if no := refuse_unless_creator(table, guest):
        return no
    seat = _find_seat(table, command.seat)
    if isinstance(seat, Decision):
        return seat
    if table.status != "open":
        return refuse("kick_instead")
    if seat.kind == "person":
        return refuse("kick_first", name=seat.name)
    if command.bot is None:
        return Decision((log.Seated(seat=seat.color, who="empty"),))
    if table.chance_source == "people":
        return refuse("no_bots_here")
    name = clean(command.bot)
    return Decision((log.Seated(seat=seat.color, who="bot", name=name, bot=name),))


def sit_down(table: TableState, seat: str, guest_id: str, name: str) -> Decision:
    """What sitting down leads to; one's own seat again: to no entry, only to another token."""
    found = _find_seat(table, seat)
    if isinstance(found, Decision):
        return found
    if found.kind == "person" and found.guest == guest_id:
        return Decision()
    if found.kind == "bot" and table.status == "open" and guest_id != table.creator:
        return refuse("bot_was_put")
    if any(other.guest == guest_id for other in table.seats.values() if other.color != seat):
        return refuse("one_seat_each")  # nobody plays two colours
    if found.kind == "person":
        return refuse("seat_taken", name=found.name)
    if table.status == "over":
        return refuse("over")
    if table.status == "playing":
        return refuse("seats_stay" if found.kind == "bot" else "begun_without_you")
    if guest_id in table.kicked:
        return refuse("kicked")
    kept = table.reserved.get(seat)
    if kept is not None and kept.guest != guest_id:
        return refuse("seat_reserved", name=kept.name)
    return Decision((log.Seated(seat=seat, who="person", name=clean(name) or seat, guest=guest_id),))


def _kick(table: TableState, command: m.Kick, guest: Guest) -> Decision:
    if no := refuse_unless_creator(table, guest):
        return no
    seat = _find_seat(table, command.seat)
    if isinstance(seat, Decision):
        return seat
    if seat.kind != "person" or seat.guest == guest.id:
        return refuse("nobody_to_kick")
    if table.status == "open":
        return Decision((log.Seated(seat=seat.color, who="empty", kicked=seat.guest),))
    name = seat.bot_name or SUBSTITUTE_BOT
    return Decision((log.Seated(seat=seat.color, who="bot", name=name, bot=name),))


def _ask_for_pause_or_end(table: TableState, command: m.Pause | m.End, guest: Guest) -> Decision:
    what: m.Wish = "pause" if isinstance(command, m.Pause) else "end"
    if what == "end" and table.status == "open":
        return refuse_unless_creator(table, guest) or Decision((log.Ended(how="abandoned"),))
    if table.status != "playing":
        return refuse("no_game")
    if what == "pause" and table.paused:
        return refuse("paused_already")
    if guest.seat is None and guest.id != table.creator:
        return refuse("only_seated")
    if not command.on:
        return _withdraw_wish(table, what, guest)
    if guest.seat and table.seats[guest.seat].resigned and guest.id != table.creator:
        return refuse("resigned")
    people = {
        seat.color
        for seat in table.seats.values()
        if seat.kind == "person" and not seat.resigned and (what == "end" or not seat.away)
    }  # who is away may return at any moment, and must find the game that was left
    agreed = table.wishes[what] | ({guest.seat} if guest.seat else set())
    bodies: list[log.EntryBody] = []
    if guest.seat and guest.seat not in table.wishes[what]:
        bodies.append(log.Wished(seat=guest.seat, what=what))
    if guest.id == table.creator or people <= agreed:
        done = log.Paused(on=True, by=guest.seat or "") if what == "pause" else log.Ended(how="agreed")
        bodies.append(done)
    if not bodies:
        return refuse("asked_already")
    return Decision(tuple(bodies))


def _withdraw_wish(table: TableState, what: m.Wish, guest: Guest) -> Decision:
    if guest.seat is None or guest.seat not in table.wishes[what]:
        return refuse("not_asked")
    return Decision((log.Wished(seat=guest.seat, what=what, on=False),))


def _leave(table: TableState, command: m.Away | m.Back | m.Resign, guest: Guest) -> Decision:
    if guest.seat is None:
        return refuse("no_seat_of_yours")
    seat = table.seats[guest.seat]
    if seat.resigned:
        return refuse("resigned")
    if isinstance(command, m.Back):
        if not seat.away:
            return refuse("not_away")
        return Decision((log.Left(seat=seat.color, away=False),))
    if table.status != "playing":
        return refuse("no_game")
    resigned = isinstance(command, m.Resign)
    if seat.away and not resigned:
        return refuse("away_already")
    return Decision((log.Left(seat=seat.color, away=True, bot=SUBSTITUTE_BOT, resigned=resigned),))


def _give_up_seat(table: TableState, guest: Guest) -> Decision:
    if guest.seat is None:
        return refuse("no_seat_of_yours")
    if table.status != "open":
        return refuse("leave_too_late")
    return Decision((log.Seated(seat=guest.seat, who="empty"),))


def _mute(table: TableState, command: m.Mute, guest: Guest) -> Decision:
    seat = _find_seat(table, command.seat)
    if isinstance(seat, Decision):
        return seat
    if guest.seat is None:
        return refuse("mute_needs_seat")
    if seat.color == guest.seat:
        return refuse("not_yourself")
    return Decision((log.Muted(by=guest.seat, seat=seat.color, on=command.on),))


def _silence(table: TableState, command: m.Silence, guest: Guest) -> Decision:
    if no := refuse_unless_creator(table, guest):
        return no
    seat = _find_seat(table, command.seat)
    if isinstance(seat, Decision):
        return seat
    if seat.guest == guest.id:
        return refuse("not_yourself")
    return Decision((log.Silenced(seat=seat.color, on=command.on),))


def _rename(table: TableState, command: m.Rename, guest: Guest) -> Decision:
    if guest.seat is None:
        return refuse("no_seat_of_yours")
    if table.status == "over":
        return refuse("over")
    name = clean(command.name)
    if not name:
        return refuse("nothing_said")
    if len(name) > m.LONGEST_NAME:
        return refuse("said_too_much", most=m.LONGEST_NAME)
    return Decision((log.Renamed(seat=guest.seat, name=name),))


def _resume(table: TableState, guest: Guest) -> Decision:
    if not table.paused:
        return refuse("not_paused")
    if guest.seat is None and guest.id != table.creator:
        return refuse("only_seated_resume")
    return Decision((log.Paused(on=False, by=guest.seat or ""),))
