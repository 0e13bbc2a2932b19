"""Prove a player of your own: `check_bot(MyBot)` plays it, in every edition, and says what is wrong with it.

    >>> from hexholm.testing import check_bot
    >>> from hexholm.bots.easy import Easy
    >>> print(check_bot(Easy, editions=["fifth"], games=1, points_to_win=4))      # doctest: +ELLIPSIS
    Easy: all is well
      legal        ... decisions in 1 game, all legal
      repeatable   the same seed played the same games
      alone        what other seats do elsewhere does not change its mind
      honest       ... times it was shown another world that looks the same: the same choice
      harmless     it left its views as they were
      anew         made anew for every question, as hosts do, it plays on
      speed        median ... ms, 99 of 100 within ... ms, longest ... ms

In a test of your own `check_bot(MyBot)` is all: it raises :class:`BadBot`, an AssertionError, with this report.
"""

from __future__ import annotations

import gc
import pickle
import random
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from hexholm.arena.entrants import Entrant, entrant
from hexholm.arena.schedule import derived
from hexholm.arena.table import Fault, Job, Table
from hexholm.arena.tournament import seated
from hexholm.bots import registry
from hexholm.bots.memory import Memory, terms_of
from hexholm.bots.program import ProgramPlayer
from hexholm.bots.protocol import Bot, Effort, Factory, code_of
from hexholm.game.action import Action
from hexholm.game.seat_view import SeatView
from hexholm.rules.core.layout import SEATS, State
from hexholm.rules.editions import EDITIONS
from hexholm.rules.notation import say

CAP: Final = 400
"""Turns after which a game of the check ends."""
SHOWN: Final = 5
"""Faults of a kind that a report tells."""
WORLDS: Final = 4
"""So often another world is looked for that truly differs from the real one."""
_KEY: Final = secrets.token_bytes(16)


