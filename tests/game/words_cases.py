"""Sentences that every client must say alike: written once here, read by the tests of Python and of the browser.

    python -m tests.game.words_cases             say whether the files are up to date (exit 1 if not)
    python -m tests.game.words_cases --write     write them

`data/words_cases.json` has one case on each line: an `event`, a `prompt` or a `refusal` as data, the `edition`, the
color it is said `to`, and the sentence in every language. Every event, every form of a prompt and every refusal is in
it. What the editions call things in English is written for the browser, too: it cannot read the rules' own data.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hexholm.game.cards import Cards
from hexholm.game.events import Event, Prompt, RobberMoved, Stopped
from hexholm.game.language.languages import LANGUAGES
from hexholm.game.language.words import Words
from hexholm.rules.editions import EDITIONS, edition
from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.refusals import REFUSALS
from hexholm.rules.options import check_options

from .event_samples import SAMPLES

CASES = Path(__file__).parent / "data" / "words_cases.json"
VOCABULARY = Path(__file__).parents[2] / "web" / "src" / "generated" / "vocabulary.json"
READERS = (None, "red", "blue")

MORE: tuple[Event, ...] = (
    RobberMoved("blue", "E3", "A1", ("red",)),
    Stopped("agreed", "red {item} end"),
    Stopped("abandoned", ""),
    Stopped("capped", "red"),
)
"""Beside the samples: what somebody wrote is said as it is."""

ONE_WOOL, TWO_ORE = Cards("1 wool"), Cards("2 ore 1 grain")
PROMPTS: tuple[Prompt, ...] = (
    Prompt("settlement", "red", number=1, active=True),
    Prompt("settlement", "red", number=2, active=True),
    Prompt("road", "red", active=True),
    Prompt("roll", "red", active=True),
    Prompt("roll", "red", cards=("knight",), active=True),
    Prompt("roll", "red", cards=("knight", "road-building", "year-of-plenty", "monopoly"), active=True),
    Prompt("discard", "red", number=4),
    Prompt("discard", "red", number=1, begun=True),
    Prompt("robber", "red", active=True),
    Prompt("victim", "red", players=("blue", "white"), active=True),
    Prompt("free_road", "red", number=2, active=True),
    Prompt("free_road", "red", number=1, optional=True, active=True),
    Prompt("main", "red", parts=("end",), active=True),
    Prompt("main", "red", parts=("trade", "build", "play", "end"), active=True),
    Prompt("main", "red", parts=("buy", "end"), active=True),
    Prompt("offer", "red", "blue", number=1, give=ONE_WOOL, want=TWO_ORE),
    Prompt("offer", "red", "blue", number=1, give=ONE_WOOL, want=TWO_ORE, active=True),
    Prompt("offer", "red", "blue", number=1, give=ONE_WOOL, want=TWO_ORE, able=True),
    Prompt("offer", "red", "blue", number=1, give=ONE_WOOL, want=TWO_ORE, able=True, active=True),
    Prompt("offers", "red", number=2),
    Prompt("offers", "red", number=3, active=True),
    Prompt("confirm", "red", players=("blue", "white"), number=1, active=True),
    Prompt("wait", "red", players=("blue",)),
    Prompt("wait", None, players=("red", "blue", "white")),
    Prompt("start_roll", "red", "red"),
    Prompt("start_roll", "red", "blue"),
    Prompt("dice", None, "blue"),
    Prompt("dice", "red", "red"),
    Prompt("theft", "red", "blue", ("red",)),
    Prompt("theft", "red", "red", ("blue",)),
    Prompt("draw", "red", "red"),
    Prompt("draw", "red", "blue"),
    Prompt("over", "red", "red"),
    Prompt("over", None, "red"),
    Prompt("stopped", None),
)


def refusals() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every refusal of the rules, with the values it can have; a phase with every phase."""
    for refusal in REFUSALS[1:]:
        match refusal.parameter:
            case "":
                yield refusal.name, {}
            case "seat":
                yield refusal.name, {"seat": "blue"}
            case "phase" if refusal.name == "pending":
                yield from ((refusal.name, {"phase": phase.name}) for phase in PHASES)
            case "phase":
                yield refusal.name, {"phase": "settlement"}
            case "price":
                yield refusal.name, {"price": {"brick": 1, "lumber": 1}}
                yield refusal.name, {"price": {"grain": 2, "ore": 3}}
            case parameter:
                yield refusal.name, {parameter: 4}
    yield "wrong_discard", {"number": 1}
    yield "game_stopped", {}


def cases() -> Iterator[dict[str, Any]]:
    """All cases, over all editions in turn."""
    languages = {language: Words(language) for language in LANGUAGES}
    count = 0

    def next_edition() -> str:
        nonlocal count
        count += 1
        return EDITIONS[count % len(EDITIONS)]

    for event in (*SAMPLES, *MORE):
        for to in READERS:
            if (face := event.seen_by(to)) is not None:
                edition = next_edition()
                sentences = {
                    name: words.say(face, check_options(edition=edition), to) for name, words in languages.items()
                }
                yield {"event": face.as_dict(), "edition": edition, "to": to, **sentences}
    for prompt in PROMPTS:
        edition = next_edition()
        sentences = {name: words.ask(prompt, check_options(edition=edition)) for name, words in languages.items()}
        yield {"prompt": prompt.as_dict(), "edition": edition, **sentences}
    for refusal, values in refusals():
        edition = next_edition()
        sentences = {
            n: words.refuse(refusal, values, check_options(edition=edition), "red") for n, words in languages.items()
        }
        yield {"refusal": refusal, "values": values, "edition": edition, "to": "red", **sentences}


def files() -> dict[Path, str]:
    """What the files should hold."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases())
    vocabulary = {name: {"title": edition(name).title, **edition(name).words} for name in EDITIONS}
    return {
        CASES: f"[\n{lines}\n]\n",
        VOCABULARY: json.dumps(vocabulary, ensure_ascii=False, indent=1) + "\n",
    }


def main() -> int:
    """The command."""
    stale = [path for path, text in files().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{path.name} is out of date")
        if "--write" in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files()[path], encoding="utf-8")
    return int(bool(stale) and "--write" not in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
