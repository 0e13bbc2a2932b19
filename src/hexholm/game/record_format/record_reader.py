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

from hexholm.rules import mode
from hexholm.rules.boards import Layout
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.structs import CARD_KINDS, NATURE, RESOURCES
from hexholm.rules.errors import BadInput
from hexholm.rules.initial_state import new_state
from hexholm.rules.notation import UnreadableAction, read
from hexholm.rules.options import Options
from hexholm.rules.referee import Referee

from ..action import ACTION_KINDS, COLORS
from ..language.clean_text import one_line, quoted
from ..positions.position import Position
from .record_data import AnyRecord
from .tags import TAG_LINE, Tags, canonical_start
from .walk import (
    DRAWN_HIDDEN,
    HANDED,
    ROLLING,
    STOLEN_HIDDEN,
    TURNS,
    BadRecord,
    Guide,
    Walk,
    encode_handed,
    is_handed,
    nature_text,
)

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


def read_record(kind: type[AnyRecord], text: str, *, check: bool = True) -> AnyRecord:
    """The one game in a text; `check`: every action must be legal. What is hidden in a copy is left unchecked."""
    parts = list(_split(text))
    if len(parts) != 1:
        many = f"there are {len(parts)} games here; read_records reads them all" if parts else "there is no game here"
        raise BadRecord(many)
    line, part = parts[0]
    return _RecordReader(part, line, check).record(kind)


def read_all(kind: type[AnyRecord], text: str, *, check: bool = True) -> Iterator[AnyRecord | BadRecord]:
    """All games in a text, in order; for one that cannot be read, the BadRecord with its number and line."""
    for number, (line, part) in enumerate(_split(text), 1):
        try:
            yield _RecordReader(part, line, check).record(kind)
        except BadRecord as no:
            yield BadRecord(no.message, no.line, number)


def _split(text: str) -> Iterator[tuple[int, str]]:
    """The games in a text, each with the number of its first line: a new one begins with tags after a blank line."""
    part: list[str] = []
    first, moves, blank = 1, False, True
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if not line or line.isspace():
            blank = True
            part += [line] * bool(part)
            continue
        tag = TAG_LINE.match(line)
        if blank and tag and (moves or _FORMAT_LINE.match(line)) and part:
            yield first, "\n".join(part)
            part, moves = [], False
        blank = False
        if not part:
            first = number
        moves = moves or not tag
        part.append(line)
    if part:
        yield first, "\n".join(part)


def read_outcome(text: str, before: int, colors: tuple[str, ...]) -> int:
    """The code of what stands behind `=`; `before`: the action before it. Raises UnreadableAction."""
    said = one_line(text).lower()
    if act.kind_of(before) == act.MONOPOLY_CARD:
        return read_handed(said, colors)
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


def read_handed(text: str, colors: tuple[str, ...]) -> int:
    """The outcome of a Monopoly, `3 red 1 blue` or `nothing`; raises UnreadableAction."""
    words = [word for word in text.lower().replace(",", " ").split() if word != "from"]
    if words in (["nothing"], ["0"]):
        return encode_handed(())
    pairs = zip(words[::2], words[1::2], strict=False)
    amounts = {color: int(n) for n, color in pairs if re.fullmatch("[0-9]{1,2}", n) and color in colors}
    if not words or 2 * len(amounts) != len(words):
        example = f"=3 {colors[0]} 1 {colors[1]}"
        raise UnreadableAction(f"{quoted(text)}: write how many cards came from whom, like {example}, or =nothing")
    return encode_handed(amounts.get(color, 0) for color in colors)


def _of_copies(text: str, colors: tuple[str, ...]) -> int | None:
    """The code of an outcome that only copies have: `stolen ?`, `drawn ?`, `handed 3 red`; None if it is not."""
    words = text.lower().split()
    if words[:1] == [HANDED]:
        return read_handed(" ".join(words[1:]), colors)
    return _HIDDEN_TEXTS.get(" ".join(words))


def _is_outcome(code: int) -> bool:
    return act.DICE <= act.kind_of(code) <= act.DRAWN or is_handed(code)


@lru_cache(maxsize=4096)
def read_step(text: str, colors: tuple[str, ...]) -> tuple[int, int]:
    """A step from one text, `red roll` or `dice 3 4`; raises UnreadableAction."""
    found = _COLOR.match(text.strip())
    if found and found[1].lower() in colors:
        seat = colors.index(found[1].lower())
        return seat, read(text.strip()[found.end() :], colors, seat)
    code = _of_copies(text, colors)
    if code is None:
        code = read(text, colors)
    if not _is_outcome(code):
        raise UnreadableAction(f"{quoted(text, 40)}: write who does it, like {colors[0]} {text.strip()[:40]}")
    return NATURE, code


