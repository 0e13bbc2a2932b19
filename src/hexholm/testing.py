"""Prove a player of your own: `check_bot(MyBot)` plays it, in every edition, and says what is wrong with it.

    >>> from hexholm.testing import check_bot
    >>> from hexholm.bots.easy.player import Easy
    >>> print(check_bot(Easy, editions=["fifth"], games=1, points_to_win=4))      # doctest: +ELLIPSIS
    Easy: all is well
      legal        ... decisions in 1 game, all legal
      repeatable   the same seed played the same games
      alone        what other seats do elsewhere does not change its mind
      honest       ... times it was shown another world that looks the same: the same choice
      harmless     it left its views as they were
      anew         made anew for every question, as hosts do, it plays on
      variants     two players, house rules: all legal
      explains     ... times it said why: its choice first, chances from 0 to 1
      speed        median ... ms, 99 of 100 within ... ms, longest ... ms

In a test of your own `check_bot(MyBot)` is all: it raises :class:`BadBot`, an AssertionError, with this report.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import pickle
import random
import secrets
import signal
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import Any, Final, TypeVar

import numpy as np

from hexholm.arena.entrants import Entrant, entrant
from hexholm.arena.match import Fault, Job, Table
from hexholm.arena.schedule import derived
from hexholm.arena.tournament import kernels_of, seated, warm_up
from hexholm.bots import registry
from hexholm.bots.program import ProgramPlayer, Said, end_idle
from hexholm.bots.protocol import Bot, BotFault, Effort, Factory, Thought, code_of, from_outside
from hexholm.game.views.seat_knowledge import SeatView
from hexholm.rules.core.encoding.structs import SEATS, State
from hexholm.rules.editions import EDITIONS
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import say

CAP: Final = 400
"""Turns after which a game of the check ends."""
SHORT: Final = 60
"""The same for a variant, which is only looked at for what is not legal."""
LIMIT: Final = 120.0
"""Seconds for anything that a player is asked; what it needs of ours is compiled before."""
VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "two players": {"players": 2, "two_players": True, "points_to_win": 5},
    "house rules": {"players": 3, "friendly_robber": True, "balanced_dice": True, "points_to_win": 5},
}
"""What no book offers, in the fifth edition."""
EXPLAINED: Final = 3
"""Decisions of a game that it is to explain."""
SHOWN: Final = 5
"""Different faults of a kind that a report tells."""
WIDTH: Final = 79
ADVICE: Final = "the same seed must play the same game (a program gets its seed in the `game` message)"
WORLDS: Final = 4
"""So often another world is looked for that truly differs from the real one."""
SOON: Final = 1e-6
"""Seconds to an alarm of somebody else that was due while a player was watched."""
_KEY: Final = secrets.token_bytes(16)
T = TypeVar("T")


class TooLong(BaseException):
    """A player has not come back; no Exception, so that it does not catch this itself by mistake."""


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
    explained: int = 0
    """How often it explained a choice."""
    limit: float | None = None
    """Seconds for anything that it is asked; None: without end."""
    doing: str = "legal"
    """The check that is being made."""
    times_found: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By check and line: how often the same was found."""

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

    def begin(self, check: str) -> None:
        """Note that a check is being made."""
        self.doing = check
        self.tried.add(check)

    def fault(self, check: str, line: str, same: str = "", times: int = 1) -> None:
        """Note a fault; one of which `same`, what it is without time and place, ends another line is not told again."""
        lines = self.faults.setdefault(check, [])
        first = next((one for one in lines if same and one.endswith(same)), line)
        if first not in lines:
            lines.append(first)
        self.times_found[check, first] += times

    def untried(self, check: str) -> str:
        """That a check was not made, and why, where that is known."""
        why = ""
        if "legal" in self.faults:
            why = "its answers have to be legal first"
        elif "repeatable" in self.faults:
            why = "it has to be repeatable first"
        elif self.ok:
            why = {"explains": "it has no explain()", "anew": "a program goes on in its process"}.get(check, "")
        return f"not tried: {why}" if why else "not tried"

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
            "variants": f"{', '.join(VARIANTS)}: all legal",
            "explains": f"{self.explained} times it said why: its choice first, chances from 0 to 1",
        }
        found: dict[str, tuple[bool | None, list[str]]] = {}
        for check, line in well.items():
            if wrong := self.faults.get(check):
                told = [f"{one}; {n:,} times" if (n := self.times_found[check, one]) > 1 else one for one in wrong]
                more = [f"and {len(wrong) - SHOWN} more"] * (len(wrong) > SHOWN)
                found[check] = False, told[:SHOWN] + more + [ADVICE] * (check == "repeatable")
            else:
                found[check] = (True, [line]) if check in self.tried else (None, [self.untried(check)])
        return found

    def __str__(self) -> str:
        told = [f"{self.name}: {'all is well' if self.ok else 'NOT as it should be'}"]
        for check, (passed, lines) in self.checks().items():
            if passed is False:
                told += [f"  {check:<13}FAILED:", *map(_folded, lines)]
            else:
                told.append(f"  {check:<13}{lines[0]}")
        median, p99, longest = (self.quantile(share) for share in (0.5, 0.99, 1.0))
        speed = f"median {median:.3g} ms, 99 of 100 within {p99:.3g} ms, longest {longest:.3g} ms"
        told.append(f"  {'speed':<13}{speed if self.times else 'not tried: nothing was answered'}")
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


