"""Reading whole games (docs/formats/record.md): lenient about spelling, exact about where something is wrong.

`read_record` reads one game and raises BadRecord at the first fault, with its line. `read_records` reads a file of
many: a game that cannot be read comes out as the BadRecord that says why, and the others are read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hexholm.rules.begin import new_state
from hexholm.rules.boards import Layout
from hexholm.rules.core import actions as act
from hexholm.rules.core.layout import CARD_KINDS, NATURE, RESOURCES
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import UnreadableAction, read
from hexholm.rules.options import Options
from hexholm.rules.referee import Referee

from . import speed
from .action import COLORS, KINDS
from .position import Position
from .record import Record, clean
from .record_tags import MOST_TEXT, TAG_LINE, Tags, canonical_start, quoted
from .record_walk import DRAWN_HIDDEN, ROLLING, STOLEN_HIDDEN, TURNS, BadRecord, Guide, Walk

_FORMAT_LINE: Final = re.compile(r"\s*\[\s*format\b", re.IGNORECASE)
_MARK: Final = re.compile(r"([0-9]{1,9})\s*\.+")
_WORD: Final = re.compile(r"[^\s;*{}()]+")
_COLON: Final = re.compile(rf"({'|'.join(COLORS)})\s*:", re.IGNORECASE)
_COLOR: Final = re.compile(rf"({'|'.join(COLORS)})(?=[\s=;{{}}()]|$)", re.IGNORECASE)
_VERB: Final = re.compile(
    rf"\s+(?:{'|'.join(sorted((*KINDS, 'invention', 'year'), key=len, reverse=True))})(?![\w-])", re.IGNORECASE
)
_DICE: Final = re.compile(r"([1-6])\s*[-+,/ ]?\s*([1-6])")
_HIDDEN_TEXTS: Final = {"stolen ?": STOLEN_HIDDEN, "drawn ?": DRAWN_HIDDEN}


def read_record(text: str, *, check: bool = True) -> Record:
    """The one game in a text; `check`: every action must be legal. What is hidden in a copy is left unchecked."""
    parts = list(_split(text))
    if len(parts) != 1:
        many = f"there are {len(parts)} games here; read_records reads them all" if parts else "there is no game here"
        raise BadRecord(many)
    line, part = parts[0]
    return _Reader(part, line, check).record()


def read_records(text: str, *, check: bool = True) -> Iterator[Record | BadRecord]:
    """All games in a text, in order; for one that cannot be read, the BadRecord with its number and line."""
    for number, (line, part) in enumerate(_split(text), 1):
        try:
            yield _Reader(part, line, check).record()
        except BadRecord as no:
            yield BadRecord(no.message, no.line, number)


def _split(text: str) -> Iterator[tuple[int, str]]:
    """The games in a text, each with the number of its first line: a new one begins with tags after a blank line."""
    part: list[str] = []
    first, moves, blank = 1, False, True
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if blank and TAG_LINE.match(line) and (moves or _FORMAT_LINE.match(line)) and part:
            yield first, "\n".join(part)
            part, moves = [], False
        blank = not line.strip()
        if not part:
            if blank:
                continue
            first = number
        if not blank and not TAG_LINE.match(line):
            moves = True
        part.append(line)
    if part:
        yield first, "\n".join(part)


def read_outcome(text: str, before: int) -> int:
    """The code of what stands behind `=`; `before`: the action before it. Raises UnreadableAction."""
    said = clean(text).lower()
    if said == "?":
        return DRAWN_HIDDEN if before == act.BUY else STOLEN_HIDDEN
    if found := _DICE.fullmatch(said):
        return act.dice(int(found[1]), int(found[2]))
    for verb in ("drawn", "stolen"):
        try:
            return read(f"{verb} {said}", ())
        except UnreadableAction:
            continue
    kinds = f"{', '.join(RESOURCES)}; {', '.join(CARD_KINDS)}"
    raise UnreadableAction(f"{quoted(said)} is no outcome; write two dice like =3+4, or a card: {kinds}; or ?")


def read_step(text: str, colors: tuple[str, ...]) -> tuple[int, int]:
    """A step from one text, `red roll` or `dice 3 4`; raises UnreadableAction."""
    found = _COLOR.match(text.strip())
    if found and found[1].lower() in colors:
        seat = colors.index(found[1].lower())
        return seat, read(text.strip()[found.end() :], colors, seat)
    code = _HIDDEN_TEXTS.get(" ".join(text.lower().split()))
    if code is None:
        code = read(text, colors)
    if not act.DICE <= code & 31 <= act.DRAWN:
        raise UnreadableAction(f"{quoted(text)}: write who does it, like {colors[0]} {text.strip()[:MOST_TEXT]}")
    return NATURE, code


class _Reader(Tags):
    """One game being read."""

    def __init__(self, text: str, line: int, check: bool) -> None:
        super().__init__(text, line)
        self.check = check
        self.steps: list[tuple[int, int]] = []
        self.comments: dict[int, list[str]] = {}
        self.taken_back: dict[int, list[str]] = {}

    def record(self) -> Record:
        """The game."""
        self.read_tags()
        position = self.read_start()
        chosen = self.read_options(position)
        layout = self.read_layout(chosen, position)
        eyes = self.read_eyes(chosen)
        self.colors = chosen.colors
        self.extra.update({name: self.tags[name] for name in self.tags if name.lower() in {*COLORS} - {*chosen.colors}})
        try:
            start = None if position is None else canonical_start(position, chosen, layout)
        except BadRecord as no:
            raise self.no(no.message, "Start") from None
        guide = self.guide(chosen, layout, position)
        self.walk = guide if self.check and eyes is None else Walk(chosen, None if position is None else position.state)
        self.read_turns()
        self.check_first()
        try:
            return Record(
                options=chosen,
                layout=layout,
                names=tuple(self.tags.get(color.capitalize(), color) for color in chosen.colors),
                steps=tuple(self.steps),
                comments={at: tuple(texts) for at, texts in self.comments.items()},
                taken_back={at: tuple(texts) for at, texts in self.taken_back.items()},
                result=self.read_result(),
                start=start,
                start_hidden=self.yes("StartHidden") is True,
                eyes=eyes,
                revealed=self.read_revealed(eyes),
                final=self.read_final(eyes),
                tags=self.extra,
            )
        except BadRecord as no:
            raise BadRecord(no.message, no.line or self.first_line) from None

    def guide(self, chosen: Options, layout: Layout, position: Position | None) -> Guide:
        """Somebody to ask about every step."""
        try:
            state = new_state(chosen, layout) if position is None else position.state.copy()
        except BadInput as no:
            raise self.no(str(no), "Pieces") from None
        referee = Referee(chosen, layout, state, speed.mode(None))
        if position is not None:
            referee.talk.buffer[:] = position.talk.buffer
        return Guide(referee, None if position is None else state.copy())

    # --- turns -----------------------------------------------------------------------------------------------

    def read_turns(self) -> None:
        """All that stands behind the tags."""
        text, item, begun = self.text, "", self.at
        turn_of = False  # right behind a number, `red:` is whose turn it is; elsewhere it is who acts

        def flush() -> str:
            if item:
                self.read_item(item, begun)
            return ""

        while self.at < len(text):
            at, char = self.at, text[self.at]
            if char.isspace():
                self.at += 1
                continue
            if char in ";*":
                item, turn_of = flush(), False
                self.at += 1
                continue
            if char in "{(":
                item = flush()
                self.remark(char)
                continue
            if char in "})":
                raise self.no(f"there is a {char!r} here that nothing opens")
            if found := _MARK.match(text, at):
                item = flush()
                self.read_mark(int(found[1]), at)
                self.at, turn_of = found.end(), True
                continue
            if found := _COLON.match(text, at):
                item = flush()
                self.at = found.end()
                if turn_of:
                    self.read_turn_of(found[1].lower(), at)
                else:
                    item, begun = found[1], at
                turn_of = False
                continue
            if (found := _COLOR.match(text, at)) and _VERB.match(text, found.end()):
                item = flush()
            found = _WORD.match(text, at)
            assert found is not None
            if not item:
                begun = at
            item = f"{item} {found[0]}" if item else found[0]
            self.at, turn_of = found.end(), False
        item = flush()

    def remark(self, char: str) -> None:
        """A comment, or actions that were taken back."""
        begun, depth, at = self.at, 0, self.at
        found: list[str] = []
        comment = char == "{"
        while True:
            at += 1
            if at >= len(self.text):
                raise self.no(f"the {char!r} here is never closed", begun)
            now = self.text[at]
            if comment and now == "\\" and at + 1 < len(self.text):
                at += 1
                found.append(self.text[at] if char == "{" else now + self.text[at])
                continue
            if now == "}" and comment:
                if char == "{":
                    break
                comment = False
            elif now == "{" and not comment:
                comment = True
            elif not comment:
                depth += (now == "(") - (now == ")")
                if depth < 0:
                    break
            found.append(now)
        self.at = at + 1
        kept = self.comments if char == "{" else self.taken_back
        if text := clean("".join(found)):
            kept.setdefault(len(self.steps), []).append(text)

    def read_mark(self, number: int, at: int) -> None:
        """The number of a turn."""
        if self.walk.part != TURNS:
            raise self.no(f"turn {number} cannot begin here: the set-up is not finished", at)
        if number != self.walk.turn:
            hint = f"; turn {self.walk.turn} has not ended" if number == self.walk.turn + 1 else ""
            raise self.no(f"turn {number} is written here, but this is turn {self.walk.turn}{hint}", at)

    def read_turn_of(self, color: str, at: int) -> None:
        """Whose turn it is."""
        if color != self.colors[self.walk.seat]:
            raise self.no(f"turn {self.walk.turn} is {self.colors[self.walk.seat]}'s, not {color}'s (PHASE-08)", at)

    def read_item(self, item: str, at: int) -> None:
        """One action with its outcome, or one of both."""
        said, equals, outcome = item.partition("=")
        seat = self.walk.seat
        if found := _COLOR.match(said):
            if found[1].lower() not in self.colors:
                raise self.no(f"{found[1]} does not play; the players are {', '.join(self.colors)}", at)
            seat, said = self.colors.index(found[1].lower()), said[found.end() :]
        try:
            if said.strip():
                self.read_action(said.strip(), seat, at)
            if equals:
                before = self.steps[-1][1] if self.steps else act.NOTHING
                self.add(NATURE, read_outcome(outcome, before), at)
        except UnreadableAction as no:
            raise self.no(f"{self.walk.when}: {no}", at) from None

    def read_action(self, said: str, seat: int, at: int) -> None:
        """An action of a seat, or of chance."""
        hidden = _HIDDEN_TEXTS.get(" ".join(said.lower().split()))
        code = read(said, self.colors, seat) if hidden is None else hidden
        if code == act.ROLL and self.walk.part == ROLLING:
            if seat != self.walk.seat:
                raise self.no(f"{self.colors[self.walk.seat]} rolls now, not {self.colors[seat]} (SETUP-06)", at)
            return  # what is rolled follows; rolling for the start is no decision
        self.add(NATURE if act.DICE <= code & 31 <= act.DRAWN else seat, code, at)

    def add(self, seat: int, code: int, at: int) -> None:
        """One more step, if the rules allow it."""
        if isinstance(self.walk, Guide):
            try:
                self.walk.play(seat, code)
            except BadRecord as no:
                raise self.no(no.message, at) from None
        else:
            self.walk.step(code)
        self.steps.append((seat, code))
