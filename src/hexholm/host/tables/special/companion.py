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
from hexholm.rules.errors import BadInput
from hexholm.rules.names import CARD_KINDS, NATURE, RESOURCES
from hexholm.rules.options import Options

from ...wire import api
from ...wire import messages as m
from ...wire.host_refusals import Refusal
from .. import log
from ..seats import Eyes, Guest
from ..state import TableState
from ..table_decision import Decision, play_decision, refuse

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

    source: m.ChanceSource
    host: Dealer
    played_by_bot: Callable[[str], bool]
    """Nobody draws or steals for a bot: what it holds is the host's to know."""

    def deal(self, chance: Chance) -> Outcome | None:
        """An outcome, or None: people say what it is."""
        bots = chance.kind != "dice" and self.played_by_bot(chance.player)
        return None if chance.kind in PEOPLE_DECIDE[self.source] and not bots else self.host.deal(chance)


def check_chance(chance: m.ChanceSource, options: Options, clock: float | None, bots: bool) -> None:
    """Whether a table can be played so; raises BadInput."""
    way = next(one for one in CHANCE_LINES if one.name == chance)
    if any(getattr(options, name) for name in way.without):
        raise BadInput(
            f"chance {chance!r}: balanced dice are drawn by the host, real ones are not; choose one of them (EDN-02)"
        )
    if clock is not None and not way.clock:
        raise BadInput(f"chance {chance!r}: no clock runs where people move real pieces; leave it out")
    if bots and not way.bots:
        raise BadInput("chance 'people': nobody can draw cards for a bot; let the host keep them (chance 'dice')")


def add_question(table: TableState, found: m.Projection) -> m.Projection:
    """A projection with what these eyes are asked to tell, and if nothing can be taken back why not."""
    why = why_not_take_back(table, found.seat)
    refusals = found.refusals
    if why is not None:
        refusals = {**refusals, "take_back": {**Refusal.because(why).as_reason()}}
    return replace(found, chance=chance_question(table, found.seat), refusals=refusals)


def chance_question(table: TableState, eyes: Eyes) -> m.Question | None:
    """What somebody is asked to tell about the real dice and cards; dice are everybody's to tell who still plays."""
    if _why_not_here(table, eyes) is not None:
        return None
    assert table.game is not None, "a game that has not begun was refused"
    chance = table.game.chance
    if chance is None:
        roller = _about_to_roll(table)
        return None if roller is None else m.Question(kind="dice", player=roller, number=table.moves)
    if chance.kind != "dice" and eyes != chance.player:
        return None
    outcomes = tuple(f"{chance.kind} {kind}" for kind in OUTCOME_KINDS.get(chance.kind, ()))
    return m.Question(kind=chance.kind, player=chance.player, number=table.moves, outcomes=outcomes)


def _about_to_roll(table: TableState) -> str | None:
    """The person whose turn it is and who may roll now; a bot says itself when it does."""
    game = table.game
    assert game is not None
    person = table.seats[game.active].bot is None
    return game.active if person and game.why_not(ROLL_ACTION, by=game.active) is None else None


def deal(table: TableState, command: m.Deal, guest: Guest) -> Decision:
    """What follows when somebody tells what came out; dice that nobody has asked for are rolled by telling them."""
    no = _refuse_now(table, command, guest)
    if no is not None:
        return no
    assert table.game is not None
    asked = chance_question(table, guest.seat)
    if asked is None:
        pending = table.game.chance
        return refuse("nothing_to_tell") if pending is None else refuse("others_tell", seat=pending.player)
    if command.number != asked.number:
        return refuse("went_on" if table.game.chance is None else "told_already")
    after = table.game.copy()
    if after.chance is None:
        after.play(ROLL_ACTION, by=asked.player)
    try:
        after.deal(command.outcome)
    except NoOutcome:  # its own words name what can be: that would tell of hidden cards
        if command.outcome in asked.outcomes:  # that it cannot be tells of them too: so all hear of the attempt
            return Decision((log.Mistold(seat=asked.player),))
        return refuse("cannot_come_out", outcome=command.outcome[:40])
    return play_decision(table.game, after, guest.seat or asked.player)


def take_back(table: TableState, command: m.TakeBack, guest: Guest) -> Decision:
    """What follows when somebody takes the last action back, with what came out."""
    no = _refuse_now(table, command, guest)
    if no is not None:
        return no
    assert table.game is not None
    since = table.streams.get(guest.seat, [])[max(0, command.number) :]
    if any(not isinstance(message, m.Chatted) for message in since):
        return refuse("went_on")
    why = why_not_take_back(table, guest.seat)
    if why is not None:
        return refuse(why)
    after = before_last_action(table.game)
    body = log.TookBack(seat=guest.seat or "", left=after.step_count)
    return Decision((body,), after=after)


def why_not_take_back(table: TableState, eyes: Eyes) -> str | None:
    """Why the last action cannot be taken back, by the name of the refusal; None: it can."""
    hindered = _why_not_here(table, eyes)
    if hindered is not None:
        return hindered
    assert table.game is not None, "a game that has not begun was refused"
    at = _last_action(table.game)
    if at is None:
        return "nothing_to_take_back"
    return "host_has_dealt" if at < table.dealt_until else None  # another card would come, and the first one is known


def waits_for_bot(table: TableState) -> bool:
    """Whether a bot has taken over from the one who was asked for a card: then the host deals after all."""
    chance = None if table.game is None or table.paused else table.game.chance
    return chance is not None and chance.kind != "dice" and table.seats[chance.player].bot is not None


def deal_for_bot(table: TableState) -> Decision:
    """What the host deals to a bot that has taken over."""
    game = table.game
    assert game is not None
    assert game.chance is not None
    asked, after = game.chance.player, game.copy()
    after.deal()
    return play_decision(game, after, asked, chooser="bot")


def _refuse_now(table: TableState, command: m.Command, guest: Guest) -> Decision | None:
    """Why nothing can be told or taken back here and now."""
    if guest.seat is None and guest.id != table.creator:
        return refuse("watching")
    why = _why_not_here(table, guest.seat)
    if why is not None:
        return refuse(why)
    wait = table.paused and not isinstance(command, m.TakeBack)  # a pause gives time to mend what a bot would build on
    return refuse("paused") if wait else None


def _why_not_here(table: TableState, eyes: Eyes) -> str | None:
    """Why somebody can neither tell nor take back anything here, whatever has happened in the game."""
    if eyes is not None and table.seats[eyes].resigned:
        return "resigned"
    if table.chance_source == "host":
        return "host_deals"
    if table.game is None:
        return "not_begun"
    return "over" if table.status == "over" else None


def _last_action(game: Game) -> int | None:
    """The place of the step that is taken back first, with all after it; None: nothing has happened yet."""
    steps = game.steps
    acted = (at for at in reversed(range(len(steps))) if steps[at][0] != NATURE)
    return next(acted, len(steps) - 1 if steps else None)


def before_last_action(game: Game) -> Game:
    """The game before its last action and what came out; before anybody has acted, before the last roll for the start.

    Raises BadInput where nothing has happened yet.
    """
    at = _last_action(game)
    if at is not None and game.steps[at][0] == NATURE:
        before = Game.unplayed(game.options, game.layout, dealer=game.dealer)
        before.repeat(game.steps[:at])
        return before
    before = game.copy()
    before.undo()
    return before
