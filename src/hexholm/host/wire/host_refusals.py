"""How the host says no: one value, one exception that carries it, and every reason of the host's own by name.

What the rules refuse has its names in `rules/encoding/refusals.py`. Here are those of tables, seats and requests: a
code for programs, an English sentence with {slots}, and where the almanac explains it a rule that leads there. A
:class:`Refusal` is made of one of them and becomes a message, the body of an answer or a text only where it is sent.

One convention, in all of the host. Whoever decides, checks, reads, finds or counts something raises :class:`Declined`,
and what it returns is what was wanted. Only a function called `why_...` or `is_...` is asked and does nothing else: the
one returns the Refusal there would be, None where nothing speaks against it; nothing returns the bare name of a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, cast

from hexholm.rules.editions import PRICED
from hexholm.rules.names import PHASES, REFUSALS
from hexholm.rules.options import BadOptions, Options
from hexholm.rules.referee import IllegalAction, Reason

from . import api, messages, shapes

LISTED_LEGAL: Final = 12
"""Legal actions that a refusal lists."""
RefusalCode = Literal[
    "not_readable", "two_meanings", "not_allowed", "not_found", "not_legal", "closed", "stopped", "too_large",
    "too_much", "busy", "failed", "not_ready",
]  # fmt: skip
"""What kind of no it is, for programs."""
HTTP_STATUS: Final[dict[RefusalCode, int]] = {
    "not_readable": 400,
    "two_meanings": 400,
    "not_allowed": 403,
    "not_found": 404,
    "not_legal": 409,
    "closed": 409,
    "stopped": 409,
    "too_large": 413,
    "too_much": 429,
    "busy": 503,
    "failed": 500,
    "not_ready": 503,
}
"""The HTTP status of each code; a socket that is closed for the same reason has 4000 more."""
SPECIAL_STATUS: Final = {"unknown_host": 421, "begin_needs_bots": 409, "no_seat_left": 409, "not_json": 415}
"""By the name of the reason: where another one says more than that of the code."""


HostReason = Literal[
    "watching", "not_begun", "over", "paused", "resigned", "bot_plays", "question_closed", "unreadable_action",
    "not_your_seat", "two_meanings", "cannot_be_played", "host_deals", "nothing_to_tell", "others_tell",
    "told_already", "cannot_come_out", "went_on", "nothing_to_take_back", "host_has_dealt", "no_bots_here",
    "watchers_are_silent", "spectator_without_name", "spectators_said_enough", "nothing_said", "said_too_much",
    "said_too_often", "offered_too_often", "asked_too_often", "silenced", "mute_needs_seat", "not_yourself",
    "creator_only", "begun_already", "seats_free", "no_such_seat", "no_seat_here", "no_such_player",
    "kick_instead", "kick_first", "nobody_to_kick", "bot_plays_there", "too_few_to_kick",
    "one_seat_each", "seat_taken", "name_taken",
    "seat_reserved", "kicked", "bot_was_put", "begun_without_you", "seats_stay", "no_seat_of_yours",
    "seat_lost", "leave_too_late", "no_game", "paused_already", "not_paused", "only_seated",
    "only_seated_resume", "asked_already", "not_asked", "not_away", "away_already", "not_over", "never_begun",
    "rematch_needs_seat", "not_watchable", "not_shown", "not_yours_to_show", "no_dice_proof", "words_closed",
    "words_opening", "words_not_asked", "word_not_promised", "cannot_be_set_up", "rated_needs_host_dice",
    "rated_needs_plain_board", "rated_needs_book_rules", "rated_needs_stand_in", "rated_needs_people",
    "rated_stays", "spectators_need_open_table", "begin_needs_bots", "no_seat_left", "house_full", "too_many_tables",
    "too_many_from_address", "too_many_playing_on", "busy", "too_much_written", "enough_said", "log_full",
    "bad_id", "unreadable", "say_hello", "other_protocol", "bad_call", "too_fast", "message_too_large",
    "table_busy", "wrong_token",
    "no_cookie", "connecting_too_often", "too_many_connections", "address_connections", "no_such_table",
    "closing", "not_stored", "log_broken", "unknown_host", "unknown_origin", "no_such_address",
    "no_such_method", "not_json", "body_too_large", "bad_bearer", "bad_choice", "bad_number", "bad_time",
    "no_such_pieces", "no_such_entry", "board_needs_seed", "too_many_views", "nothing_written",
    "too_much_at_once", "recovery_misspelled", "recovery_unknown", "another_guest_here",
    "deletion_not_confirmed", "banned", "muted", "nothing_to_report", "reported_too_often",
    "stopping", "cannot_read", "cannot_write", "accident",
]  # fmt: skip
"""The names of `HOST_REFUSALS`, in their order."""


class HostRefusal(NamedTuple):
    """A reason of the host's own."""

    code: RefusalCode
    text: str
    rule: str = ""
    """The rule that explains it, where the almanac has something to say about it."""