def _folded(line: str) -> str:
    return textwrap.fill(
        line, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 6, break_long_words=False, break_on_hyphens=False
    )


@dataclass
class Heard:
    """What a player was shown and chose in one game."""

    views: list[SeatView] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    hidden: list[bytes] = field(default_factory=list)
    """What stands for the cards that were hidden from it; they cannot be read from that."""


def within(limit: float | None, what: str, ask: Callable[[], T]) -> T:
    """What `ask` returns. Raises TooLong in what runs too long, again and again in case that it catches this.

    By a signal, and so only in the main thread and not on Windows; compiled code hears none before it returns. If an
    alarm of somebody else is set, that of a test's own limit, it goes off when it would have, or right after `ask`.
    """
    unheard = not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread()
    if limit is None or unheard:
        return ask()
    running, late = False, TooLong(f"{what} did not come back within {limit:g} s")
    begun = time.monotonic()

    def over(*_: object) -> None:
        if running:
            raise late

    theirs, again = signal.setitimer(signal.ITIMER_REAL, 0)
    before = signal.signal(signal.SIGALRM, over)
    try:
        try:
            running = True
            signal.setitimer(signal.ITIMER_REAL, limit, 1.0)
            said = ask()
        finally:  # if it is raised right here, what follows is done all the same
            running = False
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if theirs:
            signal.setitimer(signal.ITIMER_REAL, max(SOON, theirs + begun - time.monotonic()), again)
    if time.monotonic() - begun > limit:  # it has caught what was raised, and came back all the same
        raise late
    return said


class Watched(Table):
    """The first game of a job, in which nobody is waited for for ever; `mine` makes the player in question."""

    def __init__(self, job: Job, limit: float | None, mine: Callable[[], Bot]) -> None:
        self._limit, self._mine = limit, mine
        super().__init__(job, job.schedule.match(0))

    @property
    def own(self) -> int:
        """The seat of the player in question."""
        return self.match.seats.index(0)

    def make(self, seat: int) -> Bot:
        """The player of a seat."""
        make = self._mine if seat == self.own else partial(super().make, seat)
        return within(self._limit_of(seat), "the factory", make)

    def decide(self, seat: int) -> None:
        """Have a player decide, and carry it out."""
        within(self._limit_of(seat), f"{self._where()}: choose()", partial(super().decide, seat))

    def close(self) -> list[tuple[int, BaseException]]:
        """Tell all players that the game is over."""
        return within(self._limit, f"{self._where()}: close()", super().close)

    def _limit_of(self, seat: int) -> float | None:
        """Players of ours are not watched: what they compile takes as long as it takes."""
        return self._limit if self.job.entrants[self.match.seats[seat]].foreign else None

    def _where(self) -> str:
        return f"{self.options.edition}, turn {self.referee.state.turn_number}"


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
        with contextlib.suppress(BadInput):  # the table says so
            self._heard.codes.append(code_of(choice, view.colors, view.facts.observer))
            self._heard.views.append(view)
            self._heard.hidden.append(hidden(self.state))
        return choice

    def close(self) -> None:
        """The game is over."""
        close = getattr(self._inner, "close", None)
        if close is not None:
            close()


