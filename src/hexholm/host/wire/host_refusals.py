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

from hexholm.rules.reasons import IllegalAction, Reason
from hexholm.rules.setup.options import BadOptions

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
    "said_too_often", "offered_too_often", "offered_enough", "asked_too_often", "silenced", "mute_needs_seat",
    "not_yourself",
    "creator_only", "begun_already", "seats_free", "no_such_seat", "no_seat_here", "no_such_player",
    "kick_instead", "kick_first", "nobody_to_kick", "bot_plays_there", "too_few_to_kick",
    "one_seat_each", "seat_taken", "name_taken",
    "seat_reserved", "kicked", "bot_was_put", "begun_without_you", "seats_stay", "no_seat_of_yours",
    "seat_lost", "leave_too_late", "no_game", "paused_already", "not_paused", "only_seated",
    "only_seated_resume", "asked_already", "not_asked", "not_away", "away_already", "not_over", "never_begun",
    "rematch_needs_seat", "not_watchable", "not_shown", "not_yours_to_show", "no_dice_proof", "words_closed",
    "words_opening", "words_not_asked", "word_not_promised", "cannot_be_set_up", "rated_needs_host_dice",
    "rated_needs_plain_board", "rated_needs_book_rules", "rated_needs_stand_in", "rated_needs_clock",
    "rated_needs_people",
    "rated_stays", "spectators_need_open_table", "begin_needs_bots", "no_seat_left", "house_full", "too_many_tables",
    "too_many_from_address", "too_many_playing_on", "busy", "too_much_written", "enough_said", "log_full",
    "bad_id", "unreadable", "say_hello", "other_protocol", "bad_call", "too_fast", "message_too_large",
    "table_busy", "wrong_token",
    "no_cookie", "connecting_too_often", "too_many_connections", "address_connections", "no_such_table",
    "closing", "not_stored", "log_broken", "unknown_host", "unknown_origin", "no_such_address",
    "no_such_method", "not_json", "body_too_large", "query_too_long", "bad_bearer", "bad_choice", "bad_number",
    "bad_time", "no_such_pieces", "no_such_entry", "board_needs_seed", "too_many_views", "nothing_written",
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
    "watching": HostRefusal("not_allowed", "you are watching and cannot act; take a seat first"),
    "not_begun": HostRefusal("not_allowed", "the game has not begun"),
    "over": HostRefusal("stopped", "the game is over", "WIN-02"),
    "paused": HostRefusal("stopped", "the game is paused"),
    "resigned": HostRefusal("not_allowed", "you have resigned"),
    "bot_plays": HostRefusal("not_allowed", "a bot plays for you; come back first"),
    "question_closed": HostRefusal("closed", "question {asked} is closed; the current question is {now}"),
    "unreadable_action": HostRefusal("not_readable", "{detail}"),
    "not_your_seat": HostRefusal("not_allowed", "that is for {other} to do, and {other} is not your seat"),
    "two_meanings": HostRefusal("two_meanings", "{detail}"),
    "cannot_be_played": HostRefusal("not_allowed", "{detail}"),
    # Real dice and cards
    "host_deals": HostRefusal("not_allowed", "at this table the host rolls and deals"),
    "nothing_to_tell": HostRefusal("closed", "nothing has to be rolled or drawn now"),
    "others_tell": HostRefusal("not_allowed", "only {seat} can enter that", "INFO-07"),
    "told_already": HostRefusal("closed", "that has already been entered"),
    "cannot_come_out": HostRefusal("not_readable", "'{outcome}' cannot come up now"),
    "went_on": HostRefusal("closed", "something has happened since then; look again"),
    "nothing_to_take_back": HostRefusal("not_allowed", "nobody has acted yet"),
    "host_has_dealt": HostRefusal(
        "not_allowed", "the host has drawn something since then, so you cannot take that back", "INFO-06"
    ),
    "no_bots_here": HostRefusal("not_allowed", "people draw for themselves here, and nobody can draw for a bot"),
    # Speaking
    "watchers_are_silent": HostRefusal("not_allowed", "you are watching and cannot speak at this table"),
    "spectator_without_name": HostRefusal("not_allowed", "this server does not know your name; enter it first"),
    "spectators_said_enough": HostRefusal("too_much", "spectators have written {most} messages here, the most allowed"),
    "nothing_said": HostRefusal("not_readable", "there is nothing to say"),
    "said_too_much": HostRefusal("too_much", "say it in {most} characters or fewer"),
    "said_too_often": HostRefusal(
        "too_much", "you can write at most {most} messages in {seconds} seconds; wait a little"
    ),
    "offered_too_often": HostRefusal(
        "too_much", "you can make or withdraw at most {most} offers in {seconds} seconds; wait a little", "TRADE-03"
    ),
    "offered_enough": HostRefusal(
        "too_much", "you can make offers, or answer them, at most {most} times in one turn of the game", "TRADE-03"
    ),
    "asked_too_often": HostRefusal(
        "too_much", "you can send at most {most} of these commands in {seconds} seconds; wait a little"
    ),
    "silenced": HostRefusal("not_allowed", "the table's creator has silenced you"),
    "mute_needs_seat": HostRefusal("not_allowed", "you are watching and cannot mute anybody; take a seat first"),
    "not_yourself": HostRefusal("not_allowed", "that seat is your own"),
    # The table
    "creator_only": HostRefusal("not_allowed", "only the table's creator can do that"),
    "begun_already": HostRefusal("not_allowed", "the game has already begun"),
    "seats_free": HostRefusal("not_allowed", "some seats are still free: {seats}; put bots there, or wait", "COMP-12"),
    "no_such_seat": HostRefusal("not_readable", "this table has no seat '{seat}'; its seats are {seats}", "COMP-08"),
    "no_seat_here": HostRefusal("not_found", "there is no seat '{seat}' here; the seats are {seats}", "COMP-08"),
    "no_such_player": HostRefusal("not_readable", "there is no player '{player}'; choose one of {players}"),
    "kick_instead": HostRefusal("not_allowed", "the game has begun; the players have to agree to kick somebody"),
    "kick_first": HostRefusal("not_allowed", "{name} is sitting there; kick them first"),
    "nobody_to_kick": HostRefusal("not_allowed", "there is nobody else to kick from that seat"),
    "bot_plays_there": HostRefusal("not_allowed", "a bot is already playing there for {name}"),
    "too_few_to_kick": HostRefusal(
        "not_allowed",
        "{name} keeps the seat until they have been away for days, or until at least two other players who are there "
        "agree, not all of them on one network",
    ),
    "one_seat_each": HostRefusal("not_allowed", "you already have a seat at this table"),
    "seat_taken": HostRefusal("not_allowed", "{name} is already sitting there"),
    "name_taken": HostRefusal("not_allowed", "somebody here is already called {name}; choose another name"),
    "seat_reserved": HostRefusal("not_allowed", "the seat is reserved for {name} for a few minutes"),
    "kicked": HostRefusal("not_allowed", "the table's creator has kicked you; you can watch"),
    "bot_was_put": HostRefusal("not_allowed", "a bot is sitting there; the table's creator can free the seat"),
    "begun_without_you": HostRefusal("not_allowed", "the game has begun without you; you can watch"),
    "seats_stay": HostRefusal("not_allowed", "a bot is playing there; seats do not change during a game"),
    "no_seat_of_yours": HostRefusal("not_allowed", "you have no seat here"),
    "seat_lost": HostRefusal("not_allowed", "that seat is no longer yours"),
    "leave_too_late": HostRefusal("not_allowed", "the game has begun; let a bot play for you for a while, or resign"),
    # Pauses and ends
    "no_game": HostRefusal("not_allowed", "no game is in progress"),
    "paused_already": HostRefusal("not_allowed", "the game is already paused"),
    "not_paused": HostRefusal("not_allowed", "the game is not paused"),
    "only_seated": HostRefusal("not_allowed", "only players at the table can ask for that"),
    "only_seated_resume": HostRefusal("not_allowed", "only players at the table can resume the game"),
    "asked_already": HostRefusal("not_allowed", "you have already asked for that; the others have not agreed yet"),
    "not_asked": HostRefusal("not_allowed", "you have not asked for that"),
    "not_away": HostRefusal("not_allowed", "you are not away"),
    "away_already": HostRefusal("not_allowed", "you are already away"),
    "not_over": HostRefusal("closed", "the game is not over yet"),
    "never_begun": HostRefusal("closed", "the game never began; there is nothing to show"),
    "rematch_needs_seat": HostRefusal(
        "not_allowed", "only the players and the table's creator can ask for another game"
    ),
    # Who may look
    "not_watchable": HostRefusal("not_allowed", "only its players can watch this game"),
    "not_shown": HostRefusal(
        "not_allowed", "the game is over and belongs to its players; ask one of them for a link that shows it"
    ),
    "not_yours_to_show": HostRefusal("not_allowed", "only the players and the table's creator can show the game"),
    # The dice
    "no_dice_proof": HostRefusal("not_allowed", "the dice of this table have no proof, so no words are needed"),
    "words_closed": HostRefusal("closed", "words for the dice must be promised before the game begins"),
    "words_opening": HostRefusal(
        "not_allowed",
        "the words for the dice are being revealed and the seats cannot change now; the game is about to begin",
    ),
    "words_not_asked": HostRefusal(
        "not_allowed", "words for the dice are revealed only when the game is about to begin"
    ),
    "word_not_promised": HostRefusal("not_allowed", "that is not the word you promised for the dice"),
    # Setting up a table
    "cannot_be_set_up": HostRefusal("not_readable", "{detail}"),
    "rated_needs_host_dice": HostRefusal(
        "not_allowed", "in a rated game, the host rolls the dice and draws for everybody"
    ),
    "rated_needs_plain_board": HostRefusal("not_allowed", "a rated game is played on a board that the host generates"),
    "rated_needs_book_rules": HostRefusal("not_allowed", "a rated game is played by the book, without house rules"),
    "rated_needs_stand_in": HostRefusal("not_allowed", "in a rated game, a bot stands in for players who stay away"),
    "rated_needs_clock": HostRefusal("not_allowed", "a rated game needs a clock, of at most a day for a decision"),
    "rated_needs_people": HostRefusal("not_allowed", "a rated game needs at least {least} people"),
    "rated_stays": HostRefusal("not_allowed", "you cannot kick anybody from a rated game, but you can silence them"),
    "spectators_need_open_table": HostRefusal(
        "not_readable", "spectators can speak only at a table that everybody can find and watch"
    ),
    "begin_needs_bots": HostRefusal(
        "not_allowed", "to begin at once, all seats must be taken; put bots on {seats}", "COMP-12"
    ),
    "no_seat_left": HostRefusal(
        "not_allowed", 'all seats have bots; leave one free, or say "sit": false to watch', "COMP-12"
    ),
    "house_full": HostRefusal("too_much", "this server has no room for another table; try again later"),
    "too_many_tables": HostRefusal("too_much", "you have {tables} unfinished tables; end one of them first"),
    "too_many_from_address": HostRefusal(
        "too_much", "there are {tables} unfinished tables from your address; try again later"
    ),
    "too_many_playing_on": HostRefusal(
        "too_much",
        "your network already has {tables} games that go on when nobody is there; let this one wait for its players",
    ),
    "busy": HostRefusal("busy", "the server is busy; try again in {retry_after} s"),
    "too_much_written": HostRefusal("too_much", "you have written too much in a short time; wait a little"),
    "enough_said": HostRefusal("too_much", "you have used up your share of the room for remarks at this table"),
    "log_full": HostRefusal("too_much", "the log of this table is nearly full; it has room only for moves"),
    # Commands and tokens
    "bad_id": HostRefusal("not_readable", "give the command an id of 1 to {most} printable characters"),
    "unreadable": HostRefusal("not_readable", "this cannot be read: {detail}"),
    "say_hello": HostRefusal("not_readable", "say hello first; this cannot be read: {detail}"),
    "other_protocol": HostRefusal("not_readable", "this server speaks protocol {ours}, not {yours}"),
    "bad_call": HostRefusal("not_readable", "{detail}"),
    "too_fast": HostRefusal("too_much", "that is too fast; wait a little and send it again"),
    "message_too_large": HostRefusal("too_large", "this message is too large"),
    "table_busy": HostRefusal("too_much", "too much is going on at this table; try again soon"),
    "wrong_token": HostRefusal(
        "not_allowed", "this token does not open a seat here; take a seat, or watch without a token"
    ),
    "no_cookie": HostRefusal("not_allowed", "this server does not know you; take a seat or set up a table first"),
    "connecting_too_often": HostRefusal(
        "too_much", "you have opened too many connections in a short time; wait a little"
    ),
    "too_many_connections": HostRefusal("too_much", "you have too many connections; close one of them"),
    "address_connections": HostRefusal("too_much", "there are too many connections from your address"),
    "no_such_table": HostRefusal("not_found", "there is no table '{table}'"),
    "closing": HostRefusal("failed", "the host is shutting down; try again soon"),
    "not_stored": HostRefusal("failed", "this could not be stored; try again soon"),
    "log_broken": HostRefusal("failed", "the log of table {table} cannot be read; nothing is lost; ask the operator"),
    # Requests
    "unknown_host": HostRefusal(
        "not_allowed", "this server does not answer to the name '{host}'; its operator can add names with --allow-host"
    ),
    "unknown_origin": HostRefusal(
        "not_allowed",
        "this server does not allow pages from '{origin}'; its operator can allow them with --allow-origin",
    ),
    "no_such_address": HostRefusal("not_found", "there is nothing at this address"),
    "no_such_method": HostRefusal("not_allowed", "you cannot do that here"),
    "not_json": HostRefusal("not_readable", "send JSON, with Content-Type: application/json"),
    "body_too_large": HostRefusal("too_large", "a request can have at most {most} bytes"),
    "query_too_long": HostRefusal("too_large", "the part after the question mark can have at most {most} bytes"),
    "bad_bearer": HostRefusal("not_readable", "write the token of your seat as in: Authorization: Bearer TOKEN"),
    "bad_choice": HostRefusal("not_readable", "{name} '{said}': choose {choices}"),
    "bad_number": HostRefusal("not_readable", "{name} '{said}': a number from {least} to {most}"),
    "bad_time": HostRefusal("not_readable", "{name} '{said}': a time in unix seconds, as in a table's `created`"),
    "no_such_pieces": HostRefusal("not_readable", "there is no color '{color}'; choose {colors}", "COMP-08"),
    "no_such_entry": HostRefusal("not_found", "the almanac has no entry '{entry}'; near: {near}"),
    "board_needs_seed": HostRefusal("not_readable", "name the board with seed=NUMBER"),
    "too_many_views": HostRefusal("too_large", "from {first} to {last}: at most {most} views at once"),
    "nothing_written": HostRefusal("closed", "the game has not begun, so there is no record yet"),
    "too_much_at_once": HostRefusal("too_much", "that is too much at once; wait a little and try again"),
    # Guests
    "recovery_misspelled": HostRefusal(
        "not_readable", "this is not a recovery text, which has {most} letters and digits; check it for typing errors"
    ),
    "recovery_unknown": HostRefusal(
        "not_allowed", "this text does not work: it has been used or revoked, has expired, or never existed"
    ),
    "another_guest_here": HostRefusal(
        "closed", 'this device is a guest with tables of its own; say "replace": true to become the other guest instead'
    ),
    "deletion_not_confirmed": HostRefusal("not_readable", "this deletes everything kept about you; say confirm=delete"),
    # The server
    "banned": HostRefusal("not_allowed", "you are banned until {until}: {why}"),
    "muted": HostRefusal("not_allowed", "you cannot write anything until {until}: {why}"),
    "nothing_to_report": HostRefusal("not_found", "there is nothing here to report"),
    "reported_too_often": HostRefusal("too_much", "you have sent enough reports for today; the operator has them"),
    "stopping": HostRefusal("not_ready", "the server is stopping"),
    "cannot_read": HostRefusal("not_ready", "the storage cannot be read"),
    "cannot_write": HostRefusal("not_ready", "the storage cannot be written"),
    "accident": HostRefusal("failed", "something went wrong here; the error has been logged"),
}
"""By name: the code and the sentence."""


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
    def of_rules(cls, reason: Reason, legal: tuple[str, ...] = ()) -> Refusal:
        """For a reason of the rules."""
        return cls("not_legal", reason.text, reason.name, reason.values, reason.rule, legal)

    @classmethod
    def of_action(cls, error: IllegalAction) -> Refusal:
        """For an action that the rules do not allow, with some that they do."""
        return cls.of_rules(error.reason, tuple(str(action) for action in error.legal[:LISTED_LEGAL]))

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
