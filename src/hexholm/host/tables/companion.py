"""Tables for people with the real board in front of them: they roll, draw and steal, and tell the table what came out.

`dice`: they roll; the host keeps the development cards and the thefts, and shows each player its own on its own
screen. `people`: they enter everything. The dice may be entered at any seat, or by the creator of the table who has no
seat: a screen for all to see; as soon as somebody may roll, for whoever has the real dice in hand need not press
anything first. A card is asked of the one who drew or stole it and of nobody else, so that no screen
that others look at asks for a secret. What was entered by mistake can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from hexholm.game.dealers import Chance, Dealer, NoOutcome, Outcome
from hexholm.game.game import Game
from hexholm.rules.colors import Color
from hexholm.rules.names import CARD_KINDS, NATURE, RESOURCES

from ..table_literals import ChanceSource
from ..wire import api, messages
from ..wire.host_refusals import Declined, Refusal
from . import log
from .seats import Eyes, Guest
from .state import TableState
from .table_decision import Decision, play_decision, why_first_of
from .table_settings import TableSettings

ROLL_ACTION: Final = "roll"
OUTCOME_KINDS: Final = {"stolen": RESOURCES, "drawn": CARD_KINDS}
PEOPLE_DECIDE: Final = {"host": (), "dice": ("dice",), "people": ("dice", "stolen", "drawn")}
CHANCE_LINES: Final = (
    api.ChanceLine(name="host"),
    api.ChanceLine(name="dice", clock=False, without=("balanced_dice",)),
    api.ChanceLine(name="people", bots=False, clock=False, without=("balanced_dice",)),
)
"""What goes with each: balanced dice are drawn, real ones are not; no clock runs where people move real pieces."""


@dataclass(frozen=True, slots=True)
class PeopleDealer:
    """Deals what the people at the table leave to the host; the game waits for the rest."""

    source: ChanceSource
    host: Dealer
    played_by_bot: Callable[[Color], bool]
    """Nobody draws or steals for a bot: what it holds is the host's to know."""

    def deal(self, chance: Chance) -> Outcome | None:
        """An outcome, or None: people say what it is."""
        for_bot = chance.kind != "dice" and self.played_by_bot(chance.player)
        return None if chance.kind in PEOPLE_DECIDE[self.source] and not for_bot else self.host.deal(chance)


def check_chance_source(settings: TableSettings) -> None:
    """Raises Declined for a table that cannot be played with its source of chance."""
    source = settings.terms.chance_source
    line = next(line for line in CHANCE_LINES if line.name == source)
    detail = ""
    if any(getattr(settings.options, name) for name in line.without):
        detail = "balanced dice are drawn by the host, real ones are not; choose one of them (EDN-02)"
    elif settings.terms.clock is not None and not line.clock:
        detail = "no clock runs on a real board; leave it out"
    elif any(settings.bots.values()) and not line.bots:
        detail = "nobody can draw for a bot; let the host do it (chance 'dice')"
    if detail:
        raise Declined.because("cannot_be_set_up", detail=f"chance {source!r}: {detail}")


def add_question(table: TableState, projection: messages.Projection) -> messages.Projection:
    """A projection with what these eyes are asked to tell, and if nothing can be taken back why not."""
    refusal = why_not_take_back(table, projection.color)
    refusals = projection.refusals
    if refusal is not None:
        refusals = {**refusals, "take_back": {**refusal.as_reason()}}
    return replace(projection, chance_question=chance_question(table, projection.color), refusals=refusals)


def chance_question(table: TableState, eyes: Eyes) -> messages.ChanceQuestion | None:
    """What somebody is asked to tell about the real dice and cards; dice are everybody's to tell who still plays."""
    if _why_not_now(table, eyes, despite_pause=True) is not None:
        return None
    chance = table.begun_game.chance
    if chance is None:
        roller = _next_roller(table)
        return None if roller is None else messages.ChanceQuestion(kind="dice", player=roller, number=table.moves)
    if chance.kind != "dice" and eyes != chance.player:
        return None
    outcomes = tuple(f"{chance.kind} {kind}" for kind in OUTCOME_KINDS.get(chance.kind, ()))
    return messages.ChanceQuestion(kind=chance.kind, player=chance.player, number=table.moves, outcomes=outcomes)


def _next_roller(table: TableState) -> Color | None:
    """The person whose turn it is and who may roll now; a bot says itself when it does."""
    game = table.begun_game
    person = table.seats[game.active].bot_name is None
    return game.active if person and game.why_not(ROLL_ACTION, by=game.active) is None else None


