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
from hexholm.game.history import EventSequence
from hexholm.game.language.phrases import TEXT_WIDTH, count_noun
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.names import NATURE
from hexholm.rules.reasons import IllegalAction

from ..shared.files import BadCall, check_writable
from ..shared.plain_text import fold_glued, glue
from ..shared.terminal import BOARD_COLUMNS, TALL_LINES
from .action_examples import action_example
from .opponents import next_to_decide, play_bot, remind_bots
from .saved_games import LEVEL_NAMES, PERSON, level_in, replay_command, write_whole
from .screen import ALIASES, Screen
from .story import seen_events
from .typed_line import TABLE_COMMANDS, TypedLine, Unclear, read_typed_line, whole_word

NUMBER_WORDS: Final = {1: "one", 2: "two", 3: "three"}
RULES_AT_TABLE: Final = "rules"
"""What is typed at the table to read the rules."""
RULES_HINT: Final = "   An entry: rules robber; a rule: rules ROBBER-05; all rules: rules chapters"
ESSENTIALS: Final = "Type an action, ? to see what you may do, or help for everything else."
LAST_LINES: Final = 6
"""Lines of the log that one who comes back is shown."""
TOO_LOW: Final = (
    f"The window is too short for all of this: scroll up to see the board, type board to see it again, or make the"
    f" window {TALL_LINES} lines high."
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
        me: Color,
        path: Path,
        seed: int,
        *,
        ask: Callable[[str], str],
        say: Callable[[str], Any],
        in_color: bool = False,
        size: Callable[[], tuple[int, int]] = lambda: (80, 50),
    ) -> None:
        self.game, self.me, self.path, self.ask, self.say, self.size = game, me, path, ask, say, size
        self.screen = Screen(game.options, me, in_color=in_color)
        self.screen.fit(*size())
        level = level_in(game)
        self.bots = {color: bot(level, f"{seed} {color}") for color in game.colors if color != me}
        self.saved = False
        self._news: list[Event] = []
        self._listed_codes: list[int] = []
        self._board_shown_at: tuple[int, ...] | None = None
        self._quoted_rule = ""
        self._typed_line: TypedLine | None = None
        self._warned = self._greeted = False
        if all(seat == NATURE for seat, _ in game.steps):
            self._news = seen_events(game, me)
        remind_bots(game, self.bots)
        self.save()

    def who_plays(self) -> str:
        """Who sits at the table, in a sentence."""
        player_name = self.game.names[self.game.colors.index(self.me)]
        subject = "You play" if player_name in (PERSON, self.me) else f"{player_name}, you play"
        n = len(self.bots)
        opponents = f"{NUMBER_WORDS[n]} {LEVEL_NAMES[level_in(self.game)]}{'s' if n > 1 else ''}"
        sentence = f"{subject} {self.me} against {opponents}: {', '.join(self.bots)}."
        return self.screen.story.paint(textwrap.fill(sentence, TEXT_WIDTH))

    # --- the loop --------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Until somebody has won; raises :class:`PersonLeft` when the person leaves before."""
        while not self.game.over:
            color = next_to_decide(self.game, self.me)
            if color == self.me:
                self.decide()
            else:
                self.play_bot(color)
        self.finish()

    def play_bot(self, color: Color) -> None:
        """A bot decides on its view."""
        self._take_in_events(play_bot(self.game, self.bots[color], color))

    def play_action(self, action: Action | str, color: Color) -> None:
        """Carry out an action of somebody, note what the person sees of it, keep the record."""
        self._take_in_events(self.game.play(action, by=color))

    def _take_in_events(self, events: EventSequence) -> None:
        self._news += events.seen_by(self.me)
        self._listed_codes = []
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
                self.say("   That is not text.")
                continue
            self.screen.fit(*self.size())
            self._typed_line = None
            try:
                if self.answer_line(line, view):
                    return
            except IllegalAction as error:
                self.refuse(error, view)
            except Unclear as error:
                self.tell(str(error))
            except BadInput as error:
                self.tell(str(error)[:1].upper() + str(error)[1:])

    def tell(self, text: str) -> None:
        """A remark to the person."""
        self.say(self._remark_text(text + "." * (text[-1:] not in ".?!")))

    def _remark_text(self, text: str) -> str:
        """A text, folded; the rule it quotes is remembered."""
        for rule_id in re.findall(r"\(([A-Z]+-\d\d)\)", text):
            self._quoted_rule = rule_id
        return fold_glued(text, self.screen.width, "   ", "   ")

    def show(self, view: SeatView) -> None:
        """The board at the beginning of a turn (in a low window: who has what), what has happened, what is asked."""
        screen, prompt_kind = self.screen, view.current_prompt.ask
        turn_and_placed = (view.turn, view.facts.placed)
        if self._board_shown_at is None or (
            prompt_kind in ("roll", "settlement") and self._board_shown_at != turn_and_placed
        ):
            low = screen.low and self._board_shown_at is not None and prompt_kind == "roll"
            self.say("\n" + (screen.players_text(view) if low else screen.table_text(view)))
            self._board_shown_at = turn_and_placed
        open_offers = {offer.number for offer in view.offers if self.me in offer.to}
        story = screen.story.tell(self._news, open_offers=open_offers)
        self._news = []
        self.say(f"\n{story}\n" if story else "")
        self.say(screen.question_text(view))

    def _greet(self) -> None:
        """Once, just before the first question is answered: what one must know to begin."""
        if self._greeted:
            return
        self._greeted = True
        columns, _ = self.size()
        hints = [ESSENTIALS, *[TOO_LOW] * self.screen.low]
        if columns < BOARD_COLUMNS:
            hints.append(f"This window is {columns} columns wide; the board needs {BOARD_COLUMNS}.")
        self.say("\n".join(self.screen.in_gray(fold_glued(hint, self.screen.width, "   ", "   ")) for hint in hints))

    def finish(self) -> None:
        """The end of the game."""
        view = self.game.view(self.me)
        story = self.screen.story.tell(self._news)
        self.say(f"\n{self.screen.table_text(view)}\n\n{story}\n")
        replay = replay_command(self.path)
        self.say(f"The game took {count_noun(self.game.turn, 'turn')}. To read it again, and what decided it:")
        self.say(f"  {replay}\n  {replay} --summary")

    # --- what the person types -------------------------------------------------------------------------------

    def answer_line(self, line: str, view: SeatView) -> bool:
        """Do what a line says; returns whether the game has changed."""
        if not line.strip():
            self.say(self.screen.question_text(view))
            return False
        typed_line = self._typed_line = read_typed_line(line, view)
        match typed_line.command:
            case "do":
                self.play_action(typed_line.argument, self.me)
                if typed_line.alias:
                    self.say(f"   {typed_line.alias} is also called {typed_line.argument.split()[-1]}.")
                return True
            case "number":
                self.play_action(self._numbered_action(int(typed_line.argument), view), self.me)
                return True
            case "undo":
                return self.take_back()
            case "quit":
                raise PersonLeft(0)
        self.say(self.answer(typed_line.command, typed_line.argument, view))
        return False

    def answer(self, command: str, argument: str, view: SeatView) -> str:
        """What a command that only shows something shows."""
        screen = self.screen
        match command:
            case "?":
                return self._explain_choices(argument, view)
            case "why":
                return self._why_not_text(argument, view)
            case "board":
                return screen.table_text(view)
            case "hand":
                return f"{screen.hand_text(view)}\n{screen.costs_text()}"
            case "players":
                return screen.known_cards(view)
            case "offers":
                return screen.offers_text(view)
            case "log":
                return self._log_text(argument)
            case "save":
                return self._save_as(argument)
            case "rules":
                return self._rules_text(argument)
        return "\n".join(
            [
                "   Write an action as ? shows it. There is also:",
                *(f"   {name:<9}{meaning}" for name, meaning in TABLE_COMMANDS.items()),
                fold_glued(ALIASES, self.screen.width, "   ", "   "),
            ]
        )

    def refuse(self, refusal: IllegalAction, view: SeatView) -> None:
        """Why not, and what could be done instead."""
        spelling = (
            self._typed_line.spelling
            if self._typed_line is not None and self._typed_line.spelling
            else self.screen.in_words(refusal.action_text)
        )
        self.say(self._remark_text(f"{spelling}: {refusal.reason}."))
        same_kind = [action for action in view.legal_actions if action.kind == refusal.action_text.split()[0]]
        kinds = dict.fromkeys(action.kind for action in view.legal_actions)
        instead = self.screen.first_few(same_kind) if same_kind else f"{', '.join(kinds)} (? shows more)"
        self.say(fold_glued(f"You may: {instead}", self.screen.width, "   ", "   "))

    def take_back(self) -> bool:
        """Back to the person's last decision, with all that others and the dice did since."""
        if not any(action.by == self.me for action in self.game.actions):
            raise Unclear("There is nothing to take back: you have not done anything yet.")
        while (action := self.game.undo()) is None or action.by != self.me:
            pass
        self.say(f"   Taken back: {self.screen.in_words(action.text)}")
        self._news, self._listed_codes = [], []
        self._board_shown_at = (self.game.turn, self.game.view(self.me).facts.placed)
        remind_bots(self.game, self.bots)
        self.save()
        return True

    def _numbered_action(self, number: int, view: SeatView) -> Action:
        """The action with a number on the list that was shown last."""
        if not self._listed_codes:
            raise Unclear("Numbers are those of the list that ? shows; type ? first.")
        if not 1 <= number <= len(self._listed_codes):
            raise Unclear(f"The list goes from 1 to {len(self._listed_codes)}.")
        return view.legal_actions[number - 1]

    def _explain_choices(self, argument: str, view: SeatView) -> str:
        """The list of what may be done, or of one kind of it and why there is none."""
        if not argument:
            self._listed_codes = view.legal_actions.codes
            return self.screen.choices_text(view)
        word = argument.lower().split()[0]
        kind = next((kind for kind in PLAYER_ACTIONS if kind.startswith(word)), "") or whole_word(word, [])
        if kind in TABLE_COMMANDS:
            return f"   {kind}: {TABLE_COMMANDS[kind]}"
        self._listed_codes = view.legal_actions.codes
        choices = self.screen.choices_text(view, kind)
        if any(action.kind == kind for action in view.legal_actions):
            return choices
        example = action_example(view, kind)
        reason = view.why_not(example)
        if reason is None:
            return choices
        example_note = (
            f" {glue(example)}:" if kind in ("settlement", "city", "road") and reason.name != "cannot_pay" else ""
        )
        return f"{choices}\n{self._remark_text(f'Not now:{example_note} {reason}.')}"

    def _why_not_text(self, argument: str, view: SeatView) -> str:
        """Why something cannot be done."""
        typed_line = read_typed_line(argument, view) if argument else None
        if typed_line is None or typed_line.command != "do":
            raise Unclear("Say what you would like to do, as in: why city C3n.")
        reason = view.why_not(typed_line.argument)
        return self._remark_text(f"{typed_line.spelling}: {reason or 'nothing stands in the way; you may do that'}.")

    def _rules_text(self, argument: str) -> str:
        """The rule that was quoted last, an entry of the almanac, a rule, a chapter, or the list of entries."""
        from hexholm.almanac import Almanac

        from ..reports import almanac_text, rule_text

        almanac, edition = Almanac(self.game.edition, options=self.game.options), self.game.edition
        query, width = argument or self._quoted_rule, self.screen.width
        try:
            match rule_text.query_kind(almanac, query):
                case "contents":
                    text = f"{almanac_text.as_text(almanac_text.contents_parts(almanac), width=width)}\n\n{RULES_HINT}"
                case "chapters":
                    text = "\n".join(
                        f"   {chapter:<9}{rule_text.chapter_title(chapter, edition)}" for chapter in rule_text.CHAPTERS
                    )
                case "chapter":
                    chapter = query.strip().upper()
                    rules = rule_text.rules_of_chapter(chapter, edition)
                    text = "\n".join(rule_text.chapter_lines(chapter, rules, edition, RULES_AT_TABLE))
                case "rule":
                    rule = rule_text.find_rule(query, edition, RULES_AT_TABLE)
                    explanation = rule_text.explained_lines(almanac, almanac.rule(rule.id), edition, RULES_AT_TABLE)
                    text = "\n".join([*rule_text.rule_lines(rule, edition), *explanation])
                case _:
                    entry = rule_text.find_entry(almanac, query, RULES_AT_TABLE)
                    text = almanac_text.as_text(almanac_text.entry_parts(almanac, entry), width=width)
                    text = text.replace(rule_text.RULES_COMMAND, RULES_AT_TABLE)  # entries are written for a shell
        except BadCall as error:
            raise Unclear(f"{error}.") from None
        return text

    def last_lines(self) -> str:
        """What happened last, in a few lines: for one who comes back."""
        return "\n".join(self.screen.story.tell(seen_events(self.game, self.me)).split("\n")[-LAST_LINES:])

    def _log_text(self, argument: str) -> str:
        """What happened: the last two rounds, or everything."""
        lines = self.screen.story.tell(seen_events(self.game, self.me), whole=argument == "all").split("\n")
        if argument == "all":
            return "\n".join(lines)
        since = f"{max(0, self.game.turn - 2 * len(self.game.colors)):>3} "
        at = next((i for i, line in enumerate(lines) if since.strip() != "0" and line.startswith(since)), 0)
        return "\n".join(lines[at:]) or "   Nothing has happened yet."

    # --- keeping ---------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Keep the record; if that cannot be, say so once and go on."""
        try:
            write_whole(self.path, self.game.record().text())
            self.saved = True
        except OSError as error:
            self.saved = False
            if not self._warned:
                self.say(f"   The game cannot be kept in {self.path}: {error.strerror or error}. You can play on.")
                self._warned = True

    def _save_as(self, file: str) -> str:
        if not file:
            raise Unclear("Name a file, as in: save game.hexholm.")
        check_writable(file, "save")
        write_whole(Path(file), self.game.record().text())
        return f"   Saved: {file}"
