"""Check a player: games of every edition and variant, repeated, alone, in other worlds, and created again."""

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
from hexholm.arena.tournament import kernel_owner, seats_for, table_options, warm_up
from hexholm.bots.faults import close_bot, fault_line, is_from_outside, prints_aside
from hexholm.bots.program import ProgramKind, end_idle
from hexholm.bots.protocol import Bot, Effort, Factory, Thought, choice_code
from hexholm.game.game import SeatView
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import action_text
from hexholm.rules.referee import Step
from hexholm.rules.setup.editions import EDITIONS

from .report import FAULTS_SHOWN, VARIANTS, BadBot, Report
from .watched_bot import DecisionLog, RemadeBot, TooLong, WatchedMatch, WitnessBot, call_within, hidden_digest

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
    **options: Any,
) -> Report:
    """Play a player in whole games of every edition and check that it is fit for tables and tournaments.

    It must choose legal actions, even with two players and with house rules; play the same game again with the same
    seed; choose only by its own view, even if the hidden cards of others differ from those in the game; not change its
    views; and explain its choices properly, if it explains any. `factory` makes it from a seed; you can also pass a
    name, a program or `my_bot.py:MyBot`. Give a player that thinks for a fixed time an `effort` in steps, or it cannot
    repeat itself. `games`: the number for each edition. `options`: options of the games, as for a tournament. `limit`:
    seconds for each answer; the check ends if the player takes longer (:func:`call_within` says where).
    Raises :class:`BadBot` if something is wrong, or returns the report if `raises` is False.
    """
    if not 0 < limit < float("inf"):
        raise BadInput(f"limit {limit!r}: give a number of seconds above 0")
    candidate = entrant(factory)
    if effort is not None:
        candidate = replace(candidate, effort=Effort.of(effort) if isinstance(effort, str) else effort)
    report = Report(candidate.label, limit=limit if candidate.foreign else None)
    plan = [(edition, number) for edition in editions for number in range(games)]
    jobs = [
        _job_for(candidate, edition, number, derive_seed(seed, f"check {edition}", number), opponent, dict(options))
        for edition, number in plan
    ]
    with prints_aside():
        try:
            # loads its file, for which it is to blame
            call_within(report.limit, "the factory", partial(kernel_owner, candidate))
            warm_up(_job_for(candidate, "fifth", 0, seed, opponent, {}))
            _check_games(jobs, report)
            if "legal" not in report.faults:
                _check_variants(candidate, report, seed, opponent)
        except TooLong as error:
            report.note_fault(report.current_check, str(error))
        finally:
            if isinstance(candidate.source, ProgramKind):
                end_idle([candidate.source])
    if raises and not report.ok:
        raise BadBot(report)
    return report


def check_apart(candidate: Entrant, **options: Any) -> Report:
    """The report of :func:`check_bot`, made in another process, to report even players that end their process."""
    context = multiprocessing.get_context("spawn")
    report_pipe, child_pipe = context.Pipe(duplex=False)
    process = context.Process(target=_check_and_send, args=(child_pipe, candidate, options), daemon=True)
    process.start()
    child_pipe.close()
    try:
        reply = report_pipe.recv()
    except EOFError:
        process.join()
        report, code = Report(candidate.label), process.exitcode or 0
        exit_text = f"with code {code}" if code >= 0 else f"by signal {-code}"
        report.note_fault(
            "legal", f"it ends its process, {exit_text}: os._exit() does that, or a crash in compiled code"
        )
        return report
    finally:
        process.terminate()
        process.join()
    if isinstance(reply, BaseException):
        raise reply
    assert isinstance(reply, Report)
    return reply


