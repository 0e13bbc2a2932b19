"""`hexholm play`: a person against bots, in the terminal.

The table is a loop: whoever is asked decides, the person by typing, the others as players of the chosen level do;
everybody decides on a view of their own seat. After every action the record is written to a file, so that nothing is
lost when the terminal is. The file holds no seed: who resumes without `--seed` gets fresh dice.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import typer

from hexholm.bots import Bot, bot
from hexholm.game.action import Action
from hexholm.game.events import Built, Event, OfferMade, RollForStart, StarterChosen, Traded, TurnBegan
from hexholm.game.game import Game
from hexholm.game.history import Past
from hexholm.game.speed import hurry
from hexholm.game.views.seat_knowledge import SeatView
from hexholm.rules.core.encoding.structs import NATURE
from hexholm.rules.errors import BadInput
from hexholm.rules.referee import IllegalAction

from ..commands.board import colored
from ..shared import terminal
from ..shared.files import BadCall, writable
from ..shared.game_options import WIDTH, many, title
from ..shared.interrupts import tell_if_compiling
from ..shared.terminal import NEEDED, TALL, filled, glued
from .examples import example
from .input import COMMANDS, DEEDS, Typed, Unclear, understood, whole_word
from .saved_games import (
    LEVELS,
    PERSON,
    begun,
    kept_at,
    level_in,
    level_of,
    only_the_record,
    resumed,
    to_go_on,
    to_read,
    write,
)
from .screen import ALIASES, Screen

SEATS_WORDS: Final = {1: "one", 2: "two", 3: "three"}
HOW_RULES: Final = "   An entry: rules longest road; a rule: rules LROAD-08; all rules: rules chapters"
ESSENTIALS: Final = "Type what you do, ? to see what you may do, help for all else."
LAST: Final = 6
"""Lines of the log that one who comes back is shown."""
TOO_LOW: Final = (
    f"The window is too low for all of this: scroll up to see the board, type board to see it again, or make the"
    f" window {TALL} lines high."
)


class Left(Exception):
    """The person leaves; `code` is the exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def no_terminal() -> BadCall:
    """What is said where nobody can type: what would work."""
    return BadCall(
        "play is for a terminal, and this is none: start it in one, or play in the browser (make play); "
        "to watch a game as text: "
        f"{terminal.program()} play --plain"
    )


def run(
    *,
    players: int | None,
    seed: int | None,
    seat: str | None,
    name: str | None,
    record: str | None,
    resume: str | None,
    file: str | None,
    level: str | None = None,
    **given: Any,
) -> int:
    """Play a game with a person; returns the exit code."""
    if not terminal.is_there():
        raise no_terminal()
    luck = secrets.randbits(62) if seed is None else seed
    for option, value in (("file", file), ("resume", resume)):
        if value == "-":
            raise BadCall(f"--{option} -: standard input is what you type at the table; name a file, or add --watch")
    if resume is not None:
        only_the_record(**given, players=players, file=file, level=level)
        game, me = resumed(resume, luck, seat, name)
    else:
        game, me = begun(players, luck, seat, name, file, level_of(level), **given)
    path = kept_at(record, resume)
    table = Table(game, me, path, luck, ask=_ask, say=typer.echo, color=colored(), size=terminal.size)
    again = to_go_on(path, seat, seed)
    typer.echo("\n".join([*title(game.options, game.layout, file), table.who_plays()]))
    if resume is not None and (last := table.last_lines()):
        typer.echo(f"\n{last}")
    hurry()
    try:
        table.play()
    except (Left, KeyboardInterrupt) as end:
        code = end.code if isinstance(end, Left) else 130
        tell_if_compiling(end)
        typer.echo(f"\nTo go on with this game:\n  {again}" if table.saved else "\nThis game could not be kept.")
        return code
    except Exception:
        typer.echo(f"\nThis should not have happened. The game is kept:\n  {again}", err=True)
        raise
    return 0


def _ask(prompt: str) -> str:
    """A line from the terminal; with a history of lines where Python has one."""
    with contextlib.suppress(ImportError):
        import readline

        readline.parse_and_bind("set enable-bracketed-paste off")  # no control sequences that nobody asked for
    return input(prompt)


