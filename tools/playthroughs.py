"""One game of each edition as readable text: what happened, and now and then everything there is to see.

    python -m tools.playthroughs             show what would change (exit 1 if anything would)
    python -m tools.playthroughs --write     write it

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
from hexholm.rules.setup.editions import EDITIONS

FOLDER = Path(__file__).parents[1] / "tests" / "playthroughs"
STEPS_BETWEEN = 80
STEPS = 320
PICK_SEED = 3
ENGLISH = Words("en")
HOUSE_RULES = {"summary": {"friendly_robber": True, "balanced_dice": True, "hand_limit": 6}, "threed": {"players": 3}}
EAGER = {"end": 6, "supply": 3, "withdraw": 2, "road": 6, "confirm": 30, "city": 90, "settlement": 90, "buy": 60}
"""How often a kind of action is chosen; 10 if not named here."""


def begin(edition: str) -> hexholm.Game:
    """The game of an edition."""
    options: dict[str, object] = {"points_to_win": 6, **HOUSE_RULES.get(edition, {})}
    return hexholm.Game(edition=edition, seed=2026, **options)  # type: ignore[arg-type]


def choose(game: hexholm.Game, pick: random.Random) -> hexholm.Action:
    """Something to do: mostly what is listed, now and then an offer or a counter-offer."""
    if game.phase == "main" and pick.random() < 0.12:
        for _ in range(6):
            give, want = pick.sample(hexholm.Cards.kinds, 2)
            color = pick.choice(game.to_act)
            other_colors = " ".join(each for each in game.colors if each != color)
            to = other_colors if color == game.active else game.active
            verb, tail = (f"counter #{pick.randint(1, 2)}", "") if pick.random() < 0.5 else ("offer", f" to {to}")
            action = hexholm.Action.of(f"{color} {verb} 1 {give} : 1 {want}{tail}")
            if game.why_not(action) is None:
                return action
    legal = [action for action in game.legal_actions if game.why_not(action) is None]
    return pick.choices(legal, [EAGER.get(action.kind, 10) for action in legal])[0]


def playthrough_lines(edition: str) -> Iterator[str]:
    """The playthrough, line by line."""
    game, pick = begin(edition), random.Random(f"playthrough {edition} {PICK_SEED}")
    shown_kinds: set[str] = set()
    yield f"# A game of the {game.options.edition_data.title}: random players, seed {game.seed}."
    yield "# Written by python -m tools.playthroughs --write; read the difference before you keep it."
    for name, value in game.options.as_dict().items():
        yield f"{name}: {value}"
    yield from game.options.house_rules()
    yield game.options.who_begins()
    yield from event_lines(game, game.events)
    for number in range(STEPS):
        if number % STEPS_BETWEEN == 0 or game.phase not in shown_kinds:
            shown_kinds.add(game.phase)
            yield from state_lines(game, number)
        if game.over:
            break
        action = choose(game, pick)
        past = game.play(action)
        yield f"{number:>3} {action.by}: {action}"
        yield from event_lines(game, past)
        if action.kind in ("offer", "counter") and action.kind not in shown_kinds:
            shown_kinds.add(action.kind)
            yield from state_lines(game, number)
        assert hexholm.Game.from_position(game.position()).position() == game.position()
    yield from state_lines(game, STEPS)
    yield ""
    yield from game.record().text().splitlines()


def event_lines(game: hexholm.Game, past: object) -> Iterator[str]:
    """What happened, for the referee; and for those who are told otherwise, that."""
    for event in past:  # type: ignore[attr-defined]
        yield f"      {ENGLISH.say(event, game.options)}"
        if event.hidden:
            for color in (*game.colors, None):
                face = event.seen_by(color)
                sentence = "-" if face is None else ENGLISH.say(face, game.options, to=color)
                yield f"        {color or 'public'}: {sentence}"


def state_lines(game: hexholm.Game, number: int) -> Iterator[str]:
    """The state drawn, the position, the legal actions of each seat, each seat's view."""
    yield f"{'-' * 32} {number}: {game.phase} {'-' * 32}"
    yield from str(game).splitlines()
    yield from wrap(f"position {game.position()}")
    for color in game.to_act:
        texts = game.legal_actions.of(color).texts
        yield from wrap(f"{color} may ({len(texts)}): {', '.join(texts)}")
    for view in map(game.view, (*game.colors, None)):
        yield f"[{view.seat or 'public'}] {view.prompt_text()}"
        yield from textwrap.indent(str(view), "  ").splitlines()


def wrap(text: str) -> list[str]:
    """A long line in several."""
    return textwrap.wrap(text, 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def text_of(edition: str) -> str:
    """The playthrough of an edition."""
    return "\n".join(line.rstrip() for line in playthrough_lines(edition)) + "\n"


def kept_text(edition: str) -> str:
    """What is kept of it."""
    file = FOLDER / f"{edition}.txt"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def main() -> int:
    """Show or write the differences."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.playthroughs", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--write", action="store_true", help="keep the new texts")
    arguments = parser.parse_args()
    changed = 0
    for edition in EDITIONS:
        old, new = kept_text(edition), text_of(edition)
        if old == new:
            continue
        changed += 1
        name = f"{edition}.txt"
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, f"new {name}"))
        if arguments.write:
            (FOLDER / name).write_text(new, encoding="utf-8")
    print(
        f"{changed} of {len(EDITIONS)} differ" + ("; written" if arguments.write and changed else ""), file=sys.stderr
    )
    return 1 if changed and not arguments.write else 0


if __name__ == "__main__":
    sys.exit(main())
