"""`hexholm replay`: recorded games listed, told turn by turn, summed up, or verified."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hexholm.game.language.phrases import count_noun, fold

from ..shared.common_options import GameNumberOption, PublicOption, SeatOption
from ..shared.files import BadCall, display_name, read_text
from ..shared.inputs import (
    INPUT_KIND_NAMES,
    check_turn,
    choose_record,
    eyes_of,
    first_turn,
    full_record,
    input_kind,
    own_eyes,
    read_or_explain,
    records_in,
    turns_of,
)
from ..shared.plain_text import title_lines
from ..shared.progress import ProgressBar
from ..shared.terminal import read_keys, wants_color

if TYPE_CHECKING:
    from hexholm.game.events import Event
    from hexholm.game.game import Game, Record
    from hexholm.game.record_format.steps import BadRecord

EXAMPLE: Final = "hexholm replay games.jsonl --game 2 --seat blue"
KEYS_HINT: Final = "-- enter: next turn, a: all, q: quit --"


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Games as text or JSON lines; - is standard input.")],
    game: GameNumberOption = None,
    turn: Annotated[
        int | None,
        typer.Option(help="Show only this turn, counting from 1; 0 is everything before turn 1.", show_default=False),
    ] = None,
    seat: SeatOption = None,
    public: PublicOption = False,
    with_board: Annotated[bool, typer.Option("--board", help="Draw the board after every turn.")] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="The game in numbers: dice, income, robber, trade, points, and luck.")
    ] = False,
    verify: Annotated[bool, typer.Option("--verify", help="Check all games; the exit code is 1 if one fails.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print data: a line of JSON for each event or game.")] = False,
) -> int:
    """Tell recorded games in words, summarize them, or verify them.

    A file with several games is listed; --game chooses one. In a terminal, Enter or the space bar shows the next
    turn, a shows the rest, and q quits.
    """
    text = read_text(file)
    if (kind := input_kind(text, file)) != "records":
        command = f"hexholm board --file {file}" if kind == "board" else f"hexholm show {file}"
        raise BadCall(f"{display_name(file)} holds {INPUT_KIND_NAMES[kind]}, not games; try {command}")
    if summary:
        refuse_together("--summary", verify=verify, board=with_board, turn=turn, seat=seat, public=public)
        return sum_up(records_in(text, file, check=False), file, game, as_json)
    if verify:
        refuse_together("--verify", board=with_board, turn=turn, seat=seat, public=public)
        return verify_all(read_or_explain(text, file, check=False), game, file, as_json)
    if as_json:
        refuse_together("--json", board=with_board)
    records = records_in(text, file, check=False)
    if len(records) > 1 and game is None:
        if turn is not None or seat is not None or public or with_board:
            choose_record(records, file, game)
        typer.echo("\n".join(list_lines(records, file, as_json)))
        return 0
    retelling = Retelling(choose_record(records, file, game), seat, public)
    if turn is not None:
        check_turn(retelling.record, turn)
    if as_json:
        for event_turn, event in retelling.events_by_turn():
            if turn in (None, event_turn):
                typer.echo(json.dumps({"turn": event_turn, **event.as_dict()}, ensure_ascii=False))
        return 0
    sections = retelling.tell_sections(turn, with_board)
    if sys.stdin.isatty() and sys.stdout.isatty() and file != "-":
        step_through(sections)
    else:
        for section in sections:
            typer.echo(section)
    return 0


def refuse_together(flag: str, **other_options: Any) -> None:
    """Refuse what has no use beside another option."""
    for name, value in other_options.items():
        if value is not None and value is not False:
            raise BadCall(f"{flag} and --{name}: give one of them")


# --- many games -------------------------------------------------------------------------------------------------------


def verify_all(records: list[Record | BadRecord], only: int | None, file: str, as_json: bool) -> int:
    """Check all games, or one, and say which fail and why; returns the exit code."""
    from hexholm.game.record_format.steps import BadRecord
    from hexholm.game.records.verify import Verification, verify

    if only is not None:
        choose_record(records, file, only)
    numbers = range(1, len(records) + 1) if only is None else [only]
    checked = failed = 0
    interrupted = False
    with ProgressBar() as bar:
        try:
            for number in numbers:
                record = records[number - 1]
                if isinstance(record, BadRecord):
                    line_note = "" if record.line is None else f"line {record.line}: "
                    verification = Verification(False, (line_note + record.message,))
                else:
                    verification = verify(record)
                checked, failed = checked + 1, failed + (not verification.ok)
                if as_json:
                    typer.echo(
                        json.dumps({"game": number, "ok": verification.ok, "problems": list(verification.problems)})
                    )
                elif not verification.ok:
                    typer.echo(f"game {number} fails: {verification}")
                bar.update(checked, len(numbers))
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        typer.echo(f"Interrupted after {checked} of {count_noun(len(numbers), 'game')}.", err=True)
    if not as_json:
        tally = (
            f"{checked - failed:,} verified, {failed:,} failed"
            if failed
            else "verified"
            if checked == 1
            else "all verified"
        )
        typer.echo(f"{count_noun(checked, 'game')}: {tally}" if checked else "no game was verified")
    return 130 if interrupted else 1 if failed else 0


def sum_up(records: list[Record], file: str, game: int | None, as_json: bool) -> int:
    """Sum up one game in words, or one or all as lines of JSON; returns the exit code."""
    from hexholm.game.records.summary import summarize

    from ..reports.game_summary import summary_lines

    if as_json and game is None:
        numbers = list(range(1, len(records) + 1))
    else:
        choose_record(records, file, game)  # says which there are
        numbers = [game or 1]
    for number in numbers:
        record = records[number - 1]
        if record.eyes is not None:
            raise BadCall(
                f"--summary: game {number} is the copy for {record.eyes}, which hides what was stolen and drawn; "
                "sum up the full record"
            )
        summary = summarize(record)
        if as_json:
            typer.echo(json.dumps({"game": number, **summary.as_dict()}, ensure_ascii=False))
        else:
            typer.echo("\n".join(summary_lines(record, summary)))
    return 0


def list_lines(records: list[Record], file: str, as_json: bool) -> Iterator[str]:
    """A line for each game."""
    if not as_json:
        yield f"{display_name(file)}: {count_noun(len(records), 'game')}"
    for number, record in enumerate(records, 1):
        if as_json:
            yield json.dumps(list_entry(record, number), ensure_ascii=False)
        else:
            copy = f", copy for {record.eyes}" if record.eyes else ""
            players = f"{record.options.edition}, {count_noun(len(record.colors), 'player')}{copy}"
            yield f"{number:>5}  {players}, {count_noun(played_turns(record), 'turn')}: {outcome_text(record)}"
    if not as_json:
        yield f"Read one with: hexholm replay {file} --game 1"


def list_entry(record: Record, number: int) -> dict[str, Any]:
    """What a list says of a game, as data."""
    result = record.result
    return {
        "game": number,
        "edition": record.options.edition,
        "players": list(record.colors),
        "names": list(record.names),
        "seen_by": record.eyes,
        "turns": played_turns(record),
        "steps": len(record),
        "how": None if result is None else result.how,
        "winner": None if result is None else result.winner,
        "points": None if result is None else list(result.points),
    }


def played_turns(record: Record) -> int:
    """How many turns were played; a game that was capped stops where another begins, which is none."""
    from hexholm.rules.names import END, kind_of

    capped = record.result is not None and record.result.how == "capped"
    ended_a_turn = any(seat >= 0 and kind_of(code) == END for seat, code in record.steps[-1:])
    return record.turns - (capped and ended_a_turn)


def outcome_text(record: Record) -> str:
    """How a game ended, in a few words."""
    result = record.result
    if result is None:
        return "not finished"
    if result.winner is None:
        return result.how + (f" ({result.note})" if result.note else "")
    points = result.points[record.colors.index(result.winner)]
    return f"{result.winner} won with {count_noun(points, 'point')}"


# --- one game ---------------------------------------------------------------------------------------------------------


class Retelling:
    """A game to be told to a seat, to the public, or with all that is hidden."""

    def __init__(self, record: Record, seat_flag: str | None, public: bool) -> None:
        self.copy = record.eyes
        if record.eyes is not None:
            self.me, public = own_eyes(record.eyes, seat_flag, public)
        else:
            self.me = eyes_of(record.colors, seat_flag, public)
        self.public = public
        self.record = full_record(record)
        self.game: Game = self.record.game()

    def events_by_turn(self) -> list[tuple[int, Event]]:
        """All events with their turn, as they look to the one who is told."""
        from hexholm.game.events import TurnBegan

        turn = first_turn(self.record)
        faces: list[tuple[int, Event]] = []
        for event in self.game.events:
            if isinstance(event, TurnBegan):
                turn = event.number
            face = event.seen_by(self.me) if self.me is not None or self.public else event
            if face is not None:
                faces.append((turn, face))
        return faces

    def tell_sections(self, only: int | None, with_board: bool) -> Iterator[str]:
        """The game in sections: what is played, the set-up, turn after turn, the end."""
        from hexholm.game.events import TurnBegan

        from ..at_table.story import Story

        if only is None:
            yield "\n".join(self.heading_lines())
        story = Story(self.record.options, self.me, in_color=wants_color())
        turns: dict[int, list[Event]] = {}
        if self.record.start is not None and (start_turn := first_turn(self.record)):
            turns[start_turn] = [TurnBegan(self.record.colors[self.record.turn_tracker().seat], start_turn)]
        for event_turn, event in self.events_by_turn():
            turns.setdefault(event_turn, []).append(event)
        boards = self.board_sections() if with_board else None
        remarks = self.remarks_by_turn()
        for event_turn, events in turns.items():
            texts = [story.tell(events), *remarks.get(event_turn, ())]
            if boards is not None:
                texts.append(next(boards, ""))
            if only in (None, event_turn) and any(texts):
                yield "\n".join(filter(None, texts))
        if only is None:
            yield self.ending_text()

    def heading_lines(self) -> list[str]:
        """What is played, and by whom."""
        record = self.record
        lines = title_lines(record.options, record.layout)
        names = [
            color if name == color else f"{color} ({name})"
            for color, name in zip(record.colors, record.names, strict=True)
        ]
        lines.append(fold(f"Players: {', '.join(names)}."))
        if self.me is not None or self.public:
            lines.append(f"As {self.me or 'an onlooker'} saw it.")
        return lines

    def remarks_by_turn(self) -> dict[int, list[str]]:
        """What was remarked and what was taken back, by turn; for those who may know everything."""
        remarks: dict[int, list[str]] = {}
        if self.me is not None or self.public:
            return remarks
        turns = [*turns_of(self.record), self.record.turns]
        for kind, texts_at in (("Remark", self.record.comments), ("Taken back", self.record.taken_back)):
            for at, texts in texts_at.items():
                lines = [fold(f"    {kind}: {text}", " " * 6) for text in texts]
                remarks.setdefault(turns[max(at - 1, 0)], []).extend(lines)
        return remarks

    def board_sections(self) -> Iterator[str]:
        """The board after every turn; the first is that of the set-up."""
        from dataclasses import replace

        record = self.record
        turns = turns_of(record)
        game = replace(record, steps=(), comments={}, taken_back={}, result=None, final=None).game()
        at = 0
        for turn in range(first_turn(record), record.turns + 1):
            upto = at
            while upto < len(turns) and turns[upto] <= turn:
                upto += 1
            game.repeat(record.steps[at:upto])
            at = upto
            yield self.board_text(game)

    def board_text(self, game: Game) -> str:
        """The board in characters."""
        from hexholm.game.pictures import characters_of

        words = game.options.edition_data.words
        return characters_of(game.layout, game.referee.state, game.colors, in_color=wants_color(), words=words)

    def ending_text(self) -> str:
        """The table at the end, with the eyes of the one who is told."""
        if self.me is None and not self.public:
            from hexholm.game.descriptions import describe_game

            return describe_game(self.game, in_color=wants_color())
        return f"{self.board_text(self.game)}\n{self.game.view(self.me)}"


# --- in a terminal ----------------------------------------------------------------------------------------------------


def step_through(sections: Iterator[str]) -> None:
    """Print section after section, each when a key is pressed; `a` prints all that is left, `q` leaves."""
    section = next(sections, None)
    stops = True
    while section is not None:
        typer.echo(section)
        section = next(sections, None)
        if stops and section is not None:
            match _next_key():
                case "q" | "":
                    return
                case "a":
                    stops = False


def _next_key() -> str:
    """The next key that means something: "q", "a" or " "; "" at the end of input."""
    try:
        with read_keys() as key:
            typer.echo(KEYS_HINT, nl=False)
            sys.stdout.flush()
            while True:
                pressed = key().lower()
                if pressed in {"q", "a", ""}:
                    return pressed
                if pressed in {" ", "\r", "\n"}:
                    return " "
                if pressed == "\x04":  # Ctrl-D
                    return ""
    finally:
        typer.echo("\n" if os.environ.get("TERM") == "dumb" else "\r\x1b[K", nl=False)