class Table:
    """One person and bots around a game."""

    def __init__(
        self,
        game: Game,
        me: str,
        path: Path,
        luck: int,
        *,
        ask: Callable[[str], str],
        say: Callable[[str], Any],
        color: bool = False,
        size: Callable[[], tuple[int, int]] = lambda: (80, 50),
    ) -> None:
        self.game, self.me, self.path, self.ask, self.say, self.size = game, me, path, ask, say, size
        self.screen = Screen(game.options, me, color=color)
        self.screen.fit(*size())
        level = level_in(game)
        self.others = {color: bot(level, f"{luck} {color}") for color in game.colors if color != me}
        self.saved = False
        self._news: list[Event] = []
        self._listed: list[int] = []
        self._drawn: tuple[int, ...] | None = None
        self._quoted = ""
        self._typed: Typed | None = None
        self._warned = self._greeted = False
        if all(seat == NATURE for seat, _ in game.steps):
            self._news = so_far(game, me)
        remind(game, self.others)
        self.save()

    def who_plays(self) -> str:
        """Who sits at the table, in a sentence."""
        called = self.game.names[self.game.colors.index(self.me)]
        who = "You play" if called in (PERSON, self.me) else f"{called}, you play"
        n = len(self.others)
        others = f"{SEATS_WORDS[n]} {LEVELS[level_in(self.game)]}{'s' if n > 1 else ''}"
        sentence = f"{who} {self.me} against {others}: {', '.join(self.others)}."
        return self.screen.story.painted(textwrap.fill(sentence, WIDTH))

    # --- the loop --------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Until somebody has won; raises :class:`Left` when the person leaves before."""
        while not self.game.over:
            color = self.next()
            if color == self.me:
                self.decide()
            else:
                self.move(color)
        self.finish()

    def next(self) -> str:
        """Whose decision comes next: those who are asked, the person last of them, and then the active player."""
        game = self.game
        asked_for = [color for color in game.to_act if color != game.active or game.phase == "discard"]
        return min(asked_for, key=lambda color: color == self.me) if asked_for else game.active

    def move(self, color: str) -> None:
        """A bot decides on its view."""
        self._happened(moved(self.game, self.others[color], color))

    def do(self, action: Action | str, color: str) -> None:
        """Carry out an action of somebody, note what the person sees of it, keep the record."""
        self._happened(self.game.play(action, by=color))

    def _happened(self, events: Past) -> None:
        self._news += events.seen_by(self.me)
        self._listed = []
        self.save()

    def decide(self) -> None:
        """Ask the person until something is done."""
        view = self.game.view(self.me)
        self.screen.fit(*self.size())
        self.show(view)
        self._greet()
        while True:
            try:
                line = self.ask(f"{self.me}> ")
            except EOFError:
                raise Left(0) from None
            except UnicodeDecodeError:
                self.say("   That is no text.")
                continue
            self.screen.fit(*self.size())
            self._typed = None
            try:
                if self.obey(line, view):
                    return
            except IllegalAction as no:
                self.refuse(no, view)
            except Unclear as no:
                self.tell(str(no))
            except BadInput as no:
                self.tell(str(no)[:1].upper() + str(no)[1:])

    def tell(self, text: str) -> None:
        """A remark to the person, in the words of the edition."""
        self.say(self._remark(text + "." * (text[-1:] not in ".?!")))

    def _remark(self, text: str) -> str:
        """A text in the words of the edition, folded; the rule it quotes is remembered."""
        for quoted in re.findall(r"\(([A-Z]+-\d\d)\)", text):
            self._quoted = quoted
        return filled(self.screen.words(text), self.screen.width, "   ", "   ")

    def show(self, view: SeatView) -> None:
        """The board at the beginning of a turn (in a low window: who has what), what has happened, what is asked."""
        screen, asks = self.screen, self.screen.asked(view).ask
        now = (view.turn, view.raw.placed)
        if self._drawn is None or (asks in ("roll", "settlement") and self._drawn != now):
            low = screen.short and self._drawn is not None and asks == "roll"
            self.say("\n" + (screen.players(view) if low else screen.board(view)))
            self._drawn = now
        waiting = {offer.number for offer in view.offers if self.me in offer.to}
        story = screen.story.tell(self._news, asked=waiting)
        self._news = []
        self.say(f"\n{story}\n" if story else "")
        self.say(screen.question(view))

    def _greet(self) -> None:
        """Once, just before the first question is answered: what one must know to begin."""
        if self._greeted:
            return
        self._greeted = True
        columns, _ = self.size()
        hints = [ESSENTIALS, *[TOO_LOW] * self.screen.short]
        if columns < NEEDED:
            hints.append(f"This window is {columns} columns wide; the board needs {NEEDED}.")
        self.say("\n".join(self.screen.faint(filled(hint, self.screen.width, "   ", "   ")) for hint in hints))

    def finish(self) -> None:
        """The end of the game."""
        view = self.game.view(self.me)
        story = self.screen.story.tell(self._news)
        self.say(f"\n{self.screen.board(view)}\n\n{story}\n")
        read = to_read(self.path)
        self.say(f"The game took {many(self.game.turn, 'turn')}. To read it again, and what decided it:")
        self.say(f"  {read}\n  {read} --summary")

    # --- what the person types -------------------------------------------------------------------------------

    def obey(self, line: str, view: SeatView) -> bool:
        """Do what a line says; returns whether the game has changed."""
        if not line.strip():
            self.say(self.screen.question(view))
            return False
        typed = self._typed = understood(line, view)
        match typed.what:
            case "do":
                self.do(typed.rest, self.me)
                if typed.alias:
                    self.say(f"   {typed.alias} is also called {typed.rest.split()[-1]}.")
                return True
            case "number":
                self.do(self._picked(int(typed.rest), view), self.me)
                return True
            case "undo":
                return self.take_back()
            case "quit":
                raise Left(0)
        self.say(self.answer(typed.what, typed.rest, view))
        return False

    def answer(self, command: str, rest: str, view: SeatView) -> str:
        """What a command that only shows something shows."""
        screen = self.screen
        match command:
            case "?":
                return self._explained(rest, view)
            case "why":
                return self._why(rest, view)
            case "board":
                return screen.board(view)
            case "hand":
                return f"{screen.hand(view)}\n{screen.costs()}"
            case "players":
                return screen.known(view)
            case "offers":
                return screen.offers(view)
            case "log":
                return self._log(rest)
            case "save":
                return self._save_as(rest)
            case "rules":
                return self._rules(rest)
        return "\n".join(
            [
                "   An action is written as ? shows it. Besides there are:",
                *(f"   {name:<9}{what}" for name, what in COMMANDS.items()),
                filled(ALIASES, self.screen.width, "   ", "   "),
            ]
        )

    def refuse(self, no: IllegalAction, view: SeatView) -> None:
        """Why not, and what could be done instead."""
        said = self._typed.said if self._typed is not None and self._typed.said else no.said
        self.say(self._remark(f"{said}: {no.reason}."))
        same = [action for action in view.legal_actions if action.kind == no.said.split()[0]]
        kinds = dict.fromkeys(action.kind for action in view.legal_actions)
        instead = self.screen.some(same) if same else f"{', '.join(kinds)} (? shows more)"
        self.say(filled(f"You may: {instead}", self.screen.width, "   ", "   "))

    def take_back(self) -> bool:
        """Back to the person's last decision, with all that others and the dice did since."""
        if not any(action.by == self.me for action in self.game.actions):
            raise Unclear("There is nothing to take back: you have not done anything yet.")
        while (action := self.game.undo()) is None or action.by != self.me:
            pass
        self.say(f"   Taken back: {self.screen.words(action.text)}")
        self._news, self._listed = [], []
        self._drawn = (self.game.turn, self.game.view(self.me).raw.placed)
        remind(self.game, self.others)
        self.save()
        return True

    def _picked(self, number: int, view: SeatView) -> Action:
        """The action with a number on the list that was shown last."""
        if not self._listed:
            raise Unclear("Numbers are those of the list that ? shows; type ? first.")
        if not 1 <= number <= len(self._listed):
            raise Unclear(f"The list goes from 1 to {len(self._listed)}.")
        return view.legal_actions[number - 1]

    def _explained(self, rest: str, view: SeatView) -> str:
        """The list of what may be done, or of one kind of it and why there is none."""
        if not rest:
            self._listed = view.legal_actions.codes
            return self.screen.choices(view)
        first = rest.lower().split()[0]
        kind = next((kind for kind in DEEDS if kind.startswith(first)), "") or whole_word(first, [])
        if kind in COMMANDS:
            return f"   {kind}: {COMMANDS[kind]}"
        self._listed = view.legal_actions.codes
        told = self.screen.choices(view, kind)
        if any(action.kind == kind for action in view.legal_actions):
            return told
        shown = example(view, kind)
        reason = view.why_not(shown)
        if reason is None:
            return told
        where = f" {glued(shown)}:" if kind in ("settlement", "city", "road") and reason.name != "cannot_pay" else ""
        return f"{told}\n{self._remark(f'Not now:{where} {reason}.')}"

    def _why(self, rest: str, view: SeatView) -> str:
        """Why something cannot be done."""
        typed = understood(rest, view) if rest else None
        if typed is None or typed.what != "do":
            raise Unclear("Say what you would like to do, as in: why city C3n.")
        reason = view.why_not(typed.rest)
        return self._remark(f"{typed.said}: {reason or 'nothing is against it, you may do that'}.")

    def _rules(self, rest: str) -> str:
        """The rule that was quoted last, an entry of the almanac, a rule, a chapter, or the list of entries."""
        from hexholm.almanac import Almanac
        from hexholm.rules.catalogue import rules

        from ..reports import almanac_text as book
        from ..reports import rule_text as rulebook

        almanac, edition = Almanac(self.game.edition, chosen=self.game.options), self.game.edition
        wanted = rest or self._quoted
        try:
            if not wanted:
                told = f"{book.drawn(book.contents(almanac), width=self.screen.width)}\n\n{HOW_RULES}"
            elif wanted.lower() == "chapters":
                told = "\n".join(f"   {chapter:<9}{about}" for chapter, about in rulebook.CHAPTERS.items())
            elif (chapter := rulebook.chapter_meant(almanac, wanted)) is not None:
                found = [rule for rule in rules() if rulebook.chapter_of(rule) == chapter]
                told = "\n".join(rulebook.chapter_told(chapter, found, edition))
            elif rulebook.is_rule(wanted):
                rule = rulebook.look_up(wanted)
                told = "\n".join(
                    [*rulebook.rule_told(rule, edition), *rulebook.explained_told(almanac, rule.id, edition)]
                )
            else:
                entry = rulebook.entry_meant(almanac, wanted)
                told = book.drawn(book.entry_told(almanac, entry), width=self.screen.width)
        except BadCall as no:
            raise Unclear(f"{no}.".replace("hexholm rules", "rules")) from None
        return told.replace("hexholm rules", "rules").replace(f" --edition {edition}", "")

    def last_lines(self) -> str:
        """What happened last, in a few lines: for one who comes back."""
        return "\n".join(self.screen.story.tell(so_far(self.game, self.me)).split("\n")[-LAST:])

    def _log(self, rest: str) -> str:
        """What happened: the last two rounds, or everything."""
        told = self.screen.story.tell(so_far(self.game, self.me), whole=rest == "all").split("\n")
        if rest == "all":
            return "\n".join(told)
        since = f"{max(0, self.game.turn - 2 * len(self.game.colors)):>3} "
        at = next((i for i, line in enumerate(told) if since.strip() != "0" and line.startswith(since)), 0)
        return "\n".join(told[at:]) or "   Nothing has happened yet."

    # --- keeping ---------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Keep the record; if that cannot be, say so once and go on."""
        try:
            write(self.path, self.game.record().text())
            self.saved = True
        except OSError as wrong:
            self.saved = False
            if not self._warned:
                self.say(f"   The game cannot be kept in {self.path}: {wrong.strerror or wrong}. You can play on.")
                self._warned = True

    def _save_as(self, rest: str) -> str:
        if not rest:
            raise Unclear("Name a file, as in: save game.hexholm.")
        writable(rest, "save")
        write(Path(rest), self.game.record().text())
        return f"   Saved: {rest}"


