"""`hexholm play`: a person against simple players, in the terminal.

The table is a loop: whoever is asked decides, the person by typing, the others by :class:`.SimplePlayer`; everybody
decides on a view of their own seat. After every action the record is written to a file, so that nothing is lost when
the terminal is. The file holds no seed: who resumes without `--seed` gets fresh dice.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import typer

from hexholm.game.action import Action
from hexholm.game.dealers import Seeded
from hexholm.game.events import Built, Event, RollForStart, StarterChosen, opening
from hexholm.game.game import Game
from hexholm.game.seat_view import SeatView
from hexholm.rules.begin import new_state
from hexholm.rules.core.layout import NATURE
from hexholm.rules.errors import BadInput
from hexholm.rules.referee import IllegalAction

from .asking import SHARED, asked, folded, many, title
from .drawing import colored
from .files import BadCall, read_text, writable
from .screen import HOW, Screen
from .simple_player import SimplePlayer
from .typed import COMMANDS, DEEDS, Unclear, understood

NO_TERMINAL: Final = "hexholm play is for a terminal; this is none: try hexholm play --plain"
OPPONENT: Final = "simple player"
"""The name of everybody who is no person; so a record says which seat is the person's."""
PERSON: Final = "person"
SEATS_WORDS: Final = {1: "one simple player", 2: "two simple players", 3: "three simple players"}


class Left(Exception):
    """The person leaves; `code` is the exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def run(
    *,
    players: int | None,
    seed: int | None,
    seat: str | None,
    name: str | None,
    record: str | None,
    resume: str | None,
    file: str | None,
    **given: Any,
) -> int:
    """Play a game with a person; returns the exit code."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        typer.echo(NO_TERMINAL)
        return 0
    luck = secrets.randbits(62) if seed is None else seed
    if resume is not None:
        given |= {"players": players, "file": file}
        for option, value in given.items():
            if value != (SHARED[option][1] if option in SHARED else None):
                raise BadCall(
                    f"--resume and --{option.replace('_', '-')}: the record says what is played; leave it out"
                )
        game, me = resumed(resume, luck, seat)
    else:
        if file == "-":
            raise BadCall("--file -: standard input is what you type at the table; name a file, or add --watch")
        game, me = begun(players, luck, seat, name, file, **given)
    path = kept_at(record, resume)
    table = Table(game, me, path, luck, ask=_ask, say=typer.echo, color=colored())
    again = f"hexholm play --resume {path}" + ("" if seed is None else f" --seed {seed}")
    welcome = [*title(game.options, game.layout, file), table.who_plays()]
    typer.echo("\n".join([*welcome, folded("Type what you do, ? to see what you may do, help for all else."), ""]))
    try:
        table.play()
    except (Left, KeyboardInterrupt) as end:
        code = end.code if isinstance(end, Left) else 130
        typer.echo(f"\nTo go on with this game: {again}" if table.saved else "\nThis game could not be kept.")
        return code
    except Exception:
        typer.echo(f"\nThis should not have happened. The game is kept: {again}", err=True)
        raise
    return 0


def begun(
    players: int | None, luck: int, seat: str | None, name: str | None, file: str | None, **given: Any
) -> tuple[Game, str]:
    """A new game, and the person's colour."""
    chosen, own = asked(file, players=4 if players is None else players, **given)
    me = _seat(seat, chosen.colors) or chosen.colors[0]
    called = " ".join((name or PERSON).split()) or PERSON
    if called == OPPONENT:
        raise BadCall(f"--name {called!r}: that is what the others are called; choose another name")
    names = [called if color == me else OPPONENT for color in chosen.colors]
    # Interpreted rules are quick enough for a person, and loading compiled ones would double the time to the first
    # question (0.9 s of processor time instead of 0.45 s).
    return Game(seed=luck, board=own, names=names, compiled=False, **chosen.as_dict()), me


def resumed(file: str, luck: int, seat: str | None) -> tuple[Game, str]:
    """The game of a record, and the person's colour: the seat that is no simple player's, or the one asked for."""
    game = Game.from_record(read_text(file, "--resume"), dealer=Seeded(luck), compiled=False)
    if game.chance is not None:
        game.deal()
    me = _seat(seat, game.colors)
    if me is None:
        people = [color for color, called in zip(game.colors, game.names, strict=True) if called != OPPONENT]
        if len(people) != 1:
            raise BadCall(f"{file} does not say which seat is yours; add --seat and one of {', '.join(game.colors)}")
        me = people[0]
    return game, me