class Anew:
    """A player that is made anew for every question and reminded of its offers, as hosts do it.

    Of earlier turns it is told what came to nothing.
    """

    def __init__(self, make: Callable[[], Bot]) -> None:
        self._make = make
        self._said = Said()

    def choose(self, view: SeatView) -> Any:
        """What a new one chooses."""
        bot = self._make()
        self._said.look(view)
        remind = getattr(bot, "remind", None)
        if remind is not None:
            for turn, said, countered in self._said.by_turn():
                remind(turn, said, countered)
        choice = bot.choose(view)
        self._said.note(view, choice)
        wrong = registry.closed(bot)
        if wrong is not None:
            raise BotFault("failed", f"in close(): {registry.told(wrong)}") from wrong
        return choice


def check_bot(
    factory: str | Entrant | ProgramPlayer | Factory,
    *,
    games: int = 2,
    editions: Iterable[str] = EDITIONS,
    seed: int = 0,
    effort: Effort | str | None = None,
    opponent: str = "easy",
    limit: float = LIMIT,
    raises: bool = True,
    **given: Any,
) -> Report:
    """Play a player in whole games of every edition and prove that it is fit for tables and tournaments.

    It must choose legal actions, also with two players and with house rules; play the same game again with the same
    seed; choose by its own view alone, also when the hidden cards of others lie otherwise than in the game; leave its
    views as they are; and explain its choices, if it explains any. `factory` makes it from a seed; a name, a program or
    `my_bot.py:MyBot` will do as well. One that thinks for a time must be given an `effort` in steps, or it cannot
    repeat itself. `games`: of each edition. `given`: options of the games, as for a tournament. `limit`: seconds for
    anything that it is asked; the check ends with one that does not come back (:func:`within` says where).
    Raises :class:`BadBot` if something is wrong, or returns the report if `raises` is False.
    """
    if not 0 < limit < float("inf"):
        raise BadInput(f"limit {limit!r}: give a number of seconds above 0")
    who = entrant(factory)
    if effort is not None:
        who = replace(who, effort=Effort.of(effort) if isinstance(effort, str) else effort)
    report = Report(who.label, limit=limit if who.foreign else None)
    plan = [(edition, number) for edition in editions for number in range(games)]
    jobs = [
        _job(who, edition, number, derived(seed, f"check {edition}", number), opponent, dict(given))
        for edition, number in plan
    ]
    with registry.aside():
        try:
            within(report.limit, "the factory", partial(kernels_of, who))  # loads its file, for which it is to blame
            warm_up(_job(who, "fifth", 0, seed, opponent, {}))
            _check_games(jobs, report)
            if "legal" not in report.faults:
                _check_variants(who, report, seed, opponent)
        except TooLong as late:
            report.fault(report.doing, str(late))
        finally:
            if isinstance(who.source, ProgramPlayer):
                end_idle([who.source])
    if raises and not report.ok:
        raise BadBot(report)
    return report


