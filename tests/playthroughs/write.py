"""One game of each edition as readable text: what happened, and now and then everything there is to see.

    python -m tests.playthroughs.write             show what would change (exit 1 if anything would)
    python -m tests.playthroughs.write --write     write it

Every step is told in words. The first time a phase comes, after the first offers, and every eightieth step, the text
shows the state drawn, the position as a line, the legal actions of each seat that may act, and what each seat and the
public see. A change of the rules, of a view, of a spelling or of a word shows up here as a difference for a person to
read.
"""

from __future__ import annotations

import argparse
import difflib
import random
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import hexholm
from hexholm.game.language.words import Words
from hexholm.rules.editions import EDITIONS

FOLDER = Path(__file__).parent
EVERY = 80
STEPS = 320
LUCK = 3
ENGLISH = Words("en")
HOUSE_RULES = {"summary": {"friendly_robber": True, "balanced_dice": True, "hand_limit": 6}, "threed": {"players": 3}}
EAGER = {"end": 6, "supply": 3, "withdraw": 2, "road": 6, "confirm": 30, "city": 90, "settlement": 90, "buy": 60}
"""How often a kind of action is chosen; 10 if not named here."""


def begin(edition: str) -> hexholm.Game:
    """The game of an edition."""
    chosen: dict[str, object] = {"points_to_win": 6, **HOUSE_RULES.get(edition, {})}
    return hexholm.Game(edition=edition, seed=2026, **chosen)  # type: ignore[arg-type]


def choose(game: hexholm.Game, pick: random.Random) -> hexholm.Action:
    """Something to do: mostly what is listed, now and then an offer or a counter-offer."""
    if game.phase == "main" and pick.random() < 0.12:
        for _ in range(6):
            give, want = pick.sample(hexholm.Cards.kinds, 2)
            seat = pick.choice(game.to_act)
            others = " ".join(color for color in game.colors if color != seat)
            to = others if seat == game.active else game.active
            verb, tail = (f"counter #{pick.randint(1, 2)}", "") if pick.random() < 0.5 else ("offer", f" to {to}")
            action = hexholm.Action.of(f"{seat} {verb} 1 {give} : 1 {want}{tail}")
            if game.why_not(action) is None:
                return action
    legal = [action for action in game.legal_actions if game.why_not(action) is None]
    return pick.choices(legal, [EAGER.get(action.kind, 10) for action in legal])[0]


def lines(edition: str) -> Iterator[str]:
    """The playthrough, line by line."""
    game, pick = begin(edition), random.Random(f"playthrough {edition} {LUCK}")
    seen: set[str] = set()
    yield f"# A game of the {game.options.edition_data.title}: random players, seed {game.seed}."
    yield "# Written by python -m tests.playthroughs.write --write; read the difference before you keep it."
    for name, value in game.options.as_dict().items():
        yield f"{name}: {value}"
    yield from game.options.house_rules()
    yield game.options.who_begins()
    yield from told(game, game.events)
    for number in range(STEPS):
        if number % EVERY == 0 or game.phase not in seen:
            seen.add(game.phase)
            yield from everything(game, number)
        if game.over:
            break
        action = choose(game, pick)
        past = game.play(action)
        yield f"{number:>3} {action.by}: {action}"
        yield from told(game, past)
        if action.kind in ("offer", "counter") and action.kind not in seen:
            seen.add(action.kind)
            yield from everything(game, number)
        assert hexholm.Game.from_position(game.position()).position() == game.position()
    yield from everything(game, STEPS)
    yield ""
    yield from game.record().text().splitlines()


def told(game: hexholm.Game, past: object) -> Iterator[str]:
    """What happened, for the referee; and for those who are told otherwise, that."""
    for event in past:  # type: ignore[attr-defined]
        yield f"      {ENGLISH.say(event, game.options)}"
        if event.hidden:
            for seat in (*game.colors, None):
                face = event.seen_by(seat)
                heard = "-" if face is None else ENGLISH.say(face, game.options, to=seat)
                yield f"        {seat or 'public'}: {heard}"


def everything(game: hexholm.Game, number: int) -> Iterator[str]:
    """The state drawn, the position, the legal actions of each seat, each seat's view."""
    yield f"{'-' * 32} {number}: {game.phase} {'-' * 32}"
    yield from str(game).splitlines()
    yield from wrapped(f"position {game.position()}")
    for seat in game.to_act:
        texts = game.legal_actions.of(seat).texts
        yield from wrapped(f"{seat} may ({len(texts)}): {', '.join(texts)}")
    for view in map(game.view, (*game.colors, None)):
        yield f"[{view.seat or 'public'}] {view.prompt()}"
        yield from textwrap.indent(str(view), "  ").splitlines()


def wrapped(text: str) -> list[str]:
    """A long line in several."""
    return textwrap.wrap(text, 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def text_of(edition: str) -> str:
    """The playthrough of an edition."""
    return "\n".join(line.rstrip() for line in lines(edition)) + "\n"


def kept(edition: str) -> str:
    """What is kept of it."""
    file = FOLDER / f"{edition}.txt"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def main() -> int:
    """Show or write the differences."""
    parser = argparse.ArgumentParser(description="Golden playthroughs.")
    parser.add_argument("--write", action="store_true", help="keep the new texts")
    asked = parser.parse_args()
    changed = 0
    for edition in EDITIONS:
        old, new = kept(edition), text_of(edition)
        if old == new:
            continue
        changed += 1
        name = f"{edition}.txt"
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, f"new {name}"))
        if asked.write:
            (FOLDER / name).write_text(new, encoding="utf-8")
    print(f"{changed} of {len(EDITIONS)} differ" + ("; written" if asked.write and changed else ""), file=sys.stderr)
    return 1 if changed and not asked.write else 0


if __name__ == "__main__":
    sys.exit(main())