def decide_deal(table: TableState, command: messages.Deal, guest: Guest) -> Decision:
    """What follows when somebody tells what came out; dice that nobody has asked for are rolled by telling them.

    Raises Declined.
    """
    _check_now(table, command, guest)
    game, question = table.begun_game, chance_question(table, guest.color)
    if question is None:
        pending = game.chance
        if pending is None:
            raise Declined.because("nothing_to_tell")
        raise Declined.because("others_tell", seat=pending.player)
    if command.number != question.number:
        raise Declined.because("went_on" if game.chance is None else "told_already")
    after = game.copy()
    if after.chance is None:
        after.play(ROLL_ACTION, by=question.player)
    try:
        after.deal(command.outcome)
    except NoOutcome as error:  # its own words name what can be: that would tell of hidden cards
        if command.outcome in question.outcomes:  # that it cannot be tells of them too: so all hear of the attempt
            return Decision((log.Mistold(color=question.player),))
        raise Declined.because("cannot_come_out", outcome=command.outcome[:40]) from error
    return play_decision(game, after, guest.color or question.player)


def decide_take_back(table: TableState, command: messages.TakeBack, guest: Guest) -> Decision:
    """What follows when somebody takes the last action back, with what came out. Raises Declined."""
    _check_now(table, command, guest)
    later_messages = table.by_eyes[guest.color].stream[max(0, command.number) :]
    if any(not isinstance(message, messages.Chatted) for message in later_messages):
        raise Declined.because("went_on")
    refusal = why_not_take_back(table, guest.color)
    if refusal is not None:
        raise Declined(refusal)
    after = before_last_action(table.begun_game)
    body = log.TookBack(color=guest.color or "", steps_left=after.step_count)
    return Decision((body,), after=after)


def why_not_take_back(table: TableState, eyes: Eyes) -> Refusal | None:
    """Why the last action cannot be taken back; None: it can."""
    refusal = _why_not_now(table, eyes, despite_pause=True)
    if refusal is not None:
        return refusal
    step = _last_action(table.begun_game)
    return why_first_of(
        ("nothing_to_take_back", step is None),
        ("host_has_dealt", step is not None and step < table.dealt_until),  # the card is known, and another would come
    )


def waits_for_bot(table: TableState) -> bool:
    """Whether a bot has taken over from the one who was asked for a card: then the host deals after all."""
    chance = None if table.game is None or table.paused else table.game.chance
    return chance is not None and chance.kind != "dice" and table.seats[chance.player].bot_name is not None


def deal_for_bot(table: TableState) -> Decision:
    """What the host deals to a bot that has taken over."""
    game = table.begun_game
    assert game.chance is not None
    color, after = game.chance.player, game.copy()
    after.deal()
    return play_decision(game, after, color, chooser="bot")


def _check_now(table: TableState, command: messages.Deal | messages.TakeBack, guest: Guest) -> None:
    """Raises Declined where nothing can be told or taken back here and now."""
    if guest.color is None and guest.id != table.creator_id:
        raise Declined.because("watching")
    is_mending = isinstance(command, messages.TakeBack)  # a pause gives time for it: bots would build on what is wrong
    refusal = _why_not_now(table, guest.color, despite_pause=is_mending)
    if refusal is not None:
        raise Declined(refusal)


def _why_not_now(table: TableState, eyes: Eyes, *, despite_pause: bool) -> Refusal | None:
    """Why somebody can neither tell nor take back anything here, whatever has happened in the game."""
    host_deals = why_first_of(("host_deals", not table.opening.is_board_real))
    return host_deals or table.why_cannot_act(eyes, despite_pause=despite_pause)


def _last_action(game: Game) -> int | None:
    """The place of the step that is taken back first, with all after it; None: nothing has happened yet."""
    own_step = game.history.last_decision()
    return own_step if own_step is not None or not game.step_count else game.step_count - 1


def before_last_action(game: Game) -> Game:
    """The game before its last action and what came out; before anybody has acted, before the last roll for the start.

    Raises BadInput where nothing has happened yet.
    """
    step = _last_action(game)
    if step is not None and game.steps[step][0] == NATURE:
        before = Game.unplayed(game.options, game.layout, dealer=game.dealer)
        before.repeat(game.steps[:step])
        return before
    before = game.copy()
    before.undo()
    return before