def check_apart(who: Entrant, **given: Any) -> Report:
    """The report of :func:`check_bot` on a player, made in another process: one that ends it is told, too."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_apart, args=(theirs, who, given), daemon=True)
    process.start()
    theirs.close()
    try:
        said = ours.recv()
    except EOFError:
        process.join()
        report, code = Report(who.label), process.exitcode or 0
        how = f"with code {code}" if code >= 0 else f"by signal {-code}"
        report.fault("legal", f"it ends its process, {how}: os._exit() does that, or a crash in compiled code")
        return report
    finally:
        process.terminate()
        process.join()
    if isinstance(said, BaseException):
        raise said
    assert isinstance(said, Report)
    return said


def _apart(pipe: Any, who: Entrant, given: dict[str, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who waits for the report
    os.dup2(2, 1)  # also what a player prints by other ways than Python's
    try:
        pipe.send(check_bot(who, raises=False, **given))
    except BadInput as no:
        pipe.send(no)


def _job(who: Entrant, edition: str, number: int, seed: int, opponent: str, given: dict[str, Any]) -> Job:
    """A game of it, three or four at the table by turns: against others, then against itself."""
    players = given.pop("players", 3 + number % 2)
    others = who if number % 2 else entrant(opponent)
    return Job((who, *[others] * (players - 1)), seated(players, edition=edition, **given), seed, cap=CAP)


def _check_games(jobs: Sequence[Job], report: Report) -> None:
    """All games, until too much is wrong."""
    for job in jobs:
        _check_game(job, report)
        if job is jobs[0] and report.ok and not isinstance(job.entrants[0].source, ProgramPlayer):
            _made_anew(job, report)
        if report.times_found.total() > 4 * SHOWN:
            break


def _check_variants(who: Entrant, report: Report, seed: int, opponent: str) -> None:
    """A short game of every variant."""
    for name, given in VARIANTS.items():
        report.begin("variants")
        job = _job(who, "fifth", 0, derived(seed, f"check {name}", 0), opponent, dict(given))
        _, heard, faults = _played(replace(job, cap=SHORT), Report(who.label, limit=report.limit))
        for fault in faults:
            report.fault("variants", f"{name}: {fault.kind} on turn {fault.turn}: {fault.said}", times=fault.times)
        if not faults:
            _explains(job, report, heard, name)


def _check_game(job: Job, report: Report) -> None:
    """One game, the same again, and all its decisions once more on their own."""
    who, edition = job.entrants[0], job.options.edition
    report.games += 1
    report.begin("legal")
    steps, heard, faults = _played(job, report)
    for fault in faults:
        line = f"{edition}: {fault.kind} on turn {fault.turn}: {fault.said}"
        report.fault("legal", line, same=f": {fault.said}", times=fault.times)
    if faults:
        return
    report.begin("repeatable")
    again, _, _ = _played(job, Report(who.label, limit=report.limit))
    if again != steps:
        pairs = enumerate(zip(steps, again, strict=False))
        at = next((i for i, (one, other) in pairs if one != other), min(len(steps), len(again)))
        said = [say(game[at][1], job.options.colors) if at < len(game) else "nothing" for game in (steps, again)]
        report.fault("repeatable", f"{edition}, step {at + 1}: first {said[0]}, then {said[1]}")
        return
    gc.collect()  # nothing of the game is left for anybody to look into
    report.begin("alone")
    _again_alone(job, report, heard, edition)
    report.begin("honest")
    _in_other_worlds(job, report, heard, edition)
    _explains(job, report, heard, edition)


def _made(job: Job) -> Bot:
    """The player in question, made as for its seat in the game."""
    match = job.schedule.match(0)
    return job.entrants[0].make(match.bot_seeds[match.seats.index(0)])


@contextlib.contextmanager
def _by_itself(job: Job, report: Report, check: str, where: str) -> Iterator[Bot]:
    """The player in question, without a game; it is closed in the end."""
    bot = within(report.limit, "the factory", partial(_made, job))
    try:
        yield bot
    finally:
        wrong = within(report.limit, f"{where}: close()", partial(registry.closed, bot))
        if wrong is not None:
            report.fault(check, f"{where}: in close(): {registry.told(wrong)}")


def _played(job: Job, report: Report) -> tuple[list[tuple[int, int]], Heard, list[Fault]]:
    """A whole game: its steps, what the player in question heard, and its faults."""
    heard = Heard()
    table = Watched(job, report.limit, lambda: Witness(_made(job), heard, report))
    witness = table.bots[table.own]
    assert isinstance(witness, Witness)
    witness.state = table.referee.state
    table.play()
    return table.steps, heard, [fault for fault in table.told if fault.player == job.entrants[0].label]


def _made_anew(job: Job, report: Report) -> None:
    """A game in which it is made anew for every question: it must still play legally, and offer things not for ever."""
    report.begin("anew")
    table = Watched(job, report.limit, lambda: Anew(partial(_made, job)))
    table.play()
    for fault in table.told:
        if fault.player == job.entrants[0].label:
            report.fault("anew", f"{fault.kind} on turn {fault.turn}: {fault.said}", f": {fault.said}", fault.times)


def _again_alone(job: Job, report: Report, heard: Heard, edition: str) -> None:
    """Copies of its views, with no table and no other player about: it must choose as it did."""
    with _by_itself(job, report, "alone", edition) as bot:
        for view, code in zip(heard.views, heard.codes, strict=True):
            copy: SeatView = pickle.loads(pickle.dumps(view))  # noqa: S301  # our own
            if not _same(bot, copy, code, report, "alone", edition):
                break


def _in_other_worlds(job: Job, report: Report, heard: Heard, edition: str) -> None:
    """Other worlds that look the same to its seat: it must choose as it did."""
    rng = random.Random(job.seed)
    with _by_itself(job, report, "honest", edition) as bot:
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


def _explains(job: Job, report: Report, heard: Heard, where: str) -> None:
    """What it says about a few of its choices, if it says anything about them."""
    with _by_itself(job, report, "explains", where) as bot:
        if getattr(bot, "explain", None) is None:
            return
        report.begin("explains")
        views = [view for view in heard.views if len(view.legal_actions) > 1]
        for view in views[:: max(1, len(views) // EXPLAINED)][:EXPLAINED]:
            place = f"{where}, turn {view.turn}, {view.phase}"
            amiss = within(report.limit, f"{place}: explain()", partial(_amiss, bot, view))
            if amiss:
                report.fault("explains", f"{place}: explain(): {amiss}")
                break
            report.explained += 1


def _amiss(bot: Any, view: SeatView) -> str:
    """What is wrong with what it says about its choice; "" if nothing is."""
    try:
        chosen = code_of(bot.choose(view), view.colors, view.facts.observer)
        return _wrong_with(bot.explain(), chosen, view)
    except BaseException as wrong:
        if from_outside(wrong):
            raise
        return registry.told(wrong)


def _wrong_with(thoughts: object, chosen: int, view: SeatView) -> str:
    """What is wrong with thoughts about a choice; "" if nothing is."""
    if not isinstance(thoughts, list):
        return f"it gave a {type(thoughts).__name__}, not a list of Thought"
    if not thoughts:
        return f"it had no thought about {say(chosen, view.colors)}"
    for one in thoughts:
        if not isinstance(one, Thought):
            return f"a {type(one).__name__} among its thoughts is no Thought"
        if not 0 <= one.chance <= 1:
            return f"a chance of {one.chance!r}; it is from 0 to 1"
    first, *_ = [code_of(one.action, view.colors, view.facts.observer) for one in thoughts]
    if first != chosen:
        return f"it chose {say(chosen, view.colors)}, but its first thought is about {say(first, view.colors)}"
    return ""


def hidden(state: State) -> bytes:
    """What stands for all hands and development cards."""
    held = [(state.hand[seat], state.cards[seat]) for seat in range(SEATS)]
    return blake2b(repr(held).encode(), digest_size=8, key=_KEY).digest()


def _same(bot: Bot, view: SeatView, code: int, report: Report, check: str, edition: str) -> bool:
    place = f"{edition}, turn {view.turn}, {view.phase}"
    amiss = within(report.limit, f"{place}: choose()", partial(_otherwise, bot, view, code))
    if amiss:
        report.fault(check, f"{place}: {amiss}")
    return not amiss


def _otherwise(bot: Bot, view: SeatView, code: int) -> str:
    """What it does now instead of what it did in the game; "" if it is the same."""
    try:
        now = code_of(bot.choose(view), view.colors, view.facts.observer)
    except BaseException as wrong:
        if from_outside(wrong):
            raise
        return registry.told(wrong)
    return "" if now == code else f"{say(code, view.colors)} in the game, {say(now, view.colors)} here"