class BadBot(AssertionError):
    """A player that failed; `report` says where."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report


@dataclass
class Report:
    """What a check has found. `faults` are lines by check; without any, all is well."""

    name: str
    faults: dict[str, list[str]] = field(default_factory=dict)
    games: int = 0
    worlds: int = 0
    """How often it was shown a world in which hidden cards truly lay otherwise."""
    times: list[float] = field(default_factory=list)
    """Seconds of each decision."""
    tried: set[str] = field(default_factory=set)
    """Checks that were made: after a fault some cannot be."""

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.faults

    @property
    def decisions(self) -> int:
        """How many decisions it made in whole games."""
        return len(self.times)

    def quantile(self, share: float) -> float:
        """The milliseconds within which this share of the decisions was made."""
        ordered = sorted(self.times) or [0.0]
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def fault(self, check: str, line: str) -> None:
        """Note a fault."""
        self.faults.setdefault(check, []).append(line)

    def checks(self) -> dict[str, tuple[bool | None, list[str]]]:
        """By check: whether it was passed (None: it was not tried), and what there is to say."""
        games = f"{self.games} game" if self.games == 1 else f"{self.games} games"
        well = {
            "legal": f"{self.decisions} decisions in {games}, all legal",
            "repeatable": "the same seed played the same games",
            "alone": "what other seats do elsewhere does not change its mind",
            "honest": f"{self.worlds} times it was shown another world that looks the same: the same choice",
            "harmless": "it left its views as they were",
            "anew": "made anew for every question, as hosts do, it plays on",
        }
        found: dict[str, tuple[bool | None, list[str]]] = {}
        for check, line in well.items():
            if wrong := self.faults.get(check):
                more = [f"and {len(wrong) - SHOWN} more"] * (len(wrong) > SHOWN)
                found[check] = False, wrong[:SHOWN] + more
            else:
                found[check] = (True, [line]) if check in self.tried else (None, ["not tried"])
        return found

    def __str__(self) -> str:
        told = [f"{self.name}: {'all is well' if self.ok else 'NOT as it should be'}"]
        for check, (passed, lines) in self.checks().items():
            if passed is False:
                told += [f"  {check:<13}FAILED:", *(f"    {line}" for line in lines)]
            else:
                told.append(f"  {check:<13}{lines[0]}")
        median, p99, longest = (self.quantile(share) for share in (0.5, 0.99, 1.0))
        told.append(f"  {'speed':<13}median {median:.3g} ms, 99 of 100 within {p99:.3g} ms, longest {longest:.3g} ms")
        return "\n".join(told)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        median, p99, longest = (round(self.quantile(share), 4) for share in (0.5, 0.99, 1.0))
        return {
            "name": self.name,
            "ok": self.ok,
            "checks": [
                {"name": check, "passed": passed, "detail": "; ".join(lines)}
                for check, (passed, lines) in self.checks().items()
            ],
            "games": self.games,
            "decisions": self.decisions,
            "worlds": self.worlds,
            "median_ms": median,
            "p99_ms": p99,
            "longest_ms": longest,
        }


@dataclass
class Heard:
    """What a player was shown and chose in one game."""

    views: list[SeatView] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    hidden: list[bytes] = field(default_factory=list)
    """What stands for the cards that were hidden from it; they cannot be read from that."""


class Witness:
    """A player, watched: what it is shown, what it chooses, how long it takes, whether it spoils its view."""

    def __init__(self, inner: Bot, heard: Heard, report: Report) -> None:
        self._inner, self._heard, self._report = inner, heard, report
        self.state: State | None = None
        """The full truth, for a digest of it."""

    def choose(self, view: SeatView) -> Any:
        """What the player chooses."""
        before = view.raw.buffer.tobytes()
        begun = time.perf_counter()
        choice = self._inner.choose(view)
        self._report.times.append(time.perf_counter() - begun)
        self._report.tried.add("harmless")
        if view.raw.buffer.tobytes() != before:
            self._report.fault("harmless", f"turn {view.turn}, {view.phase}: it wrote into its view")
            view.raw.buffer[:] = np.frombuffer(before, np.uint8)
        assert self.state is not None
        self._heard.views.append(view)
        self._heard.hidden.append(hidden(self.state))
        self._heard.codes.append(code_of(choice, view.colors, view.facts.observer))
        return choice

    def close(self) -> None:
        """The game is over."""
        close(self._inner)


class Anew:
    """A player that is made anew for every question and reminded of its offers, as hosts do it.

    Of earlier turns it is told what came to nothing.
    """

    def __init__(self, make: Callable[[], Bot]) -> None:
        self._make = make
        self._memory = Memory()
        self._said: list[tuple[int, Action, str]] = []  # turn, what, whose offer it answers

    def choose(self, view: SeatView) -> int:
        """What a new one chooses."""
        bot = self._make()
        self._memory.look(view)
        self._said = [one for one in self._said if one[0] == view.turn or terms_of(one[1]) in self._memory.refused]
        remind = getattr(bot, "remind", None)
        if remind is not None:
            for turn in sorted({turn for turn, _, _ in self._said}):
                said = [(action, to) for when, action, to in self._said if when == turn]
                remind(turn, [action for action, _ in said], {to for _, to in said if to})
        code = code_of(bot.choose(view), view.colors, view.facts.observer)
        action = Action.of_code(code, view.colors)
        if action.kind in ("offer", "counter"):
            to = next((offer.by for offer in view.offers if offer.number == action.offer), "")
            self._said.append((view.turn, action, to))
        self._memory.note(view, code)
        close(bot)
        return code


def check_bot(
    factory: str | Entrant | ProgramPlayer | Factory,
    *,
    games: int = 2,
    editions: Iterable[str] = EDITIONS,
    seed: int = 0,
    effort: Effort | str | None = None,
    opponent: str = "easy",
    raises: bool = True,
    **given: Any,
) -> Report:
    """Play a player in whole games of every edition and prove that it is fit for tables and tournaments.

    It must choose legal actions; play the same game again with the same seed; choose by its own view alone, also when
    the hidden cards of others lie otherwise than in the game; and leave its views as they are. `factory` makes it from
    a seed; a name, a program or `my_bot.py:MyBot` will do as well. One that thinks for a time must be given an `effort`
    in steps, or it cannot repeat itself. `games`: of each edition. `given`: options of the games, as for a tournament.
    Raises :class:`BadBot` if something is wrong, or returns the report if `raises` is False.
    """
    who = entrant(factory)
    if effort is not None:
        who = replace(who, effort=Effort.of(effort) if isinstance(effort, str) else effort)
    report = Report(who.label)
    plan = [(edition, number) for edition in editions for number in range(games)]
    for edition, number in plan:
        job = _job(who, edition, number, derived(seed, f"check {edition}", number), opponent, dict(given))
        with registry.aside():
            _check_game(job, report)
            if (edition, number) == plan[0] and report.ok and not isinstance(who.source, ProgramPlayer):
                _made_anew(job, report)
        if sum(map(len, report.faults.values())) > 4 * SHOWN:
            break
    if raises and not report.ok:
        raise BadBot(report)
    return report


def _job(who: Entrant, edition: str, number: int, seed: int, opponent: str, given: dict[str, Any]) -> Job:
    """A game of it, three or four at the table by turns: against others, then against itself."""
    players = given.pop("players", 3 + number % 2)
    others = who if number % 2 else entrant(opponent)
    return Job((who, *[others] * (players - 1)), seated(players, edition=edition, **given), seed, cap=CAP)


def _check_game(job: Job, report: Report) -> None:
    """One game, the same again, and all its decisions once more on their own."""
    who, edition, match = job.entrants[0], job.options.edition, job.schedule.match(0)
    report.games += 1
    report.tried.add("legal")
    steps, heard, faults = _played(job, report)
    for fault in faults:
        report.fault("legal", f"{edition}: {fault.kind} on turn {fault.turn}: {fault.message}")
    if faults:
        return
    report.tried.add("repeatable")
    again, _, _ = _played(job, Report(who.label))
    if again != steps:
        pairs = enumerate(zip(steps, again, strict=False))
        at = next((i for i, (one, other) in pairs if one != other), min(len(steps), len(again)))
        said = [say(game[at][1], job.options.colors) if at < len(game) else "nothing" for game in (steps, again)]
        report.fault("repeatable", f"{edition}, step {at + 1}: first {said[0]}, then {said[1]}")
        return
    report.tried |= {"alone", "honest"}
    gc.collect()  # nothing of the game is left for anybody to look into
    bot_seed = match.bot_seeds[match.seats.index(0)]
    _again_alone(who.make(bot_seed), report, heard, edition)
    _in_other_worlds(who.make(bot_seed), report, heard, edition, job.seed)


def _played(job: Job, report: Report) -> tuple[list[tuple[int, int]], Heard, list[Fault]]:
    """A whole game: its steps, what the player in question heard, and the decisions it lost."""
    match, heard = job.schedule.match(0), Heard()
    bots = [job.entrants[one].make(seed) for one, seed in zip(match.seats, match.bot_seeds, strict=True)]
    seat = match.seats.index(0)
    bots[seat] = witness = Witness(bots[seat], heard, report)
    table = Table(job, match, bots)
    witness.state = table.referee.state
    return _to_the_end(table), heard, [fault for fault in table.told if fault.player == job.entrants[0].label]


def _to_the_end(table: Table) -> list[tuple[int, int]]:
    try:
        table.play()
    finally:
        for bot in table.bots:
            close(bot)
    return table.steps


def _made_anew(job: Job, report: Report) -> None:
    """A game in which it is made anew for every question: it must still play legally, and offer things not for ever."""
    report.tried.add("anew")
    match = job.schedule.match(0)
    bots = [job.entrants[one].make(seed) for one, seed in zip(match.seats, match.bot_seeds, strict=True)]
    seat = match.seats.index(0)
    bots[seat] = Anew(partial(job.entrants[0].make, match.bot_seeds[seat]))
    table = Table(job, match, bots)
    _to_the_end(table)
    for fault in table.told:
        if fault.player == job.entrants[0].label:
            report.fault("anew", f"{fault.kind} on turn {fault.turn}: {fault.message}")


def _again_alone(bot: Bot, report: Report, heard: Heard, edition: str) -> None:
    """Copies of its views, with no table and no other player about: it must choose as it did."""
    for view, code in zip(heard.views, heard.codes, strict=True):
        copy: SeatView = pickle.loads(pickle.dumps(view))  # noqa: S301  # our own
        if not _same(bot, copy, code, report, "alone", edition):
            break
    close(bot)


def _in_other_worlds(bot: Bot, report: Report, heard: Heard, edition: str, seed: int) -> None:
    """Other worlds that look the same to its seat: it must choose as it did."""
    rng = random.Random(seed)
    for view, code, truth in zip(heard.views, heard.codes, heard.hidden, strict=True):
        world = view.sample(rng)
        for _ in range(WORLDS):
            if hidden(world.referee.state) != truth:
                break
            world = view.sample(rng)
        shown = world.view(view.seat)
        if shown != view:  # a belief that had to be cut short cannot be had again exactly
            shown = view
        elif hidden(world.referee.state) != truth:
            report.worlds += 1
        if not _same(bot, shown, code, report, "honest", edition):
            break
        del world
    close(bot)


def hidden(state: State) -> bytes:
    """What stands for all hands and development cards."""
    held = [(state.hand[seat], state.cards[seat]) for seat in range(SEATS)]
    return blake2b(repr(held).encode(), digest_size=8, key=_KEY).digest()


def _same(bot: Bot, view: SeatView, code: int, report: Report, check: str, edition: str) -> bool:
    try:
        now = code_of(bot.choose(view), view.colors, view.facts.observer)
    except (Exception, SystemExit) as wrong:
        report.fault(check, f"{edition}, turn {view.turn}, {view.phase}: {registry.told(wrong)}")
        return False
    if now != code:
        was, is_now = (say(one, view.colors) for one in (code, now))
        report.fault(check, f"{edition}, turn {view.turn}, {view.phase}: {was} in the game, {is_now} here")
        return False
    return True


def close(bot: Bot) -> None:
    """Tell a player that its game is over, if it wants to know."""
    method = getattr(bot, "close", None)
    if method is not None:
        method()