def _check_and_send(pipe: Any, candidate: Entrant, options: dict[str, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who waits for the report
    os.dup2(2, 1)  # also what a player prints by other ways than Python's
    try:
        pipe.send(check_bot(candidate, raises=False, **options))
    except BadInput as error:
        pipe.send(error)


def _job_for(
    candidate: Entrant, edition: str, number: int, seed: int, opponent: str, options: dict[str, Any]
) -> TournamentJob:
    """A game of it, three or four at the table by turns: against others, then against itself."""
    player_count = options.pop("players", 3 + number % 2)
    opponent_entrant = candidate if number % 2 else entrant(opponent)
    return TournamentJob(
        (candidate, *[opponent_entrant] * (player_count - 1)),
        table_options(seats_for(player_count, edition), edition=edition, **options),
        seed,
        cap=CHECK_CAP,
    )


def _check_games(jobs: Sequence[TournamentJob], report: Report) -> None:
    """All games, until too much is wrong."""
    for job in jobs:
        _check_game(job, report)
        if job is jobs[0] and report.ok and not isinstance(job.entrants[0].source, ProgramKind):
            _check_anew(job, report)
        if report.fault_counts.total() > 4 * FAULTS_SHOWN:
            break


def _check_variants(candidate: Entrant, report: Report, seed: int, opponent: str) -> None:
    """A short game of every variant."""
    for name, options in VARIANTS.items():
        report.begin("variants")
        job = _job_for(candidate, "fifth", 0, derive_seed(seed, f"check {name}", 0), opponent, dict(options))
        _, log, faults = _play_game(replace(job, cap=VARIANT_CAP), Report(candidate.label, limit=report.limit))
        for fault in faults:
            report.note_fault("variants", f"{name}: {fault.kind} on turn {fault.turn}: {fault.text}", times=fault.times)
        if not faults:
            _check_explanations(job, report, log, name)


def _check_game(job: TournamentJob, report: Report) -> None:
    """One game, the same again, and all its decisions once more on their own."""
    candidate, edition = job.entrants[0], job.options.edition
    report.games += 1
    report.begin("legal")
    steps, log, faults = _play_game(job, report)
    for fault in faults:
        line = f"{edition}: {fault.kind} on turn {fault.turn}: {fault.text}"
        report.note_fault("legal", line, same=f": {fault.text}", times=fault.times)
    if faults:
        return
    report.begin("repeatable")
    steps_again, _, _ = _play_game(job, Report(candidate.label, limit=report.limit))
    if steps_again != steps:
        pairs = enumerate(zip(steps, steps_again, strict=False))
        step_index = next(
            (i for i, (step, step_again) in pairs if step != step_again),
            min(len(steps), len(steps_again)),
        )
        texts = [
            action_text(game_steps[step_index][1], job.options.colors) if step_index < len(game_steps) else "nothing"
            for game_steps in (steps, steps_again)
        ]
        report.note_fault("repeatable", f"{edition}, step {step_index + 1}: first {texts[0]}, then {texts[1]}")
        return
    gc.collect()  # nothing of the game is left for anybody to look into
    report.begin("alone")
    _check_alone(job, report, log, edition)
    report.begin("honest")
    _check_other_worlds(job, report, log, edition)
    _check_explanations(job, report, log, edition)


def _make_bot(job: TournamentJob) -> Bot:
    """The player in question, made as for its seat in the game."""
    scheduled = job.schedule.game(0)
    return job.entrants[0].make(scheduled.bot_seeds[scheduled.entrants_by_seat.index(0)])


@contextlib.contextmanager
def _lone_bot(job: TournamentJob, report: Report, check: str, place: str) -> Iterator[Bot]:
    """The player in question, without a game; it is closed in the end."""
    bot = call_within(report.limit, "the factory", partial(_make_bot, job))
    try:
        yield bot
    finally:
        error = call_within(report.limit, f"{place}: close()", partial(close_bot, bot))
        if error is not None:
            report.note_fault(check, f"{place}: in close(): {fault_line(error)}")


def _play_game(job: TournamentJob, report: Report) -> tuple[list[Step], DecisionLog, list[Fault]]:
    """A whole game: its steps, what the player in question heard, and its faults."""
    log = DecisionLog()
    match = WatchedMatch(job, report.limit, lambda: WitnessBot(_make_bot(job), log, report))
    witness = match.bots[match.candidate_seat]
    assert isinstance(witness, WitnessBot)
    witness.state = match.referee.state
    match.play()
    return match.steps, log, [fault for fault in match.fault_samples if fault.label == job.entrants[0].label]


def _check_anew(job: TournamentJob, report: Report) -> None:
    """A game in which it is made anew for every question: it must still play legally, and offer things not for ever."""
    report.begin("anew")
    match = WatchedMatch(job, report.limit, lambda: RemadeBot(partial(_make_bot, job)))
    match.play()
    for fault in match.fault_samples:
        if fault.label == job.entrants[0].label:
            report.note_fault(
                "anew", f"{fault.kind} on turn {fault.turn}: {fault.text}", f": {fault.text}", fault.times
            )


def _check_alone(job: TournamentJob, report: Report, log: DecisionLog, edition: str) -> None:
    """Copies of its views, with no table and no other player about: it must choose as it did."""
    with _lone_bot(job, report, "alone", edition) as bot:
        for view, code in zip(log.views, log.codes, strict=True):
            copy: SeatView = pickle.loads(pickle.dumps(view))  # noqa: S301  # our own
            if not _chooses_the_same(bot, copy, code, report, "alone", edition):
                break


def _check_other_worlds(job: TournamentJob, report: Report, log: DecisionLog, edition: str) -> None:
    """Other worlds that look the same to its seat: it must choose as it did."""
    rng = random.Random(job.seed)
    with _lone_bot(job, report, "honest", edition) as bot:
        for view, code, true_digest in zip(log.views, log.codes, log.digests, strict=True):
            world = view.sample(rng)
            for _ in range(WORLDS_TRIED):
                if hidden_digest(world.referee.state) != true_digest:
                    break
                world = view.sample(rng)
            world_view = world.view(view.seat)
            if world_view != view:  # a belief that had to be cut short cannot be had again exactly
                world_view = view
            elif hidden_digest(world.referee.state) != true_digest:
                report.worlds += 1
            if not _chooses_the_same(bot, world_view, code, report, "honest", edition):
                break
            del world


def _check_explanations(job: TournamentJob, report: Report, log: DecisionLog, game_name: str) -> None:
    """What it says about a few of its choices, if it says anything about them."""
    with _lone_bot(job, report, "explains", game_name) as bot:
        if getattr(bot, "explain", None) is None:
            return
        report.begin("explains")
        views = [view for view in log.views if len(view.legal_actions) > 1]
        for view in views[:: max(1, len(views) // EXPLANATIONS)][:EXPLANATIONS]:
            place = f"{game_name}, turn {view.turn}, {view.phase}"
            objection = call_within(report.limit, f"{place}: explain()", partial(_explanation_fault, bot, view))
            if objection:
                report.note_fault("explains", f"{place}: explain(): {objection}")
                break
            report.explanations += 1


def _explanation_fault(bot: Any, view: SeatView) -> str:
    """What is wrong with what it says about its choice; "" if nothing is."""
    try:
        chosen_code = choice_code(bot.choose(view), view.colors, view.facts.observer)
        return _thought_fault(bot.explain(), chosen_code, view)
    except BaseException as error:
        if is_from_outside(error):
            raise
        return fault_line(error)


def _thought_fault(thoughts: object, chosen_code: int, view: SeatView) -> str:
    """What is wrong with thoughts about a choice; "" if nothing is."""
    if not isinstance(thoughts, list):
        return f"it gave a {type(thoughts).__name__}, not a list of Thought"
    if not thoughts:
        return f"it had no thought about {action_text(chosen_code, view.colors)}"
    for thought in thoughts:
        if not isinstance(thought, Thought):
            return f"a {type(thought).__name__} among its thoughts is no Thought"
        if not 0 <= thought.win_probability <= 1:
            return f"a chance of {thought.win_probability!r}; it is from 0 to 1"
    first_code, *_ = [choice_code(thought.action, view.colors, view.facts.observer) for thought in thoughts]
    if first_code != chosen_code:
        chosen_text, first_text = (action_text(code, view.colors) for code in (chosen_code, first_code))
        return f"it chose {chosen_text}, but its first thought is about {first_text}"
    return ""


def _chooses_the_same(bot: Bot, view: SeatView, code: int, report: Report, check: str, edition: str) -> bool:
    place = f"{edition}, turn {view.turn}, {view.phase}"
    difference = call_within(report.limit, f"{place}: choose()", partial(_other_choice, bot, view, code))
    if difference:
        report.note_fault(check, f"{place}: {difference}")
    return not difference


def _other_choice(bot: Bot, view: SeatView, code: int) -> str:
    """What it does now instead of what it did in the game; "" if it is the same."""
    try:
        new_code = choice_code(bot.choose(view), view.colors, view.facts.observer)
    except BaseException as error:
        if is_from_outside(error):
            raise
        return fault_line(error)
    return (
        ""
        if new_code == code
        else f"{action_text(code, view.colors)} in the game, {action_text(new_code, view.colors)} here"
    )
