"""Reading whole games (docs/formats/record.md): lenient about spelling, exact about where something is wrong.

`read_record` reads one game and raises BadRecord at the first fault, with its line. `read_all` reads a text of many: a
game that cannot be read comes out as the BadRecord that says why, and the others are read all the same. Both are told
what class of record to make, for that stands above them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from hexholm.rules.boards import Layout
from hexholm.rules.colors import Color, SeatNumber
from hexholm.rules.compilation import mode
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.structs import CARD_KINDS, NATURE, RESOURCES
from hexholm.rules.errors import BadInput
from hexholm.rules.initial_state import new_state
from hexholm.rules.notation import UnreadableAction, read_action
from hexholm.rules.referee import Referee, Step
from hexholm.rules.setup.options import Options

from ..action import ACTION_KINDS, COLORS
from ..language.clean_text import one_line, quoted_text
from ..positions.position import Position
from .record_base import AnyRecord
from .steps import DRAWN_HIDDEN, HANDED, STOLEN_HIDDEN, BadRecord, encode_handed, is_handed, nature_text
from .tags import TAG_LINE, Tags, canonical_start
from .turn_tracker import ROLLING, TURNS, CheckedTurnTracker, TurnTracker

_FORMAT_LINE: Final = re.compile(r"\s*\[\s*format\b", re.IGNORECASE)
_MARK: Final = re.compile(r"([0-9]{1,9})\s*\.+")
_WORD: Final = re.compile(r"[^\s;*{}()]+")
_COLON: Final = re.compile(rf"({'|'.join(COLORS)})\s*:", re.IGNORECASE)
_COLOR: Final = re.compile(rf"({'|'.join(COLORS)})(?=[\s=;{{}}()]|$)", re.IGNORECASE)
_VERB: Final = re.compile(
    rf"\s+(?:{'|'.join(sorted((*ACTION_KINDS, 'invention', 'year'), key=len, reverse=True))})(?![\w-])", re.IGNORECASE
)
_DICE: Final = re.compile(r"([1-6])\s*[-+,/ ]?\s*([1-6])")
_BLANKS: Final = re.compile(r"\s+")
_PAUSE: Final = re.compile(r"[;*\s]+")
_COMMENT: Final = re.compile(r"\{([^\\}]*(?:\\.[^\\}]*)*)\}", re.DOTALL)
_BRACKET: Final = re.compile(rf"[()]|{_COMMENT.pattern}|\{{", re.DOTALL)
_HIDDEN_TEXTS: Final = {"stolen ?": STOLEN_HIDDEN, "drawn ?": DRAWN_HIDDEN}
_MOST_ITEM: Final = 400
"""No action with its outcome is longer."""
_MOST_REMARKS: Final = 1000
"""In one place."""
_MOST_DEPTH: Final = 50
"""Brackets within brackets."""


def read_record(record_type: type[AnyRecord], text: str, *, check: bool = True) -> AnyRecord:
    """The one game in a text; `check`: every action must be legal. What is hidden in a copy is left unchecked."""
    parts = list(_split(text))
    if len(parts) != 1:
        message = (
            f"there are {len(parts)} games here; read_records reads them all" if parts else "there is no game here"
        )
        raise BadRecord(message)
    line, part = parts[0]
    return _RecordReader(part, line, check).record(record_type)


def read_all(record_type: type[AnyRecord], text: str, *, check: bool = True) -> Iterator[AnyRecord | BadRecord]:
    """All games in a text, in order; for one that cannot be read, the BadRecord with its number and line."""
    for number, (line, part) in enumerate(_split(text), 1):
        try:
            yield _RecordReader(part, line, check).record(record_type)
        except BadRecord as error:
            yield BadRecord(error.message, error.line, number)


def _split(text: str) -> Iterator[tuple[int, str]]:
    """The games in a text, each with the number of its first line: a new one begins with tags after a blank line."""
    part: list[str] = []
    first, has_turns, blank = 1, False, True
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if not line or line.isspace():
            blank = True
            part += [line] * bool(part)
            continue
        tag = TAG_LINE.match(line)
        if blank and tag and (has_turns or _FORMAT_LINE.match(line)) and part:
            yield first, "\n".join(part)
            part, has_turns = [], False
        blank = False
        if not part:
            first = number
        has_turns = has_turns or not tag
        part.append(line)
    if part:
        yield first, "\n".join(part)


def read_outcome(text: str, previous: int, colors: tuple[Color, ...]) -> int:
    """The code of what stands behind `=`; `previous`: the action before it. Raises UnreadableAction."""
    outcome = one_line(text).lower()
    if act.kind_of(previous) == act.MONOPOLY_CARD:
        return read_handed(outcome, colors)
    if outcome == "?":
        return DRAWN_HIDDEN if previous == act.BUY else STOLEN_HIDDEN
    if match := _DICE.fullmatch(outcome):
        return act.dice_outcome(int(match[1]), int(match[2]))
    for verb in ("drawn", "stolen"):
        try:
            return read_action(f"{verb} {outcome}", ())
        except UnreadableAction:
            continue
    kinds = f"{', '.join(RESOURCES)}; {', '.join(CARD_KINDS)}"
    raise UnreadableAction(f"{quoted_text(outcome)} is no outcome; write two dice like =3+4, or a card: {kinds}; or ?")


def read_handed(text: str, colors: tuple[Color, ...]) -> int:
    """The outcome of a Monopoly, `3 red 1 blue` or `nothing`; raises UnreadableAction."""
    words = [word for word in text.lower().replace(",", " ").split() if word != "from"]
    if words in (["nothing"], ["0"]):
        return encode_handed(())
    pairs = zip(words[::2], words[1::2], strict=False)
    amounts = {color: int(n) for n, color in pairs if re.fullmatch("[0-9]{1,2}", n) and color in colors}
    if not words or 2 * len(amounts) != len(words):
        example = f"=3 {colors[0]} 1 {colors[1]}"
        raise UnreadableAction(f"{quoted_text(text)}: write how many cards came from whom, like {example}, or =nothing")
    return encode_handed(amounts.get(color, 0) for color in colors)


def _copy_outcome(text: str, colors: tuple[Color, ...]) -> int | None:
    """The code of an outcome that only copies have: `stolen ?`, `drawn ?`, `handed 3 red`; None if it is not."""
    words = text.lower().split()
    if words[:1] == [HANDED]:
        return read_handed(" ".join(words[1:]), colors)
    return _HIDDEN_TEXTS.get(" ".join(words))


def _is_outcome(code: int) -> bool:
    return act.DICE <= act.kind_of(code) <= act.DRAWN or is_handed(code)


@lru_cache(maxsize=4096)
def read_step(text: str, colors: tuple[Color, ...]) -> Step:
    """A step from one text, `red roll` or `dice 3 4`; raises UnreadableAction."""
    match = _COLOR.match(text.strip())
    if match and match[1].lower() in colors:
        seat = colors.index(match[1].lower())
        return Step(seat, read_action(text.strip()[match.end() :], colors, seat))
    code = _copy_outcome(text, colors)
    if code is None:
        code = read_action(text, colors)
    if not _is_outcome(code):
        raise UnreadableAction(f"{quoted_text(text, 40)}: write who does it, like {colors[0]} {text.strip()[:40]}")
    return Step(NATURE, code)


class _RecordReader(Tags):
    """One game being read."""

    def __init__(self, text: str, line: int, check: bool) -> None:
        super().__init__(text, line)
        self.check = check
        self.eyes: Color | None = None
        self.steps: list[Step] = []
        self.comments: dict[int, list[str]] = {}
        self.taken_back: dict[int, list[str]] = {}

    def record(self, record_type: type[AnyRecord]) -> AnyRecord:
        """The game, as a record of that class."""
        self.read_tags()
        position = self.read_start()
        options = self.read_options(position)
        layout = self.read_layout(options, position)
        self.eyes = eyes = self.read_eyes(options)
        self.colors = options.colors
        self.extra.update(
            {name: self.tags[name] for name in self.tags if name.lower() in {*COLORS} - {*options.colors}}
        )
        try:
            start = None if position is None else canonical_start(position, options, layout)
        except BadRecord as error:
            raise self.fault(error.message, "Start") from None
        checked_tracker = self.checked_tracker(options, layout, position)
        self.tracker = (
            checked_tracker
            if self.check and eyes is None
            else TurnTracker(options, None if position is None else position.state)
        )
        self.read_turns()
        self.check_first()
        try:
            return record_type(
                options=options,
                layout=layout,
                names=tuple(self.tags.get(color.capitalize(), color) for color in options.colors),
                steps=tuple(self.steps),
                comments={moment: tuple(texts) for moment, texts in self.comments.items()},
                taken_back={moment: tuple(texts) for moment, texts in self.taken_back.items()},
                result=self.read_result(),
                start=start,
                start_hidden=self.read_flag("StartHidden") is True,
                eyes=eyes,
                revealed=self.read_revealed(eyes),
                final=self.read_final(eyes),
                tags=self.extra,
            )
        except BadRecord as error:
            raise BadRecord(error.message, error.line or self.first_line) from None

    def checked_tracker(self, options: Options, layout: Layout, position: Position | None) -> CheckedTurnTracker:
        """Somebody to ask about every step."""
        try:
            state = new_state(options, layout) if position is None else position.state.copy()
        except BadInput as error:
            raise self.fault(str(error), "Pieces") from None
        referee = Referee(options, layout, state, mode.runs_compiled(None))
        if position is not None:
            referee.open_offers.buffer[:] = position.open_offers.buffer
        return CheckedTurnTracker(referee)

    # --- turns -----------------------------------------------------------------------------------------------

    def read_turns(self) -> None:
        """All that stands behind the tags."""
        text, item, item_start = self.text, "", self.offset
        after_mark = False  # right behind a number, `red:` is whose turn it is; elsewhere it is who acts

        def flush() -> str:
            if item:
                self.read_item(item, item_start)
            return ""

        while self.offset < len(text):
            if match := _BLANKS.match(text, self.offset):
                self.offset = match.end()
                continue
            offset, char = self.offset, text[self.offset]
            if match := _PAUSE.match(text, offset):
                item, after_mark = flush(), False
                self.offset = match.end()
                continue
            if char in "{(":
                item = flush()
                self.remark(char)
                continue
            if char in "})":
                raise self.fault(f"there is a {char!r} here that nothing opens")
            if match := _MARK.match(text, offset):
                item = flush()
                self.read_mark(int(match[1]), offset)
                self.offset, after_mark = match.end(), True
                continue
            if match := _COLON.match(text, offset):
                item = flush()
                self.offset = match.end()
                if after_mark:
                    self.read_active(match[1].lower(), offset)
                else:
                    item, item_start = match[1], offset
                after_mark = False
                continue
            if (match := _COLOR.match(text, offset)) and _VERB.match(text, match.end()):
                item = flush()
            match = _WORD.match(text, offset)
            assert match is not None
            if not item:
                item_start = offset
            item = f"{item} {match[0]}" if item else match[0]
            if len(item) > _MOST_ITEM:
                raise self.fault(
                    f"{self.tracker.turn_label}: cannot read {quoted_text(item)}; write a ; behind every action",
                    item_start,
                )
            self.offset, after_mark = match.end(), False
        item = flush()

    def remark(self, char: str) -> None:
        """A comment, or actions that were taken back."""
        start = self.offset
        if char == "{":
            match = _COMMENT.match(self.text, start)
            end, inside = (match.end(), re.sub(r"\\(.)", r"\1", match[1], flags=re.DOTALL)) if match else (-1, "")
        else:
            end = self.closing_bracket(start)
            inside = self.text[start + 1 : end - 1]
        if end < 0:
            raise self.fault(f"the {char!r} here is never closed", start)
        self.offset = end
        remarks = self.comments if char == "{" else self.taken_back
        if text := one_line(inside):
            texts = remarks.setdefault(len(self.steps), [])
            texts.append(text)
            if len(texts) > _MOST_REMARKS:
                raise self.fault(f"more than {_MOST_REMARKS} remarks in one place")

    def closing_bracket(self, start: int) -> int:
        """Where the bracket that opens at `start` has been closed, -1 if nowhere; brackets in comments do not count."""
        depth = 0
        for match in _BRACKET.finditer(self.text, start):
            depth += (match[0] == "(") - (match[0] == ")")
            if depth == 0:
                return match.end()
            if match[0] == "{":
                break
            if depth > _MOST_DEPTH:
                raise self.fault("too many brackets within brackets", match.start())
        return -1

    def read_mark(self, number: int, offset: int) -> None:
        if self.tracker.part != TURNS:
            raise self.fault(f"turn {number} cannot begin here: the set-up is not finished", offset)
        if number != self.tracker.turn:
            hint = f"; turn {self.tracker.turn} has not ended" if number == self.tracker.turn + 1 else ""
            raise self.fault(f"turn {number} is written here, but this is turn {self.tracker.turn}{hint}", offset)

    def read_active(self, color: Color, offset: int) -> None:
        if color != self.colors[self.tracker.seat]:
            raise self.fault(
                f"turn {self.tracker.turn} is {self.colors[self.tracker.seat]}'s, not {color}'s (PHASE-08)", offset
            )

    def read_item(self, item: str, offset: int) -> None:
        """One action with its outcome, or one of both."""
        action_text, equals, outcome = item.partition("=")
        seat = self.tracker.seat
        if match := _COLOR.match(action_text):
            if match[1].lower() not in self.colors:
                raise self.fault(f"{match[1]} does not play; the players are {', '.join(self.colors)}", offset)
            seat, action_text = self.colors.index(match[1].lower()), action_text[match.end() :]
        try:
            if action_text.strip():
                self.read_action(action_text.strip(), seat, offset)
            if equals:
                previous = self.steps[-1].code if self.steps else act.NOTHING
                self.add(NATURE, read_outcome(outcome, previous, self.colors), offset)
        except UnreadableAction as error:
            raise self.fault(f"{self.tracker.turn_label}: {error}", offset) from None

    def read_action(self, text: str, seat: SeatNumber, offset: int) -> None:
        code = _copy_outcome(text, self.colors)
        if code is None:
            code = read_action(text, self.colors, seat)
        if code == act.ROLL and self.tracker.part == ROLLING:
            if seat != self.tracker.seat:
                raise self.fault(
                    f"{self.colors[self.tracker.seat]} rolls now, not {self.colors[seat]} (SETUP-06)", offset
                )
            return  # what is rolled follows; rolling for the start is no decision
        self.add(NATURE if _is_outcome(code) else seat, code, offset)

    def add(self, seat: SeatNumber, code: int, offset: int) -> None:
        """One more step, if the rules allow it."""
        if is_handed(code) and self.eyes is None:
            reason = "only a copy tells what a Monopoly brought; here it follows from the hands"
            raise self.fault(f"{self.tracker.turn_label}: ={nature_text(code, self.colors)}: {reason}", offset)
        if isinstance(self.tracker, CheckedTurnTracker):
            try:
                self.tracker.play(seat, code)
            except BadRecord as error:
                raise self.fault(error.message, offset) from None
        else:
            self.tracker.step(code)
        self.steps.append(Step(seat, code))
