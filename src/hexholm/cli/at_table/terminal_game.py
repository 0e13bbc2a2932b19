"""A person against bots, in the terminal.

The game is a loop: whoever is asked decides, the person by typing, the others as players of the chosen level do;
everybody decides on a view of their own seat. After every action the record is written to a file, so that nothing is
lost when the terminal is.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from hexholm.bots import bot
from hexholm.game.action import PLAYER_ACTIONS, Action
from hexholm.game.events import Event
from hexholm.game.game import Game, SeatView
from hexholm.game.history import Past
from hexholm.game.language.phrases import TEXT_WIDTH, count_noun
from hexholm.rules.errors import BadInput
from hexholm.rules.names import NATURE
from hexholm.rules.referee import IllegalAction

from ..shared.files import BadCall, writable
from ..shared.plain_text import fold_glued, glued
from ..shared.terminal import NEEDED, TALL
from .action_examples import action_example
from .input import TABLE_COMMANDS, Typed, Unclear, parse, whole_word
from .opponents import play_bot, remind_bots
from .saved_games import LEVELS, PERSON, level_in, replay_command, write_whole
from .screen import ALIASES, Screen
from .story import seen_events

SEATS_WORDS: Final = {1: "one", 2: "two", 3: "three"}
HOW_RULES: Final = "   An entry: rules longest road; a rule: rules LROAD-08; all rules: rules chapters"
ESSENTIALS: Final = "Type what you do, ? to see what you may do, help for all else."
LAST: Final = 6
"""Lines of the log that one who comes back is shown."""
TOO_LOW: Final = (
    f"The window is too low for all of this: scroll up to see the board, type board to see it again, or make the"
    f" window {TALL} lines high."
)


class PersonLeft(Exception):
    """The person leaves; `code` is the exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class TerminalGame:
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
            self._news = seen_events(game, me)
        remind_bots(game, self.others)
        self.save()

    def who_plays(self) -> str:
        """Who sits at the table, in a sentence."""
        called = self.game.names[self.game.colors.index(self.me)]
        who = "You play" if called in (PERSON, self.me) else f"{called}, you play"
        n = len(self.others)
        others = f"{SEATS_WORDS[n]} {LEVELS[level_in(self.game)]}{'s' if n > 1 else ''}"
        sentence = f"{who} {self.me} against {others}: {', '.join(self.others)}."
        return self.screen.story.painted(textwrap.fill(sentence, TEXT_WIDTH))

    # --- the loop --------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Until somebody has won; raises :class:`PersonLeft` when the person leaves before."""
        while not self.game.over:
            color = self.next_color()
            if color == self.me:
                self.decide()
            else:
                self.play_bot(color)
        self.finish()

    def next_color(self) -> str:
        """Whose decision comes next: those who are asked, the person last of them, and then the active player."""
        game = self.game
        asked_for = [color for color in game.to_act if color != game.active or game.phase == "discard"]
        return min(asked_for, key=lambda color: color == self.me) if asked_for else game.active

    def play_bot(self, color: str) -> None:
        """A bot decides on its view."""
        self._happened(play_bot(self.game, self.others[color], color))

    def play_action(self, action: Action | str, color: str) -> None:
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
                raise PersonLeft(0) from None
            except UnicodeDecodeError:
                self.say("   That is no text.")
                continue
            self.screen.fit(*self.size())
            self._typed = None
            try:
                if self.answer_line(line, view):
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
        return fold_glued(self.screen.words(text), self.screen.width, "   ", "   ")

    def show(self, view: SeatView) -> None:
        """The board at the beginning of a turn (in a low window: who has what), what has happened, what is asked."""
        screen, asks = self.screen, view.question.ask
        now = (view.turn, view.facts.placed)
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
        self.say("\n".join(self.screen.faint(fold_glued(hint, self.screen.width, "   ", "   ")) for hint in hints))

    def finish(self) -> None:
        """The end of the game."""
        view = self.game.view(self.me)
        story = self.screen.story.tell(self._news)
        self.say(f"\n{self.screen.board(view)}\n\n{story}\n")
        read = replay_command(self.path)
        self.say(f"The game took {count_noun(self.game.turn, 'turn')}. To read it again, and what decided it:")
        self.say(f"  {read}\n  {read} --summary")

    # --- what the person types -------------------------------------------------------------------------------

    def answer_line(self, line: str, view: SeatView) -> bool:
        """Do what a line says; returns whether the game has changed."""
        if not line.strip():
            self.say(self.screen.question(view))
            return False
        typed = self._typed = parse(line, view)
        match typed.what:
            case "do":
                self.play_action(typed.rest, self.me)
                if typed.alias:
                    self.say(f"   {typed.alias} is also called {typed.rest.split()[-1]}.")
                return True
            case "number":
                self.play_action(self._picked(int(typed.rest), view), self.me)
                return True
            case "undo":
                return self.take_back()
            case "quit":
                raise PersonLeft(0)
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
                *(f"   {name:<9}{what}" for name, what in TABLE_COMMANDS.items()),
                fold_glued(ALIASES, self.screen.width, "   ", "   "),
            ]
        )

    def refuse(self, no: IllegalAction, view: SeatView) -> None:
        """Why not, and what could be done instead."""
        said = self._typed.said if self._typed is not None and self._typed.said else no.said
        self.say(self._remark(f"{said}: {no.reason}."))
        same = [action for action in view.legal_actions if action.kind == no.said.split()[0]]
        kinds = dict.fromkeys(action.kind for action in view.legal_actions)
        instead = self.screen.some(same) if same else f"{', '.join(kinds)} (? shows more)"
        self.say(fold_glued(f"You may: {instead}", self.screen.width, "   ", "   "))

    def take_back(self) -> bool:
        """Back to the person's last decision, with all that others and the dice did since."""
        if not any(action.by == self.me for action in self.game.actions):
            raise Unclear("There is nothing to take back: you have not done anything yet.")
        while (action := self.game.undo()) is None or action.by != self.me:
            pass
        self.say(f"   Taken back: {self.screen.words(action.text)}")
        self._news, self._listed = [], []
        self._drawn = (self.game.turn, self.game.view(self.me).facts.placed)
        remind_bots(self.game, self.others)
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
        kind = next((kind for kind in PLAYER_ACTIONS if kind.startswith(first)), "") or whole_word(first, [])
        if kind in TABLE_COMMANDS:
            return f"   {kind}: {TABLE_COMMANDS[kind]}"
        self._listed = view.legal_actions.codes
        told = self.screen.choices(view, kind)
        if any(action.kind == kind for action in view.legal_actions):
            return told
        shown = action_example(view, kind)
        reason = view.why_not(shown)
        if reason is None:
            return told
        where = f" {glued(shown)}:" if kind in ("settlement", "city", "road") and reason.name != "cannot_pay" else ""
        return f"{told}\n{self._remark(f'Not now:{where} {reason}.')}"

    def _why(self, rest: str, view: SeatView) -> str:
        """Why something cannot be done."""
        typed = parse(rest, view) if rest else None
        if typed is None or typed.what != "do":
            raise Unclear("Say what you would like to do, as in: why city C3n.")
        reason = view.why_not(typed.rest)
        return self._remark(f"{typed.said}: {reason or 'nothing is against it, you may do that'}.")

    def _rules(self, rest: str) -> str:
        """The rule that was quoted last, an entry of the almanac, a rule, a chapter, or the list of entries."""
        from hexholm.almanac import Almanac
        from hexholm.rules import catalogue

        from ..reports import almanac_text, rule_text

        almanac, edition = Almanac(self.game.edition, chosen=self.game.options), self.game.edition
        wanted, width = rest or self._quoted, self.screen.width
        try:
            if not wanted:
                text = f"{almanac_text.as_text(almanac_text.contents(almanac), width=width)}\n\n{HOW_RULES}"
            elif wanted.lower() == "chapters":
                text = "\n".join(f"   {chapter:<9}{about}" for chapter, about in rule_text.CHAPTERS.items())
            elif (chapter := rule_text.chapter_meant(almanac, wanted)) is not None:
                found = [rule for rule in catalogue.rules() if rule_text.chapter_of(rule) == chapter]
                text = "\n".join(rule_text.chapter_lines(chapter, found, edition))
            elif rule_text.is_rule(wanted):
                rule = rule_text.rule_meant(wanted)
                explained = rule_text.explained_lines(almanac, rule.id, edition)
                text = "\n".join([*rule_text.rule_lines(rule, edition), *explained])
            else:
                entry = rule_text.entry_meant(almanac, wanted)
                text = almanac_text.as_text(almanac_text.entry_parts(almanac, entry), width=width)
        except BadCall as no:
            raise Unclear(f"{no}.".replace("hexholm rules", "rules")) from None
        return text.replace("hexholm rules", "rules").replace(f" --edition {edition}", "")

    def last_lines(self) -> str:
        """What happened last, in a few lines: for one who comes back."""
        return "\n".join(self.screen.story.tell(seen_events(self.game, self.me)).split("\n")[-LAST:])

    def _log(self, rest: str) -> str:
        """What happened: the last two rounds, or everything."""
        told = self.screen.story.tell(seen_events(self.game, self.me), whole=rest == "all").split("\n")
        if rest == "all":
            return "\n".join(told)
        since = f"{max(0, self.game.turn - 2 * len(self.game.colors)):>3} "
        at = next((i for i, line in enumerate(told) if since.strip() != "0" and line.startswith(since)), 0)
        return "\n".join(told[at:]) or "   Nothing has happened yet."

    # --- keeping ---------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Keep the record; if that cannot be, say so once and go on."""
        try:
            write_whole(self.path, self.game.record().text())
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
        write_whole(Path(rest), self.game.record().text())
        return f"   Saved: {rest}"
