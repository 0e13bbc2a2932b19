"""The reference pages that follow from tables in the code: phases, refusals, the numbering of actions."""

from __future__ import annotations

from hexholm.host.wire.host_refusals import HOST_REFUSALS
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding import action_numbers, phases
from hexholm.rules.encoding.refusals import REFUSALS
from hexholm.rules.encoding.structs import State
from hexholm.rules.language.refusal_sentences import phase_clause, refusal_clause
from hexholm.rules.notation import action_text
from hexholm.rules.setup.editions import FALLBACK_EDITION

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
            phase_clause(phase.name, FALLBACK_EDITION),
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
    rows = [
        [
            f"`{refusal.name}`",
            refusal.rule,
            refusal_clause(refusal.name, {refusal.parameter: f"{{{refusal.parameter}}}"}, FALLBACK_EDITION),
        ]
        for refusal in REFUSALS[1:]
    ]
    head = (
        "# Refusals\n\nA refusal is a name with at most one value (`{price}`), and the rule that forbids the action; "
        "nothing has changed (PHASE-13). From `hexholm.rules.encoding.refusals`. The words are those of the fifth "
        "edition; each edition has its own, in every language.\n\n"
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
        "`hexholm.rules.encoding.action_numbers`.\n\n"
    )
    return head + table(["numbers", "group", "first of them (red's, four players)"], rows)


def host_refusals_page() -> str:
    """The page of the host's own refusals."""
    rows = [
        f"| `{why}` | `{refusal.code}` | {refusal.text} | {refusal.rule} |" for why, refusal in HOST_REFUSALS.items()
    ]
    return "\n".join(
        [
            "# Refusals of the host",
            "",
            "What the host itself refuses, as `why` of `refused`, `because` and the errors of REST; `values` fills the",
            "{slots}. What the rules refuse is on [a page of its own](refusals.md). From",
            "`hexholm.host.wire.host_refusals`.",
            "",
            "| why | code | words | rule that explains it |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )
