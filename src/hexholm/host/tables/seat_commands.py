"""What people may do at a table beside playing: sit down, speak, mute, pause, be away, resign, leave.

Each function says what a command would lead to, as :meth:`.table.Table.decide` does, and changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexholm.bots import NAMES
from hexholm.game.language.clean_text import clean

from ..wire import messages as m
from ..wire.refusals import refused
from . import log
from .model import Decision, Guest, Seat

if TYPE_CHECKING:
    from .table import Table

STAND_IN: Final = NAMES[0]
"""The bot that plays for people who are away, and for a bot that fails."""
Manners = (
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


def decide(table: Table, command: Manners, guest: Guest) -> Decision:
    """What a command would lead to."""
    match command:
        case m.Say():
            return _say(table, command, guest)
        case m.Put():
            return _put(table, command, guest)
        case m.Kick():
            return _kick(table, command, guest)
        case m.Pause() | m.End():
            return _wish(table, command, guest)
        case m.Resume():
            return _resume(table, command, guest)
        case m.Away() | m.Back() | m.Resign():
            return _leave(table, command, guest)
        case m.Leave():
            return _give_up_seat(table, command, guest)
        case m.Mute():
            return _mute(table, command, guest)
        case m.Silence():
            return _silence(table, command, guest)
        case m.Rename():
            return _rename(table, command, guest)
        case m.Pace():
            if table.status == "over":
                return _no(command, "over")
            return creator_only(table, command, guest) or Decision((log.Paced(pace=command.pace),), (None,))


def _no(command: m.Command, why: str, **values: Any) -> Decision:
    return Decision(refusal=refused(command.id, why, **values))


def _say(table: Table, command: m.Say, guest: Guest) -> Decision:
    if guest.seat is None:
        return _no(command, "watchers_are_silent")
    if table.seats[guest.seat].silenced:
        return _no(command, "silenced")
    text = clean(command.text)
    if not text:
        return _no(command, "nothing_said")
    if len(text) > m.LONGEST_TEXT:
        return _no(command, "said_too_much", most=m.LONGEST_TEXT)
    return Decision((log.Said(seat=guest.seat, text=text),), (None,))


def creator_only(table: Table, command: m.Command, guest: Guest) -> Decision | None:
    """The refusal for everybody but the one who set up the table."""
    if guest.id != table.creator:
        return _no(command, "creator_only")
    return None


def _seat(table: Table, command: m.Put | m.Kick | m.Mute | m.Silence) -> Seat | Decision:
    if command.seat not in table.seats:
        return _no(command, "no_such_seat", seat=command.seat[:20], seats=table.colors)
    return table.seats[command.seat]


def _put(table: Table, command: m.Put, guest: Guest) -> Decision:
    if no := creator_only(table, command, guest):
        return no
    seat = _seat(table, command)
    if isinstance(seat, Decision):
        return seat
    if table.status != "open":
        return _no(command, "kick_instead")
    if seat.kind == "person":
        return _no(command, "kick_first", name=seat.name)
    if command.player is None:
        return Decision((log.Seated(seat=seat.color, who="empty"),), (None,))
    if table.chance == "people":
        return _no(command, "no_bots_here")
    name = clean(command.player)
    return Decision((log.Seated(seat=seat.color, who="bot", name=name, player=name),), (None,))


def sit(table: Table, seat: str, guest: str, name: str) -> Decision:
    """What taking a free seat leads to; the host has looked at tokens and limits before."""
    command = m.Put(id="", seat=seat)
    found = _seat(table, command)
    if isinstance(found, Decision):
        return found
    if any(other.guest == guest for other in table.seats.values() if other.color != seat):
        return _no(command, "one_seat_each")  # nobody plays two colours
    if found.kind == "person" and found.guest != guest:
        return _no(command, "seat_taken", name=found.name)
    if table.status == "over":
        return _no(command, "over")
    if table.status == "playing":
        return _no(command, "seats_stay" if found.kind == "bot" else "begun_without_you")
    if guest in table.kicked:
        return _no(command, "kicked")
    kept = table.reserved.get(seat)
    if kept is not None and kept.guest != guest:
        return _no(command, "seat_reserved", name=kept.name)
    return Decision((log.Seated(seat=seat, who="person", name=clean(name) or seat, guest=guest),), (None,))


def _kick(table: Table, command: m.Kick, guest: Guest) -> Decision:
    if no := creator_only(table, command, guest):
        return no
    seat = _seat(table, command)
    if isinstance(seat, Decision):
        return seat
    if seat.kind != "person" or seat.guest == guest.id:
        return _no(command, "nobody_to_kick")
    if table.status == "open":
        return Decision((log.Seated(seat=seat.color, who="empty", kicked=seat.guest),), (None,))
    name = seat.player or STAND_IN
    return Decision((log.Seated(seat=seat.color, who="bot", name=name, player=name),), (None,))


def _wish(table: Table, command: m.Pause | m.End, guest: Guest) -> Decision:
    what = "pause" if isinstance(command, m.Pause) else "end"
    if what == "end" and table.status == "open":
        return creator_only(table, command, guest) or Decision((log.Ended(how="abandoned"),), (None,))
    if table.status != "playing":
        return _no(command, "no_game")
    if what == "pause" and table.paused:
        return _no(command, "paused_already")
    if guest.seat is None and guest.id != table.creator:
        return _no(command, "only_seated")
    if not command.on:
        return _unwish(table, command, what, guest)
    if guest.seat and table.seats[guest.seat].resigned and guest.id != table.creator:
        return _no(command, "resigned")
    people = {
        seat.color
        for seat in table.seats.values()
        if seat.kind == "person" and not seat.resigned and (what == "end" or not seat.away)
    }  # who is away may return at any moment, and must find the game that was left
    agreed = table.wishes[what] | ({guest.seat} if guest.seat else set())
    bodies: list[log.Bodies] = []
    if guest.seat and guest.seat not in table.wishes[what]:
        bodies.append(log.Wished(seat=guest.seat, what=what))  # type: ignore[arg-type]
    if guest.id == table.creator or people <= agreed:
        done = log.Paused(on=True, by=guest.seat or "") if what == "pause" else log.Ended(how="agreed")
        bodies.append(done)
    if not bodies:
        return _no(command, "asked_already")
    return Decision(tuple(bodies), (None,) * len(bodies))


def _unwish(table: Table, command: m.Pause | m.End, what: str, guest: Guest) -> Decision:
    """Take a wish back."""
    if guest.seat is None or guest.seat not in table.wishes[what]:
        return _no(command, "not_asked")
    return Decision((log.Wished(seat=guest.seat, what=what, on=False),), (None,))  # type: ignore[arg-type]


def _leave(table: Table, command: m.Away | m.Back | m.Resign, guest: Guest) -> Decision:
    if guest.seat is None:
        return _no(command, "no_seat_of_yours")
    seat = table.seats[guest.seat]
    if seat.resigned:
        return _no(command, "resigned")
    if isinstance(command, m.Back):
        if not seat.away:
            return _no(command, "not_away")
        return Decision((log.Left(seat=seat.color, away=False),), (None,))
    if table.status != "playing":
        return _no(command, "no_game")
    resigned = isinstance(command, m.Resign)
    if seat.away and not resigned:
        return _no(command, "away_already")
    return Decision((log.Left(seat=seat.color, away=True, player=STAND_IN, resigned=resigned),), (None,))


def _give_up_seat(table: Table, command: m.Leave, guest: Guest) -> Decision:
    if guest.seat is None:
        return _no(command, "no_seat_of_yours")
    if table.status != "open":
        return _no(command, "leave_too_late")
    return Decision((log.Seated(seat=guest.seat, who="empty"),), (None,))


def _mute(table: Table, command: m.Mute, guest: Guest) -> Decision:
    seat = _seat(table, command)
    if isinstance(seat, Decision):
        return seat
    if guest.seat is None:
        return _no(command, "mute_needs_seat")
    if seat.color == guest.seat:
        return _no(command, "not_yourself")
    return Decision((log.Muted(by=guest.seat, seat=seat.color, on=command.on),), (None,))


def _silence(table: Table, command: m.Silence, guest: Guest) -> Decision:
    if no := creator_only(table, command, guest):
        return no
    seat = _seat(table, command)
    if isinstance(seat, Decision):
        return seat
    if seat.guest == guest.id:
        return _no(command, "not_yourself")
    return Decision((log.Silenced(seat=seat.color, on=command.on),), (None,))


def _rename(table: Table, command: m.Rename, guest: Guest) -> Decision:
    if guest.seat is None:
        return _no(command, "no_seat_of_yours")
    if table.status == "over":
        return _no(command, "over")
    name = clean(command.name)
    if not name:
        return _no(command, "nothing_said")
    if len(name) > m.LONGEST_NAME:
        return _no(command, "said_too_much", most=m.LONGEST_NAME)
    return Decision((log.Renamed(seat=guest.seat, name=name),), (None,))


def _resume(table: Table, command: m.Resume, guest: Guest) -> Decision:
    if not table.paused:
        return _no(command, "not_paused")
    if guest.seat is None and guest.id != table.creator:
        return _no(command, "only_seated_resume")
    return Decision((log.Paused(on=False, by=guest.seat or ""),), (None,))
