"""`hexholm verify-dice`: whether every roll, theft and draw of a game came from the key that was committed to."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hexholm.game.language.phrases import count_noun, join_words

from ..shared.files import BadCall, display_name, read_text
from ..shared.inputs import INPUT_KIND_NAMES, choose_record, input_kind, records_in

if TYPE_CHECKING:
    from hexholm.game.records.verify_dice import DiceVerification

EXAMPLE: Final = "hexholm verify-dice game.hexholm"
STREAM_NOUNS: Final = {
    "start": ("starting roll", "starting rolls"),
    "dice": ("roll", "rolls"),
    "theft": ("theft", "thefts"),
    "card": ("draw", "draws"),
}
AND: Final = "and"
MOST_PROBLEMS: Final = 5


def verify_dice(
    file: Annotated[str, typer.Argument(metavar="RECORD", help="A game from a host's table; - is standard input.")],
    game: Annotated[int | None, typer.Option("--game", help="Which game in the file. [default: all]", min=1)] = None,
    commitment: Annotated[
        str | None,
        typer.Option(
            "--commitment",
            metavar="TEXT",
            help="The commitment that you noted before the game; it must be the one in the record.",
            show_default=False,
        ),
    ] = None,
    show_all: Annotated[bool, typer.Option("--all", help="Show every draw: its number and its outcome.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print data: a line of JSON for each game.")] = False,
) -> int:
    """Check the dice of a recorded game against its host's key.

    A host's key and the seats' words decide every roll, theft and draw; the record contains them once the game is
    over. The exit code is 1 if something does not match, 2 if a record has nothing to check.
    """
    from hexholm.game.records.verify_dice import verify_dice as check

    text = read_text(file)
    if (kind := input_kind(text, file)) != "records":
        raise BadCall(f"{display_name(file)} holds {INPUT_KIND_NAMES[kind]}, no games")
    records = records_in(text, file, check=False)
    named_records = [choose_record(records, file, game)] if game is not None else records
    if commitment is not None and len(named_records) > 1:
        raise BadCall(
            f"--commitment is of one game, and {display_name(file)} holds {len(records)}; name it with --game"
        )
    all_ok = True
    for number, record in enumerate(named_records, 1 if game is None else game):
        verification = check(record)
        if commitment is not None and commitment.strip().lower() != verification.proof.commitment:
            problem = "this is not the commitment that you noted: the key was changed, or it is another game"
            verification = replace(verification, problems=(problem, *verification.problems))
        all_ok = all_ok and verification.ok
        if as_json:
            typer.echo(json.dumps(_as_data(number, verification)))
        else:
            typer.echo("\n".join(_lines(number if len(records) > 1 else None, verification, show_all=show_all)))
    return 0 if all_ok else 1


def _lines(number: int | None, verification: DiceVerification, *, show_all: bool) -> list[str]:
    proof = verification.proof
    title = f"Table {proof.table}" if number is None else f"Game {number}, table {proof.table}"
    brought = [color for color in proof.promises if color in proof.words]
    missing = [color for color in proof.promises if color not in proof.words]
    lines = [
        title,
        f"  committed to before the game: {proof.commitment}",
        f"  words of their own: {join_words(brought, AND) if brought else 'none'}"
        + (f"; promised, but not opened: {join_words(missing, AND)}" if missing else ""),
    ]
    if show_all:
        lines += [
            f"  {draw.turn:8} {draw.draw.stream:5} {draw.draw.count:3}: number {draw.draw.number:2} of "
            f"{draw.draw.chances:2}, {draw.expected}" + ("" if draw.ok else f"; the record says {draw.outcome}")
            for draw in verification.checked_draws
        ]
    counts = join_words([count_noun(count, *STREAM_NOUNS[stream]) for stream, count in verification.draws.items()], AND)
    if verification.ok:
        return [*lines, f"  all right: {counts or 'nothing was drawn yet'}"]
    shown, left_out = verification.problems[:MOST_PROBLEMS], len(verification.problems) - MOST_PROBLEMS
    lines += [f"  WRONG: {problem}" for problem in shown]
    return lines if left_out <= 0 else [*lines, f"  and {left_out:,} more"]


def _as_data(number: int, verification: DiceVerification) -> dict[str, object]:
    return {
        "game": number,
        "ok": verification.ok,
        "table": verification.proof.table,
        "problems": list(verification.problems),
        "draws": [
            {
                "step": draw.step,
                "stream": draw.draw.stream,
                "count": draw.draw.count,
                "number": draw.draw.number,
                "chances": draw.draw.chances,
                "expected": draw.expected,
                "outcome": draw.outcome,
            }
            for draw in verification.checked_draws
        ],
    }