HOST_REFUSALS: Final[dict[HostReason, HostRefusal]] = {
    # Acting
    "watching": HostRefusal("not_allowed", "those who watch cannot act; take a seat"),
    "not_begun": HostRefusal("not_allowed", "the game has not begun"),
    "over": HostRefusal("stopped", "the game is over", "WIN-02"),
    "paused": HostRefusal("stopped", "the game is paused"),
    "resigned": HostRefusal("not_allowed", "you have resigned"),
    "bot_plays": HostRefusal("not_allowed", "a bot plays for you; come back first"),
    "question_closed": HostRefusal("closed", "question {asked} is closed; the one asked now is {now}"),
    "unreadable_action": HostRefusal("not_readable", "{detail}"),
    "not_your_seat": HostRefusal("not_allowed", "that is for {other} to do, and {other} is not your seat"),
    "two_meanings": HostRefusal("two_meanings", "{detail}"),
    "cannot_be_played": HostRefusal("not_allowed", "{detail}"),
    # Real dice and cards
    "host_deals": HostRefusal("not_allowed", "at this table the host rolls and deals"),
    "nothing_to_tell": HostRefusal("closed", "nothing is left to chance now"),
    "others_tell": HostRefusal("not_allowed", "that is for {seat} alone to tell", "INFO-07"),
    "told_already": HostRefusal("closed", "that has been told already"),
    "cannot_come_out": HostRefusal("not_readable", "'{outcome}' cannot come out now"),
    "went_on": HostRefusal("closed", "something has happened since; look again"),
    "nothing_to_take_back": HostRefusal("not_allowed", "nobody has acted yet"),
    "host_has_dealt": HostRefusal(
        "not_allowed", "the host has dealt a card since; that cannot be taken back", "INFO-06"
    ),
    "no_bots_here": HostRefusal("not_allowed", "people draw the cards here, and nobody can for a bot"),
    # Speaking
    "watchers_are_silent": HostRefusal("not_allowed", "those who watch cannot speak at the table"),
    "spectator_without_name": HostRefusal(
        "not_allowed", "this server does not know what to call you; say your name first"
    ),
    "spectators_said_enough": HostRefusal("too_much", "those who watch have said {most} things here; that is all"),
    "nothing_said": HostRefusal("not_readable", "there is nothing to say"),
    "said_too_much": HostRefusal("too_much", "say it in at most {most} characters"),
    "said_too_often": HostRefusal("too_much", "at most {most} remarks in {seconds} seconds"),
    "offered_too_often": HostRefusal(
        "too_much", "at most {most} offers and withdrawals in {seconds} seconds", "TRADE-03"
    ),
    "asked_too_often": HostRefusal("too_much", "at most {most} of these commands in {seconds} seconds"),
    "silenced": HostRefusal("not_allowed", "the one who set up the table lets you speak no more"),
    "mute_needs_seat": HostRefusal("not_allowed", "those who watch cannot mute anybody; take a seat"),
    "not_yourself": HostRefusal("not_allowed", "that seat is your own"),
    # The table
    "creator_only": HostRefusal("not_allowed", "only the one who set up the table can do that"),
    "begun_already": HostRefusal("not_allowed", "the game has begun already"),
    "seats_free": HostRefusal("not_allowed", "seats are still free: {seats}; put a bot there, or wait", "COMP-12"),
    "no_such_seat": HostRefusal("not_readable", "no seat '{seat}' here; they are {seats}", "COMP-08"),
    "no_seat_here": HostRefusal("not_found", "there is no seat '{seat}' here; they are {seats}", "COMP-08"),
    "no_such_player": HostRefusal("not_readable", "there is no player '{player}'; there are {players}"),
    "kick_instead": HostRefusal("not_allowed", "the game has begun; the players agree on who is kicked"),
    "kick_first": HostRefusal("not_allowed", "{name} sits there; kick them first"),
    "nobody_to_kick": HostRefusal("not_allowed", "there is nobody else to kick on that seat"),
    "bot_plays_there": HostRefusal("not_allowed", "a bot plays there already for {name}"),
    "too_few_to_kick": HostRefusal(
        "not_allowed",
        "{name} keeps the seat unless two others at least want it who are there, or after days of absence",
    ),
    "one_seat_each": HostRefusal("not_allowed", "you hold a seat at this table already"),
    "seat_taken": HostRefusal("not_allowed", "{name} sits there already"),
    "name_taken": HostRefusal("not_allowed", "somebody here is called {name} already; choose another name"),
    "seat_reserved": HostRefusal("not_allowed", "the seat is kept for {name} for some minutes"),
    "kicked": HostRefusal("not_allowed", "the one who set up the table has kicked you; you can watch"),
    "bot_was_put": HostRefusal("not_allowed", "a bot was put there; the host of the table frees it"),
    "begun_without_you": HostRefusal("not_allowed", "the game has begun without you; you can watch"),
    "seats_stay": HostRefusal("not_allowed", "a bot plays there; in a running game seats stay as they are"),
    "no_seat_of_yours": HostRefusal("not_allowed", "you have no seat here"),
    "seat_lost": HostRefusal("not_allowed", "that seat is not yours any more"),
    "leave_too_late": HostRefusal("not_allowed", "the game has begun; be away for a while, or resign"),
    # Pauses and ends
    "no_game": HostRefusal("not_allowed", "no game is going on"),
    "paused_already": HostRefusal("not_allowed", "the game is paused already"),
    "not_paused": HostRefusal("not_allowed", "the game is not paused"),
    "only_seated": HostRefusal("not_allowed", "only those at the table can ask for that"),
    "only_seated_resume": HostRefusal("not_allowed", "only those at the table can go on with the game"),
    "asked_already": HostRefusal("not_allowed", "you have asked for that already; the others have not agreed yet"),
    "not_asked": HostRefusal("not_allowed", "you have not asked for that"),
    "not_away": HostRefusal("not_allowed", "you are not away"),
    "away_already": HostRefusal("not_allowed", "you are away already"),
    "not_over": HostRefusal("closed", "the game is not over yet"),
    "never_begun": HostRefusal("closed", "the game never began; there is nothing to show"),
    "rematch_needs_seat": HostRefusal(
        "not_allowed", "only those who sat there or set up the table can ask for another game"
    ),
    # Who may look
    "not_watchable": HostRefusal("not_allowed", "this game can be watched only by those who play it"),
    "not_shown": HostRefusal(
        "not_allowed", "the game is over and belongs to those who sat there; ask one of them for a link that shows it"
    ),
    "not_yours_to_show": HostRefusal("not_allowed", "only those who sat there or set up the table can show the game"),
    # The dice
    "no_dice_proof": HostRefusal("not_allowed", "the dice of this table have no proof, and take no words"),
    "words_closed": HostRefusal("closed", "words for the dice are promised before the game begins"),
    "words_opening": HostRefusal(
        "not_allowed", "the seats open their words for the dice and stay as they are; the game begins in a moment"
    ),
    "words_not_asked": HostRefusal("not_allowed", "words for the dice are opened when the game is about to begin"),
    "word_not_promised": HostRefusal("not_allowed", "that is not the word that you promised for the dice"),
    # Setting up a table
    "cannot_be_set_up": HostRefusal("not_readable", "{detail}"),
    "rated_needs_host_dice": HostRefusal("not_allowed", "a rated game is played with the dice and cards of the host"),
    "rated_needs_plain_board": HostRefusal("not_allowed", "a rated game is played on a board that the host draws"),
    "rated_needs_book_rules": HostRefusal("not_allowed", "a rated game is played by the book, without house rules"),
    "rated_needs_stand_in": HostRefusal("not_allowed", "in a rated game a bot stands in for those who stay away"),
    "rated_needs_people": HostRefusal("not_allowed", "a rated game needs {least} people at least"),
    "rated_stays": HostRefusal("not_allowed", "nobody is kicked from a rated game; you can silence them"),
    "spectators_need_open_table": HostRefusal(
        "not_readable", "those who watch can speak only at a table that is open and can be watched"
    ),
    "begin_needs_bots": HostRefusal(
        "not_allowed", "to begin at once all seats must be taken; put bots on {seats}", "COMP-12"
    ),
    "no_seat_left": HostRefusal(
        "not_allowed", 'all seats have bots; leave one free, or say "sit": false to watch', "COMP-12"
    ),
    "house_full": HostRefusal("too_much", "all tables of this house are taken; try again later"),
    "too_many_tables": HostRefusal("too_much", "you have {tables} tables that are not over; end one of them first"),
    "too_many_from_address": HostRefusal("too_much", "{tables} tables from your address are not over; try again later"),
    "too_many_playing_on": HostRefusal(
        "too_much", "{tables} games from around you go on when nobody is there; let this one wait for somebody"
    ),
    "busy": HostRefusal("busy", "the server is busy; try again in {retry_after} s"),
    "too_much_written": HostRefusal("too_much", "you have written too much in a short time; wait a little"),
    "enough_said": HostRefusal("too_much", "so much was said at this table that there is no room for more"),
    "log_full": HostRefusal("too_much", "the log of this table is nearly full; it has room for moves alone"),
    # Commands and tokens
    "bad_id": HostRefusal("not_readable", "name the command with an id of 1 to {most} characters"),
    "unreadable": HostRefusal("not_readable", "this cannot be read: {detail}"),
    "say_hello": HostRefusal("not_readable", "say hello first; this cannot be read: {detail}"),
    "other_protocol": HostRefusal("not_readable", "this server speaks protocol {ours}, not {yours}"),
    "bad_call": HostRefusal("not_readable", "{detail}"),
    "too_fast": HostRefusal("too_much", "that is too fast; wait a little and send it again"),
    "message_too_large": HostRefusal("too_large", "this message is too large"),
    "table_busy": HostRefusal("too_much", "too much is going on at this table; try again soon"),
    "wrong_token": HostRefusal("not_allowed", "this token opens no seat here; watch without one, or take a seat"),
    "no_cookie": HostRefusal("not_allowed", "this server does not know you; take a seat or set up a table first"),
    "connecting_too_often": HostRefusal("too_much", "too many connections in a short time; wait a little"),
    "too_many_connections": HostRefusal("too_much", "too many connections; close one of them"),
    "address_connections": HostRefusal("too_much", "too many connections from your address"),
    "no_such_table": HostRefusal("not_found", "there is no table '{table}'"),
    "closing": HostRefusal("failed", "the host is closing; try again soon"),
    "not_stored": HostRefusal("failed", "it could not be stored; try again soon"),
    "log_broken": HostRefusal("failed", "the log of table {table} cannot be read; nothing is lost, ask the host"),
    # Requests
    "unknown_host": HostRefusal(
        "not_allowed", "this server has no name '{host}'; its operator adds names with --allow-host"
    ),
    "unknown_origin": HostRefusal("not_allowed", "pages of '{origin}' are not let in; --allow-origin would do that"),
    "no_such_address": HostRefusal("not_found", "there is nothing at this address"),
    "no_such_method": HostRefusal("not_allowed", "that cannot be done here"),
    "not_json": HostRefusal("not_readable", "send JSON, with Content-Type: application/json"),
    "body_too_large": HostRefusal("too_large", "a request has at most {most} bytes"),
    "bad_bearer": HostRefusal("not_readable", "write the token of your seat as in: Authorization: Bearer TOKEN"),
    "bad_choice": HostRefusal("not_readable", "{name} '{said}': choose {choices}"),
    "bad_number": HostRefusal("not_readable", "{name} '{said}': a number from {least} to {most}"),
    "bad_time": HostRefusal("not_readable", "{name} '{said}': a time in unix seconds, as in a table's `created`"),
    "no_such_pieces": HostRefusal("not_readable", "there are no '{color}' pieces; choose {colors}", "COMP-08"),
    "no_such_entry": HostRefusal("not_found", "the almanac has no entry '{entry}'; near: {near}"),
    "board_needs_seed": HostRefusal("not_readable", "name the board with seed=NUMBER"),
    "too_many_views": HostRefusal("too_large", "from {first} to {last}: at most {most} views at once"),
    "nothing_written": HostRefusal("closed", "the game has not begun; there is nothing to write down yet"),
    "too_much_at_once": HostRefusal("too_much", "that is too much at once; wait a little and try again"),
    # Guests
    "recovery_misspelled": HostRefusal(
        "not_readable", "this is no recovery text: it has {most} letters and digits; look for a mistake"
    ),
    "recovery_unknown": HostRefusal(
        "not_allowed", "this text recovers nobody: it was used or taken back, has expired, or was never given"
    ),
    "another_guest_here": HostRefusal(
        "closed", 'this device is a guest with tables of its own; say "replace": true to be the other one instead'
    ),
    "deletion_not_confirmed": HostRefusal("not_readable", "this deletes all that is kept of you; say confirm=delete"),
    # The server
    "banned": HostRefusal("not_allowed", "you cannot come in until {until}: {why}"),
    "muted": HostRefusal("not_allowed", "you cannot write anything until {until}: {why}"),
    "nothing_to_report": HostRefusal("not_found", "there are no such words"),
    "reported_too_often": HostRefusal("too_much", "that is enough for today; the operator has your reports"),
    "stopping": HostRefusal("not_ready", "the server is stopping"),
    "cannot_read": HostRefusal("not_ready", "the storage cannot be read"),
    "cannot_write": HostRefusal("not_ready", "the storage cannot be written"),
    "accident": HostRefusal("failed", "something went wrong here; it is logged"),
}
"""By name: the code and the sentence."""

