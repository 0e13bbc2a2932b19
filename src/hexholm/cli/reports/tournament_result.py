"""The result of a tournament in words, about 80 columns wide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexholm.game.language.phrases import count_noun, fold

from ..shared.plain_text import title_lines

if TYPE_CHECKING:
    from hexholm.arena import TournamentResult
    from hexholm.arena.results import PlayerRow

NAME_WIDTH: Final = 12
"""Columns for a player's name, at least."""


def result_lines(result: TournamentResult, file: str | None = None) -> list[str]:
    """All that is known: speed, the players with their wins and ratings, the test, what players lost."""
    from hexholm.arena.fingerprints import change_lines

    seats, games = result.options.players, max(1, result.games)
    lines = [*title_lines(result.options, file=file or result.board), ""]
    if result.interrupted:
        lines.append("Interrupted. Results so far:")
    boards = -(-result.games // seats)
    lines.append(f"{count_noun(result.games, 'game')} on {count_noun(boards, 'board')}, seed {result.seed}")
    if result.played:
        workers = f", {count_noun(result.workers, 'worker')}" if result.workers else ""
        speed = f"{result.games_per_second:.3g} games/s ({result.runner}{workers})"
        lines.append(f"{count_noun(result.played, 'game')} in {result.seconds:.1f} s: {speed}")
    lines.append(f"a game has {result.mean_turns:.1f} turns and {result.mean_decisions:.1f} decisions")
    if result.capped:
        were = "was" if result.capped == 1 else "were"
        capped_games, cap = count_noun(result.capped, "game"), count_noun(result.cap, "turn")
        lines.append(f"{capped_games} {were} stopped without a winner after {cap}")
    lines += change_lines(result.changed)
    width = max(NAME_WIDTH, *(len(row.name) + 1 for row in result.players))
    lines += ["", f"{'player':<{width}} games  wins   share  95 % interval  rating points  median     p99"]
    for row in result.players:
        span = f"{100 * row.low:.1f} - {100 * row.high:.1f} %"
        lines.append(
            f"{row.name:<{width}}{row.seat_games:>6,}{row.wins:>6,}{100 * row.win_share:>6.1f} %{span:>15}"
            f"{row.rating:>8.1f}{row.mean_points:>7.1f}{_time_text(row.median_ms):>8}{_time_text(row.p99_ms):>8}"
        )
    order = ", ".join(f"{100 * wins / games:.1f} %" for wins in result.wins_by_order)
    lines += ["", f"a fair share is {100 / seats:.1f} %; in the order of play, seats won {order}"]
    if result.sprt is not None:
        lines.append(fold(_test_line(result), "  "))
    for row in result.players:
        if row.faults:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in row.faults.items())
            lines.append(fold(f"{row.name} lost {_lost_decisions(row)} to plain moves: {kinds}", "  "))
    return lines


def _lost_decisions(row: PlayerRow) -> str:
    """How many decisions a player lost, of how many; what it raised in close() is counted beside them."""
    lost_count = sum(row.faults.values())
    if lost_count > row.decisions:
        return count_noun(lost_count, "decision")
    whole = count_noun(row.decisions, "decision")
    return f"{'all of its ' if lost_count == row.decisions else f'{lost_count:,} of '}{whole}"


def _test_line(result: TournamentResult) -> str:
    test = result.sprt
    assert test is not None
    player = next(iter(result.head_to_head))
    low, high = f"at most {100 * test.low:g} %", f"at least {100 * test.high:g} %"
    progress = f"after {result.games:,} of at most {count_noun(result.planned, 'game')}"
    if result.conclusion == "open":
        return f"sequential test: not decided {progress} whether {player} wins {low} or {high} of its games"
    likely, unlikely = (high, low) if result.conclusion == "high" else (low, high)
    return f"sequential test: decided {progress}: {player} wins {likely} of its games rather than {unlikely}"


def _time_text(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "-"
    if milliseconds < 1:
        return f"{1000 * milliseconds:.0f} µs"
    return f"{milliseconds:.3g} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.3g} s"
