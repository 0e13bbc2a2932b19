"""Prove a player: games of every edition and variant, the same again, alone, in other worlds, made anew."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import pickle
import random
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from hexholm.arena.entrants import Entrant, entrant
from hexholm.arena.match import Fault, TournamentJob
from hexholm.arena.schedule import derive_seed
from hexholm.arena.tournament import kernels_of, seats_for, table_options, warm_up
from hexholm.bots.faults import close_bot, fault_line, from_outside, prints_aside
from hexholm.bots.program import ProgramKind, end_idle
from hexholm.bots.protocol import Bot, Effort, Factory, Thought, choice_code
from hexholm.game.game import SeatView
from hexholm.rules.editions import EDITIONS
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import say

from .report import FAULTS_SHOWN, VARIANTS, BadBot, Report
from .watched_bot import Anew, Heard, TooLong, WatchedMatch, Witness, hidden, within

CHECK_CAP: Final = 400
"""Turns after which a game of the check ends."""
VARIANT_CAP: Final = 60
"""The same for a variant, which is only looked at for what is not legal."""
ANSWER_LIMIT: Final = 120.0
"""Seconds for anything that a player is asked; what it needs of ours is compiled before."""
EXPLANATIONS: Final = 3
"""Decisions of a game that it is to explain."""
WORLDS_TRIED: Final = 4
"""So often another world is looked for that truly differs from the real one."""


def check_bot(
    factory: str | Entrant | ProgramKind | Factory,
    *,
    games: int = 2,
    editions: Iterable[str] = EDITIONS,
    seed: int = 0,
    effort: Effort | str | None = None,
    opponent: str = "easy",
    limit: float = ANSWER_LIMIT,
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
        _job(who, edition, number, derive_seed(seed, f"check {edition}", number), opponent, dict(given))
        for edition, number in plan
    ]
    with prints_aside():
        try:
            within(report.limit, "the factory", partial(kernels_of, who))  # loads its file, for which it is to blame
            warm_up(_job(who, "fifth", 0, seed, opponent, {}))
            _check_games(jobs, report)
            if "legal" not in report.faults:
                _check_variants(who, report, seed, opponent)
        except TooLong as late:
            report.fault(report.doing, str(late))
        finally:
            if isinstance(who.source, ProgramKind):
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


def _job(who: Entrant, edition: str, number: int, seed: int, opponent: str, given: dict[str, Any]) -> TournamentJob:
    """A game of it, three or four at the table by turns: against others, then against itself."""
    players = given.pop("players", 3 + number % 2)
    others = who if number % 2 else entrant(opponent)
    return TournamentJob(
        (who, *[others] * (players - 1)),
        table_options(seats_for(players, edition), edition=edition, **given),
        seed,
        cap=CHECK_CAP,
    )


def _check_games(jobs: Sequence[TournamentJob], report: Report) -> None:
    """All games, until too much is wrong."""
    for job in jobs:
        _check_game(job, report)
        if job is jobs[0] and report.ok and not isinstance(job.entrants[0].source, ProgramKind):
            _check_anew(job, report)
        if report.times_found.total() > 4 * FAULTS_SHOWN:
            break


def _check_variants(who: Entrant, report: Report, seed: int, opponent: str) -> None:
    """A short game of every variant."""
    for name, given in VARIANTS.items():
        report.begin("variants")
        job = _job(who, "fifth", 0, derive_seed(seed, f"check {name}", 0), opponent, dict(given))
        _, heard, faults = _play_game(replace(job, cap=VARIANT_CAP), Report(who.label, limit=report.limit))
        for fault in faults:
            report.fault("variants", f"{name}: {fault.kind} on turn {fault.turn}: {fault.said}", times=fault.times)
        if not faults:
            _check_explanations(job, report, heard, name)


def _check_game(job: TournamentJob, report: Report) -> None:
    """One game, the same again, and all its decisions once more on their own."""
    who, edition = job.entrants[0], job.options.edition
    report.games += 1
    report.begin("legal")
    steps, heard, faults = _play_game(job, report)
    for fault in faults:
        line = f"{edition}: {fault.kind} on turn {fault.turn}: {fault.said}"
        report.fault("legal", line, same=f": {fault.said}", times=fault.times)
    if faults:
        return
    report.begin("repeatable")
    again, _, _ = _play_game(job, Report(who.label, limit=report.limit))
    if again != steps:
        pairs = enumerate(zip(steps, again, strict=False))
        at = next((i for i, (one, other) in pairs if one != other), min(len(steps), len(again)))
        said = [say(game[at][1], job.options.colors) if at < len(game) else "nothing" for game in (steps, again)]
        report.fault("repeatable", f"{edition}, step {at + 1}: first {said[0]}, then {said[1]}")
        return
    gc.collect()  # nothing of the game is left for anybody to look into
    report.begin("alone")
    _check_alone(job, report, heard, edition)
    report.begin("honest")
    _check_other_worlds(job, report, heard, edition)
    _check_explanations(job, report, heard, edition)


def _make_bot(job: TournamentJob) -> Bot:
    """The player in question, made as for its seat in the game."""
    match = job.schedule.game(0)
    return job.entrants[0].make(match.bot_seeds[match.seats.index(0)])


@contextlib.contextmanager
def _by_itself(job: TournamentJob, report: Report, check: str, where: str) -> Iterator[Bot]:
    """The player in question, without a game; it is closed in the end."""
    bot = within(report.limit, "the factory", partial(_make_bot, job))
    try:
        yield bot
    finally:
        wrong = within(report.limit, f"{where}: close()", partial(close_bot, bot))
        if wrong is not None:
            report.fault(check, f"{where}: in close(): {fault_line(wrong)}")


def _play_game(job: TournamentJob, report: Report) -> tuple[list[tuple[int, int]], Heard, list[Fault]]:
    """A whole game: its steps, what the player in question heard, and its faults."""
    heard = Heard()
    table = WatchedMatch(job, report.limit, lambda: Witness(_make_bot(job), heard, report))
    witness = table.bots[table.own]
    assert isinstance(witness, Witness)
    witness.state = table.referee.state
    table.play()
    return table.steps, heard, [fault for fault in table.told if fault.player == job.entrants[0].label]


def _check_anew(job: TournamentJob, report: Report) -> None:
    """A game in which it is made anew for every question: it must still play legally, and offer things not for ever."""
    report.begin("anew")
    table = WatchedMatch(job, report.limit, lambda: Anew(partial(_make_bot, job)))
    table.play()
    for fault in table.told:
        if fault.player == job.entrants[0].label:
            report.fault("anew", f"{fault.kind} on turn {fault.turn}: {fault.said}", f": {fault.said}", fault.times)


def _check_alone(job: TournamentJob, report: Report, heard: Heard, edition: str) -> None:
    """Copies of its views, with no table and no other player about: it must choose as it did."""
    with _by_itself(job, report, "alone", edition) as bot:
        for view, code in zip(heard.views, heard.codes, strict=True):
            copy: SeatView = pickle.loads(pickle.dumps(view))  # noqa: S301  # our own
            if not _chooses_the_same(bot, copy, code, report, "alone", edition):
                break


def _check_other_worlds(job: TournamentJob, report: Report, heard: Heard, edition: str) -> None:
    """Other worlds that look the same to its seat: it must choose as it did."""
    rng = random.Random(job.seed)
    with _by_itself(job, report, "honest", edition) as bot:
        for view, code, truth in zip(heard.views, heard.codes, heard.hidden, strict=True):
            world = view.sample(rng)
            for _ in range(WORLDS_TRIED):
                if hidden(world.referee.state) != truth:
                    break
                world = view.sample(rng)
            shown = world.view(view.seat)
            if shown != view:  # a belief that had to be cut short cannot be had again exactly
                shown = view
            elif hidden(world.referee.state) != truth:
                report.worlds += 1
            if not _chooses_the_same(bot, shown, code, report, "honest", edition):
                break
            del world


def _check_explanations(job: TournamentJob, report: Report, heard: Heard, where: str) -> None:
    """What it says about a few of its choices, if it says anything about them."""
    with _by_itself(job, report, "explains", where) as bot:
        if getattr(bot, "explain", None) is None:
            return
        report.begin("explains")
        views = [view for view in heard.views if len(view.legal_actions) > 1]
        for view in views[:: max(1, len(views) // EXPLANATIONS)][:EXPLANATIONS]:
            place = f"{where}, turn {view.turn}, {view.phase}"
            amiss = within(report.limit, f"{place}: explain()", partial(_explanation_fault, bot, view))
            if amiss:
                report.fault("explains", f"{place}: explain(): {amiss}")
                break
            report.explained += 1


def _explanation_fault(bot: Any, view: SeatView) -> str:
    """What is wrong with what it says about its choice; "" if nothing is."""
    try:
        chosen = choice_code(bot.choose(view), view.colors, view.facts.observer)
        return _thought_fault(bot.explain(), chosen, view)
    except BaseException as wrong:
        if from_outside(wrong):
            raise
        return fault_line(wrong)


def _thought_fault(thoughts: object, chosen: int, view: SeatView) -> str:
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
    first, *_ = [choice_code(one.action, view.colors, view.facts.observer) for one in thoughts]
    if first != chosen:
        return f"it chose {say(chosen, view.colors)}, but its first thought is about {say(first, view.colors)}"
    return ""


def _chooses_the_same(bot: Bot, view: SeatView, code: int, report: Report, check: str, edition: str) -> bool:
    place = f"{edition}, turn {view.turn}, {view.phase}"
    amiss = within(report.limit, f"{place}: choose()", partial(_other_choice, bot, view, code))
    if amiss:
        report.fault(check, f"{place}: {amiss}")
    return not amiss


def _other_choice(bot: Bot, view: SeatView, code: int) -> str:
    """What it does now instead of what it did in the game; "" if it is the same."""
    try:
        now = choice_code(bot.choose(view), view.colors, view.facts.observer)
    except BaseException as wrong:
        if from_outside(wrong):
            raise
        return fault_line(wrong)
    return "" if now == code else f"{say(code, view.colors)} in the game, {say(now, view.colors)} here"
