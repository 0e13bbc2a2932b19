"""What a check has found, as data and in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from hexholm.game.language.phrases import TEXT_WIDTH, fold
from hexholm.older_names import with_older_names

VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "two players": {"players": 2, "two_players": True, "points_to_win": 5},
    "house rules": {"players": 3, "friendly_robber": True, "balanced_dice": True, "points_to_win": 5},
}
"""What no book offers, in the fifth edition."""
FAULTS_SHOWN: Final = 5
"""Different faults of a kind that a report tells."""
ADVICE: Final = "the same seed must play the same game (a program gets its seed in the `game` message)"


class BadBot(AssertionError):
    """A player that failed; `report` says where."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report


@with_older_names(doing="current_check", explained="explanations", times_found="fault_counts", tried="checks_made")
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
    checks_made: set[str] = field(default_factory=set)
    """Checks that were made: after a fault some cannot be."""
    explanations: int = 0
    """How often it explained a choice."""
    limit: float | None = None
    """Seconds for anything that it is asked; None: without end."""
    current_check: str = "legal"
    """The check that is being made."""
    fault_counts: Counter[tuple[str, str]] = field(default_factory=Counter)
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
        self.current_check = check
        self.checks_made.add(check)

    def note_fault(self, check: str, line: str, same: str = "", times: int = 1) -> None:
        """Note a fault; one of which `same`, what it is without time and place, ends another line is not told again."""
        lines = self.faults.setdefault(check, [])
        first_line = next((known_line for known_line in lines if same and known_line.endswith(same)), line)
        if first_line not in lines:
            lines.append(first_line)
        self.fault_counts[check, first_line] += times

    def untried_note(self, check: str) -> str:
        """That a check was not made, and why, where that is known."""
        reason = ""
        if "legal" in self.faults:
            reason = "its answers have to be legal first"
        elif "repeatable" in self.faults:
            reason = "it has to be repeatable first"
        elif self.ok:
            reason = {"explains": "it has no explain()", "anew": "a program goes on in its process"}.get(check, "")
        return f"not tried: {reason}" if reason else "not tried"

    def checks(self) -> dict[str, tuple[bool | None, list[str]]]:
        """By check: whether it was passed (None: it was not tried), and what there is to say."""
        games = f"{self.games} game" if self.games == 1 else f"{self.games} games"
        lines_if_well = {
            "legal": f"{self.decisions} decisions in {games}, all legal",
            "repeatable": "the same seed played the same games",
            "alone": "what other seats do elsewhere does not change its mind",
            "honest": f"{self.worlds} times it was shown another world that looks the same: the same choice",
            "harmless": "it left its views as they were",
            "anew": "made anew for every question, as hosts do, it plays on",
            "variants": f"{', '.join(VARIANTS)}: all legal",
            "explains": f"{self.explanations} times it said why: its choice first, chances from 0 to 1",
        }
        results: dict[str, tuple[bool | None, list[str]]] = {}
        for check, line in lines_if_well.items():
            if faults := self.faults.get(check):
                fault_lines = [
                    f"{fault}; {n:,} times" if (n := self.fault_counts[check, fault]) > 1 else fault for fault in faults
                ]
                more = [f"and {len(faults) - FAULTS_SHOWN} more"] * (len(faults) > FAULTS_SHOWN)
                results[check] = False, fault_lines[:FAULTS_SHOWN] + more + [ADVICE] * (check == "repeatable")
            else:
                results[check] = (True, [line]) if check in self.checks_made else (None, [self.untried_note(check)])
        return results

    def __str__(self) -> str:
        lines_of_report = [f"{self.name}: {'all is well' if self.ok else 'NOT as it should be'}"]
        for check, (passed, lines) in self.checks().items():
            if passed is False:
                lines_of_report += [f"  {check:<13}FAILED:", *map(_indent, lines)]
            else:
                lines_of_report.append(f"  {check:<13}{lines[0]}")
        median, p99, longest = (self.quantile(share) for share in (0.5, 0.99, 1.0))
        speed = f"median {median:.3g} ms, 99 of 100 within {p99:.3g} ms, longest {longest:.3g} ms"
        lines_of_report.append(f"  {'speed':<13}{speed if self.times else 'not tried: nothing was answered'}")
        return "\n".join(lines_of_report)

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


def _indent(line: str) -> str:
    return fold(line, " " * 6, " " * 4, TEXT_WIDTH)