def _seat(seat: str | None, colors: tuple[str, ...]) -> str | None:
    if seat is None or seat.strip().lower() in colors:
        return seat and seat.strip().lower()
    raise BadCall(f"--seat {seat}: the players are {', '.join(colors)}")


def kept_at(record: str | None, resume: str | None = None) -> Path:
    """The file that the game is kept in: as asked, where it was, or a new one in the folder of games."""
    named = record or resume
    if named is not None and named != "-":
        writable(named, "--record")
        return Path(named)
    import platformdirs

    folder = Path(os.environ.get("HEXHOLM_DATA") or platformdirs.user_data_dir("hexholm")) / "games"
    folder.mkdir(parents=True, exist_ok=True)
    now = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    path, n = folder / f"{now}.hexholm", 1
    while path.exists():
        n += 1
        path = folder / f"{now}-{n}.hexholm"
    return path


def write(path: Path, text: str) -> None:
    """Write a file at one stroke: whatever happens, it is whole, the old one or the new one."""
    path = path.resolve()  # a link stays one
    if path.exists() and not path.is_file():  # a device or a pipe must not be replaced by a file
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def _ask(prompt: str) -> str:
    """A line from the terminal; with a history of lines where Python has one."""
    with contextlib.suppress(ImportError):
        import readline

        readline.parse_and_bind("set enable-bracketed-paste off")  # no control sequences that nobody asked for
    return input(prompt)