class _RecordReader(Tags):
    """One game being read."""

    def __init__(self, text: str, line: int, check: bool) -> None:
        super().__init__(text, line)
        self.check = check
        self.eyes: str | None = None
        self.steps: list[tuple[int, int]] = []
        self.comments: dict[int, list[str]] = {}
        self.taken_back: dict[int, list[str]] = {}

    def record(self, kind: type[AnyRecord]) -> AnyRecord:
        """The game, as a record of that class."""
        self.read_tags()
        position = self.read_start()
        chosen = self.read_options(position)
        layout = self.read_layout(chosen, position)
        self.eyes = eyes = self.read_eyes(chosen)
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
            return kind(
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
        referee = Referee(chosen, layout, state, mode.if_ready(None))
        if position is not None:
            referee.talk.buffer[:] = position.talk.buffer
        return Guide(referee)

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
            if found := _BLANKS.match(text, self.at):
                self.at = found.end()
                continue
            at, char = self.at, text[self.at]
            if found := _PAUSE.match(text, at):
                item, turn_of = flush(), False
                self.at = found.end()
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
            if len(item) > _MOST_ITEM:
                raise self.no(f"{self.walk.when}: cannot read {quoted(item)}; write a ; behind every action", begun)
            self.at, turn_of = found.end(), False
        item = flush()

    def remark(self, char: str) -> None:
        """A comment, or actions that were taken back."""
        begun = self.at
        if char == "{":
            found = _COMMENT.match(self.text, begun)
            end, inside = (found.end(), re.sub(r"\\(.)", r"\1", found[1], flags=re.DOTALL)) if found else (-1, "")
        else:
            end = self.closing(begun)
            inside = self.text[begun + 1 : end - 1]
        if end < 0:
            raise self.no(f"the {char!r} here is never closed", begun)
        self.at = end
        kept = self.comments if char == "{" else self.taken_back
        if text := one_line(inside):
            here = kept.setdefault(len(self.steps), [])
            here.append(text)
            if len(here) > _MOST_REMARKS:
                raise self.no(f"more than {_MOST_REMARKS} remarks in one place")

    def closing(self, begun: int) -> int:
        """Where the bracket that opens at `begun` has been closed, -1 if nowhere; brackets in comments do not count."""
        depth = 0
        for found in _BRACKET.finditer(self.text, begun):
            depth += (found[0] == "(") - (found[0] == ")")
            if depth == 0:
                return found.end()
            if found[0] == "{":
                break
            if depth > _MOST_DEPTH:
                raise self.no("too many brackets within brackets", found.start())
        return -1

    def read_mark(self, number: int, at: int) -> None:
        if self.walk.part != TURNS:
            raise self.no(f"turn {number} cannot begin here: the set-up is not finished", at)
        if number != self.walk.turn:
            hint = f"; turn {self.walk.turn} has not ended" if number == self.walk.turn + 1 else ""
            raise self.no(f"turn {number} is written here, but this is turn {self.walk.turn}{hint}", at)

    def read_turn_of(self, color: str, at: int) -> None:
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
                self.add(NATURE, read_outcome(outcome, before, self.colors), at)
        except UnreadableAction as no:
            raise self.no(f"{self.walk.when}: {no}", at) from None

    def read_action(self, said: str, seat: int, at: int) -> None:
        code = _of_copies(said, self.colors)
        if code is None:
            code = read(said, self.colors, seat)
        if code == act.ROLL and self.walk.part == ROLLING:
            if seat != self.walk.seat:
                raise self.no(f"{self.colors[self.walk.seat]} rolls now, not {self.colors[seat]} (SETUP-06)", at)
            return  # what is rolled follows; rolling for the start is no decision
        self.add(NATURE if _is_outcome(code) else seat, code, at)

    def add(self, seat: int, code: int, at: int) -> None:
        """One more step, if the rules allow it."""
        if is_handed(code) and self.eyes is None:
            why = "only a copy tells what a Monopoly brought; here it follows from the hands"
            raise self.no(f"{self.walk.when}: ={nature_text(code, self.colors)}: {why}", at)
        if isinstance(self.walk, Guide):
            try:
                self.walk.play(seat, code)
            except BadRecord as no:
                raise self.no(no.message, at) from None
        else:
            self.walk.step(code)
        self.steps.append((seat, code))
