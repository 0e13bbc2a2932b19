"""Sentences that every client must say alike: written once, read by the tests of Python and of the browser.

One case on each line: an `event`, a `prompt` or a `refusal` as data, the `edition`, the color it is said `to`, and the
sentence in every language. Every event, every form of a prompt and every refusal is in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hexholm.game.language.words import Words
from hexholm.rules.language.languages import LANGUAGES
from hexholm.rules.setup.editions import EDITIONS
from hexholm.rules.setup.options import check_options
from tests.game.event_samples import MORE, SAMPLES
from tests.game.prompt_samples import PROMPTS, refusals

READERS = (None, "red", "blue")


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


def cases_text() -> str:
    """All cases as they are kept."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases())
    return f"[\n{lines}\n]\n"