class Table:
    """One person and simple players around a game."""

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
    ) -> None:
        self.game, self.me, self.path, self.ask, self.say = game, me, path, ask, say
        self.screen = Screen(game.options, me, color=color)
        self.others = {color: SimplePlayer(f"{luck} {color}") for color in game.colors if color != me}
        self.saved = False
        self._news: list[Event] = []
        self._listed: list[int] = []
        self._drawn: tuple[int, ...] | None = None
        self._warned = False
        if all(seat == NATURE for seat, _ in game.steps):
            self._news = so_far(game, me)
        self._remind()
        self.save()

    def who_plays(self) -> str:
        """Who sits at the table, in a sentence."""
        called = self.game.names[self.game.colors.index(self.me)]
        who = "You play" if called == PERSON else f"{called}, you play"
        others = SEATS_WORDS[len(self.others)]
        return self.screen.story.painted(f"{who} {self.me} against {others}: {', '.join(self.others)}.")

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
        """A simple player decides on its view."""
        action = self.others[color].choose(self.game.view(color))
        try:
            self.do(action, color)
        except IllegalAction:  # the cards are gone, which it could not know (TRADE-10)
            self.do(Action("reject" if action.kind == "accept" else "withdraw", offer=action.offer), color)

    def do(self, action: Action | str, color: str) -> None:
        """Carry out an action, note what the person sees of it, keep the record."""
        self._news += self.game.play(action, by=color).seen_by(self.me)
        self._listed = []
        self.save()

    def decide(self) -> None:
        """Ask the person until something is done."""
        view = self.game.view(self.me)
        self.show(view)
        while True:
            try:
                line = self.ask(f"{self.me}> ")
            except EOFError:
                raise Left(0) from None
            except UnicodeDecodeError:
                self.say("   That is no text.")
                continue
            try:
                if self.obey(line, view):
                    return
            except IllegalAction as no:
                self.refuse(no, view)
            except BadInput as no:
                self.tell(str(no))

    def tell(self, text: str) -> None:
        """A remark to the person, in the words of the edition."""
        text = text[:1].upper() + text[1:] + "." * (text[-1:] not in ".?!")
        self.say(folded(f"   {self.screen.words(text)}", "   "))

    def show(self, view: SeatView) -> None:
        """The board at the beginning of a turn, what has happened, what is asked."""
        asks = self.screen.asked(view).ask
        now = (view.turn, view.record.placed)
        if self._drawn is None or (asks in ("roll", "settlement") and self._drawn != now):
            self.say("\n" + self.screen.board(view))
            self._drawn = now
        waiting = {offer.number for offer in view.offers if self.me in offer.to}
        story = self.screen.story.tell(self._news, asked=waiting)
        self._news = []
        self.say(f"\n{story}\n" if story else "")
        self.say(self.screen.question(view))

    def finish(self) -> None:
        """The end of the game."""
        view = self.game.view(self.me)
        story = self.screen.story.tell(self._news)
        self.say(f"\n{self.screen.board(view)}\n\n{story}\n")
        self.say(f"The game took {many(self.game.turn, 'turn')}; its record: {self.path}")

    # --- what the person types -------------------------------------------------------------------------------

    def obey(self, line: str, view: SeatView) -> bool:
        """Do what a line says; returns whether the game has changed."""
        if not line.strip():
            self.say(self.screen.question(view))
            return False
        typed = understood(line, view)
        match typed.what:
            case "do":
                self.do(typed.rest, self.me)
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
                from .rulebook import look_up, rule_told

                return "\n".join(rule_told(look_up(rest or "PHASE-02"), self.game.edition))
        return "\n".join(["   An action is written as ? shows it. Besides there are:", *_listed(COMMANDS)])

    def refuse(self, no: IllegalAction, view: SeatView) -> None:
        """Why not, and what could be done instead."""
        screen = self.screen
        self.say(folded(screen.words(f"   {no.said}: {no.reason}."), "   "))
        same = [action for action in view.legal_actions if action.kind == no.said.split()[0]]
        kinds = dict.fromkeys(action.kind for action in view.legal_actions)
        instead = screen.some(same) if same else f"{', '.join(kinds)} (? shows more)"
        self.say(folded(f"   You may: {instead}", "   "))

    def take_back(self) -> bool:
        """Back to the person's last decision, with all that others and the dice did since."""
        if not any(action.by == self.me for action in self.game.actions):
            raise Unclear("There is nothing to take back: you have not done anything yet.")
        while (action := self.game.undo()).by != self.me:
            pass
        self.say(f"   Taken back: {self.screen.words(action.text)}")
        self._news, self._listed = [], []
        self._drawn = (self.game.turn, self.game.view(self.me).record.placed)
        self._remind()
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
        word = rest.lower().split()[0]
        kinds = [kind for kind in DEEDS if kind == word] or [kind for kind in DEEDS if kind.startswith(word)]
        if not kinds:
            raise Unclear(f"{word!r} is no action; there are {', '.join(HOW)}.")
        kind = kinds[0]
        self._listed = view.legal_actions.codes
        told = self.screen.choices(view, kind)
        if any(action.kind == kind for action in view.legal_actions) or kind in ("offer", "counter"):
            return told
        example = self.screen.example(view, kind)
        reason = view.why_not(example)
        if reason is None:
            return told
        where = f" {example}:" if kind in ("settlement", "city", "road") and reason.name != "cannot_pay" else ""
        return f"{told}\n{folded(self.screen.words(f'   Not now:{where} {reason}.'), '   ')}"

    def _why(self, rest: str, view: SeatView) -> str:
        """Why something cannot be done."""
        typed = understood(rest, view) if rest else None
        if typed is None or typed.what != "do":
            raise Unclear("Say what you would like to do, as in: why city C3n.")
        reason = view.why_not(typed.rest)
        if reason is None:
            return f"   {self.screen.words(typed.rest)}: nothing is against it, you may do that."
        return folded(self.screen.words(f"   {typed.rest}: {reason}."), "   ")

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

    def _remind(self) -> None:
        """Tell the simple players what they have said on this turn."""
        now: list[Action] = []
        for action in reversed(self.game.actions):
            if action.kind == "end":
                break
            now.append(action)
        for color, player in self.others.items():
            player.remind(self.game.turn, [action for action in now if action.by == color])


def so_far(game: Game, me: str | None) -> list[Event]:
    """All that happened, as one seat saw it (None: the public); the start pieces of a fixed set-up need no words."""
    if game.steps:
        events = list(game.events)
    else:
        start = new_state(game.options, game.layout)
        events = list(opening(game.options, start)) if game.referee.state == start else []
    began = next((i for i, event in enumerate(events) if isinstance(event, RollForStart | StarterChosen)), 0)
    told = [event for event in events[:began] if not isinstance(event, Built)] + events[began:]
    return [face for event in told if (face := event.seen_by(me)) is not None]


def _listed(commands: dict[str, str]) -> list[str]:
    return [f"   {name:<9}{what}" for name, what in commands.items()]