_PARAMETERS: Final = {refusal.name: refusal.parameter for refusal in REFUSALS}


@dataclass(frozen=True, slots=True)
class Refusal:
    """No: why not, by which rule, and where there is something what is legal instead."""

    code: RefusalCode
    """As in :class:`~.messages.Refused`."""
    message: str
    why: str = ""
    """The name of the reason: of the rules, or one of `HOST_REFUSALS`."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """What the sentence is made with."""
    rule: str | None = None
    legal: tuple[str, ...] = ()
    special_status: int = 0
    """The HTTP status, where it is not that of the code."""

    @classmethod
    def because(cls, why: HostReason, /, **values: Any) -> Refusal:
        """For a reason of the host's own."""
        row = HOST_REFUSALS[why]
        status = SPECIAL_STATUS.get(why, 0)
        return cls(row.code, refusal_sentence(why, values), why, values, row.rule or None, special_status=status)

    @classmethod
    def of_rules(cls, reason: Reason, options: Options, legal: tuple[str, ...] = ()) -> Refusal:
        """For a reason of the rules."""
        return cls("not_legal", reason.text, reason.name, reason_values(reason, options), reason.rule, legal)

    @classmethod
    def of_action(cls, error: IllegalAction, options: Options) -> Refusal:
        """For an action that the rules do not allow, with some that they do."""
        return cls.of_rules(error.reason, options, tuple(str(action) for action in error.legal[:LISTED_LEGAL]))

    @classmethod
    def of_input(cls, error: BaseException) -> Refusal:
        """For a table or a board that cannot be set up as somebody asks; with the rule, where options break one."""
        refusal = cls.because("cannot_be_set_up", detail=str(error))
        return replace(refusal, rule=error.faults[0][0]) if isinstance(error, BadOptions) else refusal

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.special_status or HTTP_STATUS[self.code]

    def as_wire(self, command: str | None = None) -> messages.Refused:
        """As it is sent over a socket, as the answer to a command; of an id that is too long the beginning."""
        return messages.Refused(
            id=None if command is None else command[: messages.LONGEST_ID],
            code=self.code,
            message=self.message,
            rule=self.rule,
            legal=self.legal,
            why=self.why,
            values=dict(self.values),
        )

    def as_why_answer(self, command_id: str) -> messages.WhyAnswer:
        """As the answer to a question why not."""
        return messages.WhyAnswer(
            id=command_id, legal=False, rule=self.rule, message=self.message, why=self.why, values=dict(self.values)
        )

    def as_rest(self) -> api.Failure:
        """As it is sent over REST."""
        return api.Failure(
            error=api.Problem(
                code=self.code, message=self.message, rule=self.rule, why=self.why, values=dict(self.values)
            )
        )

    def as_reason(self) -> shapes.ReasonShape:
        """As a projection has it, beside a kind of action."""
        return {"rule": self.rule or "", "message": self.message, "why": self.why, "values": dict(self.values)}

    @classmethod
    def of_wire(cls, message: messages.Refused | api.Problem) -> Refusal:
        """As a client hears it."""
        legal = message.legal if isinstance(message, messages.Refused) else ()
        code = cast("RefusalCode", message.code)  # a later server may know others
        return cls(code, message.message, message.why, message.values, message.rule, legal)


class Declined(Exception):
    """Something is refused, and nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    @classmethod
    def because(cls, why: HostReason, /, **values: Any) -> Declined:
        """For a reason of the host's own."""
        return cls(Refusal.because(why, **values))

    def __str__(self) -> str:
        return self.refusal.message


def refusal_sentence(why: HostReason, values: Mapping[str, Any]) -> str:
    """The English sentence of a refusal of the host's."""
    spelled = {name: ", ".join(value) if isinstance(value, tuple | list) else value for name, value in values.items()}
    return HOST_REFUSALS[why].text.format(**spelled)


def reason_values(reason: Reason, options: Options) -> dict[str, Any]:
    """What a refusal of the rules is made with, as data: `{"price": {"brick": 1, "lumber": 1}}`, `{"seat": "red"}`."""
    parameter, number = _PARAMETERS.get(reason.name, ""), reason.parameter
    match parameter:
        case "":
            return {}
        case "seat":
            return {parameter: options.colors[number]}
        case "phase":
            return {parameter: PHASES[number].name}
        case "offer":
            return {parameter: number + 1}
        case "price":
            return {parameter: dict(options.edition_data.costs[PRICED[number]])}
        case _:
            return {parameter: number}
