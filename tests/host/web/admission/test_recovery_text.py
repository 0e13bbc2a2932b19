"""The text that brings a guest to another device: long enough, read leniently, mistakes noticed."""

from __future__ import annotations

import random

import pytest

from hexholm.host.web.admission.recovery_text import (
    ALPHABET,
    RANDOM_CHARACTERS,
    new_secret,
    read_recovery_text,
    recovery_text,
)
from hexholm.host.wire.host_refusals import Declined


def test_it_has_128_random_bits_at_least_and_is_another_each_time() -> None:
    assert len(ALPHABET) == len(set(ALPHABET)) == 32
    assert RANDOM_CHARACTERS * 5 >= 128
    assert len({new_secret() for _ in range(200)}) == 200
    assert {len(new_secret()) for _ in range(20)} == {28}


def test_it_is_read_as_people_write_it() -> None:
    for _ in range(50):
        secret = new_secret()
        text = recovery_text(secret)
        looks_alike = text.translate(str.maketrans("01V", "OlU"))
        link = f"https://play.example.org/me#recover={text}"
        for written in (text, text.lower(), secret, text.replace("-", " "), f"  {text}\n", looks_alike, link):
            assert read_recovery_text(written) == secret


@pytest.mark.parametrize("text", ["", "7Q2M", "ÄÖÜ" * 10, "é" * 28, "0" * 27, "0" * 29, "#recover=", "-" * 28])
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(Declined, match="not a recovery text"):
        read_recovery_text(text)


def is_read(text: str) -> bool:
    try:
        return bool(read_recovery_text(text))
    except Declined:
        return False


def test_one_wrong_character_or_two_that_changed_places_are_noticed() -> None:
    rng, unnoticed, tries = random.Random(5), 0, 0
    for _ in range(100):
        secret = new_secret()
        place, other = rng.randrange(28), rng.choice(ALPHABET)
        swapped = secret[:5] + secret[6] + secret[5] + secret[7:]
        for wrong in (secret[:place] + other + secret[place + 1 :], swapped):
            if wrong == secret:
                continue
            tries += 1
            unnoticed += is_read(wrong)
    assert unnoticed <= tries / 50  # one in a thousand is not noticed, and recovers nobody
