"""Every way in which the host itself says no, by name, so that other languages can say it too.

What the rules refuse has its names in `rules/core/refusals.py`. Here are those of tables, seats and doors: a code for
programs, an English sentence with {slots}, and where the almanac explains it a rule that leads there. :func:`refused`
makes the message; its `values` fill the slots.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from hexholm.rules.core.phases import PHASES
from hexholm.rules.core.refusals import REFUSALS
from hexholm.rules.options import Options
from hexholm.rules.referee import Reason

from . import messages as m


class Said(NamedTuple):
    """One way to say no."""

    code: str
    text: str
    rule: str = ""
    """The rule that explains it, where the almanac has something to say about it."""


SAID: Final = {
    # Acting
    "watching": Said("not_allowed", "those who watch cannot act; take a seat"),
    "not_begun": Said("not_allowed", "the game has not begun"),
    "over": Said("stopped", "the game is over", "WIN-02"),
    "paused": Said("stopped", "the game is paused"),
    "resigned": Said("not_allowed", "you have resigned"),
    "bot_plays": Said("not_allowed", "a bot plays for you; come back first"),
    "question_closed": Said("closed", "question {asked} is closed; the one asked now is {now}"),
    "unreadable_action": Said("not_readable", "{detail}"),
    "not_your_seat": Said("not_allowed", "that is for {other} to do, and {other} is not your seat"),
    "two_meanings": Said("two_meanings", "{detail}"),
    "cannot_be_played": Said("not_allowed", "{detail}"),
    # Real dice and cards
    "host_deals": Said("not_allowed", "at this table the host rolls and deals"),
    "nothing_to_tell": Said("closed", "nothing is left to chance now"),
    "others_tell": Said("not_allowed", "that is for {seat} alone to tell", "INFO-07"),
    "told_already": Said("closed", "that has been told already"),
    "cannot_come_out": Said("not_readable", "'{outcome}' cannot come out now"),
    "went_on": Said("closed", "something has happened since; look again"),
    "nothing_to_take_back": Said("not_allowed", "nobody has acted yet"),
    "host_has_dealt": Said("not_allowed", "the host has dealt a card since; that cannot be taken back", "INFO-06"),
    "no_bots_here": Said("not_allowed", "people draw the cards here, and nobody can for a bot"),
    # Speaking
    "watchers_are_silent": Said("not_allowed", "those who watch cannot speak at the table"),
    "nothing_said": Said("not_readable", "there is nothing to say"),
    "said_too_much": Said("too_much", "say it in at most {most} characters"),
    "said_too_often": Said("too_much", "at most {most} remarks in {seconds} seconds"),
    "offered_too_often": Said("too_much", "at most {most} offers and withdrawals in {seconds} seconds", "TRADE-03"),
    "asked_too_often": Said("too_much", "at most {most} of these commands in {seconds} seconds"),
    "silenced": Said("not_allowed", "the one who set up the table lets you speak no more"),
    "mute_needs_seat": Said("not_allowed", "those who watch cannot mute anybody; take a seat"),
    "not_yourself": Said("not_allowed", "that seat is your own"),
    # The table
    "creator_only": Said("not_allowed", "only the one who set up the table can do that"),
    "begun_already": Said("not_allowed", "the game has begun already"),
    "seats_free": Said("not_allowed", "seats are still free: {seats}; put a bot there, or wait", "COMP-12"),
    "no_such_seat": Said("not_readable", "no seat '{seat}' here; they are {seats}", "COMP-08"),
    "no_seat_here": Said("not_found", "there is no seat '{seat}' here; they are {seats}", "COMP-08"),
    "no_such_player": Said("not_readable", "there is no player '{player}'; there are {players}"),
    "kick_instead": Said("not_allowed", "the game has begun; kick the player, and a bot goes on"),
    "kick_first": Said("not_allowed", "{name} sits there; kick them first"),
    "nobody_to_kick": Said("not_allowed", "there is nobody else to kick on that seat"),
    "one_seat_each": Said("not_allowed", "you hold a seat at this table already"),
    "seat_taken": Said("not_allowed", "{name} sits there already"),
    "seat_reserved": Said("not_allowed", "the seat is kept for {name} for some minutes"),
    "kicked": Said("not_allowed", "the one who set up the table has kicked you; you can watch"),
    "bot_was_put": Said("not_allowed", "a bot was put there; the host of the table frees it"),
    "begun_without_you": Said("not_allowed", "the game has begun without you; you can watch"),
    "seats_stay": Said("not_allowed", "a bot plays there; in a running game seats stay as they are"),
    "no_seat_of_yours": Said("not_allowed", "you have no seat here"),
    "seat_lost": Said("not_allowed", "that seat is not yours any more"),
    "leave_too_late": Said("not_allowed", "the game has begun; be away for a while, or resign"),
    # Pauses and ends
    "no_game": Said("not_allowed", "no game is going on"),
    "paused_already": Said("not_allowed", "the game is paused already"),
    "not_paused": Said("not_allowed", "the game is not paused"),
    "only_seated": Said("not_allowed", "only those at the table can ask for that"),
    "only_seated_resume": Said("not_allowed", "only those at the table can go on with the game"),
    "asked_already": Said("not_allowed", "you have asked for that already; the others have not agreed yet"),
    "not_asked": Said("not_allowed", "you have not asked for that"),
    "not_away": Said("not_allowed", "you are not away"),
    "away_already": Said("not_allowed", "you are away already"),
    "not_over": Said("closed", "the game is not over yet"),
    "never_begun": Said("closed", "the game never began; there is nothing to show"),
    "rematch_needs_seat": Said("not_allowed", "only those who sat there or set up the table can ask for another game"),
    # Setting up a table
    "cannot_be_set_up": Said("not_readable", "{detail}"),
    "begin_needs_bots": Said("not_allowed", "to begin at once all seats must be taken; put bots on {seats}", "COMP-12"),
    "no_seat_left": Said("not_allowed", 'all seats have bots; leave one free, or say "sit": false to watch', "COMP-12"),
    "house_full": Said("too_much", "all tables of this house are taken; try again later"),
    "too_many_tables": Said("too_much", "you have {tables} tables that are not over; end one of them first"),
    "too_many_from_address": Said("too_much", "{tables} tables from your address are not over; try again later"),
    # Commands and tokens
    "bad_id": Said("not_readable", "name the command with an id of 1 to {most} characters"),
    "unreadable": Said("not_readable", "this cannot be read: {detail}"),
    "say_hello": Said("not_readable", "say hello first; this cannot be read: {detail}"),
    "other_protocol": Said("not_readable", "this server speaks protocol {ours}, not {yours}"),
    "too_fast": Said("too_much", "that is too fast; wait a little and send it again"),
    "message_too_large": Said("too_large", "this message is too large"),
    "table_busy": Said("too_much", "too much is going on at this table; try again soon"),
    "wrong_token": Said("not_allowed", "this token opens no seat here; watch without one, or take a seat"),
    "no_cookie": Said("not_allowed", "this server does not know you; take a seat or set up a table first"),
    "connecting_too_often": Said("too_much", "too many connections in a short time; wait a little"),
    "too_many_connections": Said("too_much", "too many connections; close one of them"),
    "address_connections": Said("too_much", "too many connections from your address"),
    "no_such_table": Said("not_found", "there is no table '{table}'"),
    "closing": Said("failed", "the host is closing; try again soon"),
    "not_stored": Said("failed", "it could not be stored; try again soon"),
    "log_broken": Said("failed", "the log of table {table} cannot be read; nothing is lost, ask the host"),
    # Requests
    "unknown_host": Said("not_allowed", "this server has no name '{host}'; its operator adds names with --allow-host"),
    "unknown_origin": Said("not_allowed", "pages of '{origin}' are not let in; --allow-origin would do that"),
    "no_such_address": Said("not_found", "there is nothing at this address"),
    "no_such_method": Said("not_allowed", "that cannot be done here"),
    "not_json": Said("not_readable", "send JSON, with Content-Type: application/json"),
    "body_too_large": Said("too_large", "a request has at most {most} bytes"),
    "bad_bearer": Said("not_readable", "write the token of your seat as in: Authorization: Bearer TOKEN"),
    "bad_choice": Said("not_readable", "{name} '{said}': choose {choices}"),
    "bad_number": Said("not_readable", "{name} '{said}': a number from {least} to {most}"),
    "bad_time": Said("not_readable", "{name} '{said}': a time in unix seconds, as in a table's `created`"),
    "no_such_pieces": Said("not_readable", "there are no '{color}' pieces; choose {colors}", "COMP-08"),
    "no_such_entry": Said("not_found", "the almanac has no entry '{entry}'; near: {near}"),
    "board_needs_seed": Said("not_readable", "name the board with seed=NUMBER"),
    "too_many_views": Said("too_large", "from {first} to {last}: at most {most} views at once"),
    "nothing_written": Said("closed", "the game has not begun; there is nothing to write down yet"),
    "too_much_at_once": Said("too_much", "that is too much at once; wait a little and try again"),
    "stopping": Said("not_ready", "the server is stopping"),
    "cannot_read": Said("not_ready", "the storage cannot be read"),
    "cannot_write": Said("not_ready", "the storage cannot be written"),
    "accident": Said("failed", "something went wrong here; it is logged"),
}  # fmt: skip
"""By name: the code and the sentence."""

PRICED: Final = ("road", "settlement", "city", "development")
_PARAMETERS: Final = {refusal.name: refusal.parameter for refusal in REFUSALS}


def rule_of(why: str) -> str | None:
    """The rule that explains a refusal of the host's, if one does."""
    found = SAID.get(why)
    return None if found is None else found.rule or None


def sentence(why: str, values: dict[str, Any]) -> str:
    """The English sentence of a refusal of the host's."""
    spelled = {name: ", ".join(value) if isinstance(value, tuple | list) else value for name, value in values.items()}
    return SAID[why].text.format(**spelled)


def refused(id: str | None, why: str, /, **values: Any) -> m.Refused:  # noqa: A002
    """A refusal of the host's as it is sent."""
    return m.Refused(
        id=id, code=SAID[why].code, message=sentence(why, values), why=why, values=values, rule=rule_of(why)
    )


def values_of(reason: Reason, options: Options) -> dict[str, Any]:
    """What a refusal of the rules is made with, as data: `{"price": {"brick": 1, "lumber": 1}}`, `{"seat": "red"}`."""
    kind, number = _PARAMETERS.get(reason.name, ""), reason.parameter
    match kind:
        case "":
            return {}
        case "seat":
            return {kind: options.colors[number]}
        case "phase":
            return {kind: PHASES[number].name}
        case "offer":
            return {kind: number + 1}
        case "price":
            return {kind: dict(options.edition_data.costs[PRICED[number]])}
        case _:
            return {kind: number}
