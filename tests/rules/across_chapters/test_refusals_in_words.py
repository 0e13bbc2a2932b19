"""Refusals speak the words of the edition that is played, and say what one needs to know."""

from __future__ import annotations

import re

import pytest

import hexholm
from hexholm.rules.encoding.refusals import REFUSALS
from hexholm.rules.language.languages import word_catalogue
from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.house_rules import SPARED_BELOW
from tests.helpers.marks import all_editions, all_languages
from tests.languages import foreign_words_in

from ..scenes import scene
from ..turns import RICH, do, turn_of
from .test_refusals import CASES, Case, arrive


@pytest.mark.rule("NAME-01", "NAME-02", "NAME-04", "NAME-05", "NAME-05.e1", "EDN-03")
@pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(name, case, id=f"{name}: {case.act}") for case in CASES for name in case.editions],
)
def test_a_refusal_says_no_word_that_its_edition_does_not_use(name: str, case: Case) -> None:
    game = arrive(case, name)
    with pytest.raises(hexholm.IllegalAction) as error:
        do(game, case.act)
    assert error.value.reason.edition == name
    assert foreign_words_in(error.value.reason.text, name) == [], error.value.reason.text


@pytest.mark.rule("NAME-04", "NAME-05", "NAME-05.e1", "PORT-02")
def test_zip_speaks_of_tiles_and_ports_in_exceptions_and_in_why_not() -> None:
    game = hexholm.Game("zip", players=3, seed=3, setup="fixed", first=0)
    reason = game.why_not("buy")
    assert str(reason) == "before the roll, you can only play a development tile (PHASE-09)"
    with pytest.raises(hexholm.IllegalAction, match="play a development tile"):
        game.play("buy")
    with pytest.raises(hexholm.IllegalAction, match="development tile"):
        game.referee.play(0, "buy")
    table = scene("zip", hands={"black": "3 ore"}, turn="black")
    refused = table.why_not("black", "supply 3 ore : 1 wool")
    assert refused is not None
    assert refused.text == (
        f"for 3:1, you need a building at a {edition('zip').words['generic_harbor']} "
        "and 3 tiles of one kind for each one you take"
    )


@pytest.mark.rule("PHASE-12")
@all_editions
def test_the_clause_of_an_exception_and_the_sentence_of_a_page_are_one(edition: str) -> None:
    reason = turn_of(edition).why_not(1, "end")
    assert reason is not None
    assert reason.values == {"seat": reason.values["seat"]}
    assert reason.sentence() == f"{reason.text[:1].upper()}{reason.text[1:]}."
    assert reason.sentence("de").startswith(("Rot", "Blau", "Schwarz", "Grün", "Weiß", "Orange"))


@pytest.mark.rule("PHASE-12", "PHASE-09", "TRADE-01")
@pytest.mark.parametrize("phase", ["roll", "main"])
def test_whose_turn_it_is_not_is_told_that_trade_begins_with_the_roll(phase: str) -> None:
    reason = turn_of("fifth", RICH, RICH, phase=phase).why_not(1, "end")
    assert reason is not None
    assert "after the roll" in reason.text


@pytest.mark.rule("DEV-21", "DEV-21.e1")
@all_editions
def test_a_short_supply_says_what_it_has(edition: str) -> None:
    game = turn_of(
        edition,
        dev={"red": "1 year-of-plenty"} if edition != "zip" else {"black": "1 year-of-plenty"},
        bank="1 ore 3 wool",
    )
    seat = game.state.active
    reason = game.why_not(seat, "year-of-plenty ore ore")
    assert reason is not None
    assert (reason.name, reason.values) == ("plenty_not_there", {"supply": {"wool": 3, "ore": 1}})
    assert "3 wool and 1 ore" in reason.text


@pytest.mark.rule("DEV-25")
@pytest.mark.parametrize("text", ["victory-point", "victory point", "Victory Point"])
def test_a_victory_point_is_told_that_it_is_never_played(text: str) -> None:
    with pytest.raises(hexholm.UnreadableAction, match=r"never played.*DEV-25"):
        hexholm.Game(seed=1).play(text)


@pytest.mark.rule("EDN-02")
@all_languages
def test_the_spared_opponents_have_the_points_of_the_house_rule(language: str) -> None:
    assert f" {SPARED_BELOW} " in word_catalogue(language)["refusal"]["spared_hex"]


@pytest.mark.rule("EDN-03")
def test_every_refusal_has_its_words_in_every_edition() -> None:
    for name in EDITIONS:
        for refusal in REFUSALS[1:]:
            reason = hexholm.Reason(
                refusal.name,
                refusal.rule,
                {"seat": "red", "phase": "robber", "price": {"ore": 1}, "supply": {}, "number": 2, "offer": 1},
                name,
            )
            assert re.fullmatch(r"[a-z][^{}]*[^.]", reason.text), reason.text
