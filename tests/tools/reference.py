"""Write the reference pages that follow from tables in the code: phases, refusals, the numbering of actions.

python -m tests.tools.reference            # says which pages are out of date, exit 1 if any
python -m tests.tools.reference --write    # brings them up to date
"""

from __future__ import annotations

import sys
from pathlib import Path

from hexholm.rules.core.drivers import action_numbers
from hexholm.rules.encoding import actions as act
from hexholm.rules.encoding import phases
from hexholm.rules.encoding.refusals import REFUSALS
from hexholm.rules.encoding.structs import State
from hexholm.rules.notation import action_text

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
COLORS = ("red", "blue", "white", "orange")
ACTORS = {
    phases.NATURE_ACTS: "Nature",
    phases.ACTIVE_ACTS: "the active player",
    phases.OWING_ACT: "all who owe cards",
    phases.TRADERS_ACT: "the active player; others answer and propose trades",
    phases.NO_ONE_ACTS: "nobody",
}


def table(header: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def phases_page() -> str:
    """The table of phases."""
    rows = [
        [
            phase.name,
            ACTORS[phase.actors],
            phase.request,
            " ".join(act.KIND_NAMES[kind] for kind in phase.kinds) or "-",
            phase.rule,
        ]
        for phase in phases.PHASES
    ]
    place = "`hexholm.rules.encoding.phases`"
    head = f"# Phases\n\nOne table in {place}: legality, refusals, prompts and this page read it.\n\n"
    return head + table(["phase", "who acts", "what is asked", "actions", "rule"], rows)


def refusals_page() -> str:
    """Every way to say no."""
    rows = [[f"`{refusal.name}`", refusal.rule, refusal.text] for refusal in REFUSALS[1:]]
    head = (
        "# Refusals\n\nA refusal is a name with at most one parameter (`{0}`), and the rule that forbids the action; "
        "nothing has changed (PHASE-13). From `hexholm.rules.encoding.refusals`.\n\n"
    )
    return head + table(["name", "rule", "words"], rows)


def numbering_page() -> str:
    """act_v1, with the first action of each group."""
    starts = [name for name in dir(action_numbers) if name.startswith("FIRST_")]
    groups = sorted(
        [(0, "simple"), *((getattr(action_numbers, name), name.removeprefix("FIRST_").lower()) for name in starts)]
    )
    state = State()
    state.players = 4
    rows = []
    for (first, name), (after, _) in zip(groups, [*groups[1:], (action_numbers.ALL_ACTIONS, "")], strict=True):
        example = action_text(action_numbers.code_of_number(state, 0, first), COLORS)
        rows.append([f"{first} to {after - 1}", name, f"`{example}`"])
    head = (
        "# act_v1: actions as dense numbers\n\nEverything but free-form offers, for search and learning. Numbers up to "
        f"{action_numbers.SOLO_ACTIONS - 1} need no negotiation and are what batches use. Discards are composed card "
        "by card. The numbers never change; another numbering would be act_v2. From "
        "`hexholm.rules.core.drivers.action_numbers`.\n\n"
    )
    return head + table(["numbers", "group", "first of them (red's, four players)"], rows)


PAGES = {"phases.md": phases_page, "refusals.md": refusals_page, "act_v1.md": numbering_page}


def main(arguments: list[str]) -> int:
    """Compare or write."""
    stale = [
        name for name, page in PAGES.items() if not (FOLDER / name).exists() or (FOLDER / name).read_text() != page()
    ]
    if "--write" in arguments:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name, page in PAGES.items():
            (FOLDER / name).write_text(page(), encoding="utf-8")
        return 0
    for name in stale:
        print(f"docs/reference/{name} is out of date; run python -m tests.tools.reference --write")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