# --- for watching too -------------------------------------------------------------------------------------------------


def moved(game: Game, player: Bot, color: str) -> Past:
    """What a bot decides on its view, carried out."""
    choice = player.choose(game.view(color))
    action = Action.of_code(choice, game.colors, color) if isinstance(choice, int) else Action.of(str(choice))
    try:
        return game.play(action, by=color)
    except IllegalAction:  # the cards are gone, which it could not know (TRADE-10)
        instead = Action("reject" if action.kind == "accept" else "withdraw", offer=action.offer)
        return game.play(instead, by=color)


def remind(game: Game, players: Mapping[str, Any]) -> None:
    """Tell bots what they have said, after something was taken back or a game taken up: as a host does it.

    All that was said on this turn, and before what came to nothing.
    """
    said: list[tuple[int, Action, str]] = []  # turn, what, whose offer it answers
    turn, makers = 0, dict[int | None, str]()
    for event in game.events:
        match event:
            case TurnBegan():
                turn = event.number
            case OfferMade():
                kind = "offer" if event.answers is None else "counter"
                action = Action(kind, event.player, offer=event.answers, give=event.give, take=event.want, to=event.to)
                said.append((turn, action, makers.get(event.answers, "")))
                makers[event.number] = event.player
            case Traded():
                done = event.player, event.give, event.take
                said = [one for one in said if one[0] == game.turn or (one[1].by, one[1].give, one[1].take) != done]
    for color, player in players.items():
        mine = [one for one in said if one[1].by == color]
        for when in sorted({0, game.turn, *(when for when, _, _ in mine)}):
            then = [(action, to) for at, action, to in mine if at == when]
            player.remind(when, [action for action, _ in then], {to for _, to in then if to})


def so_far(game: Game, me: str | None) -> list[Event]:
    """All that happened, as one seat saw it (None: the public); the start pieces of a fixed set-up need no words."""
    events = list(game.events)
    began = next((i for i, event in enumerate(events) if isinstance(event, RollForStart | StarterChosen)), 0)
    told = [event for event in events[:began] if not isinstance(event, Built)] + events[began:]
    return [face for event in told if (face := event.seen_by(me)) is not None]
