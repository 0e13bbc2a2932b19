"""The catalogues of all languages: whole, alike, and fit to be said in every edition."""

from __future__ import annotations

import itertools
import re
from dataclasses import fields
from typing import Any, get_args

import pytest

from hexholm.game.cards import Cards
from hexholm.game.events import (
    EVENTS,
    AwardMoved,
    Built,
    Event,
    GameBegan,
    OfferMade,
    Produced,
    Prompt,
    RollForStart,
    Stole,
    Stopped,
    SupplyTraded,
    Won,
)
from hexholm.game.events.prompts import Ask
from hexholm.game.language.words import Words
from hexholm.host.wire.host_refusals import HOST_REFUSALS
from hexholm.rules.encoding.phases import PHASES
from hexholm.rules.encoding.refusals import REFUSALS
from hexholm.rules.language.languages import LANGUAGES, word_catalogue
from hexholm.rules.language.sentences import WORD_SLOT
from hexholm.rules.setup.editions import EDITIONS
from hexholm.rules.setup.editions import edition as edition_data
from hexholm.rules.setup.options import check_options
from tests.helpers.marks import all_editions, all_languages
from tests.languages import LOOKED_FOR

from ..event_samples import MORE, SAMPLES
from ..prompt_samples import PROMPTS, refusals

ALL = {language: Words(language) for language in LANGUAGES}
ENGLISH, GERMAN = word_catalogue("en"), word_catalogue("de")
COLORS = {language: tuple(LOOKED_FOR[language]["colors"]) for language in LANGUAGES}
not_english = pytest.mark.parametrize("language", LANGUAGES[1:])


def slots(text: str) -> list[tuple[str, str]]:
    return WORD_SLOT.findall(text)


def texts(form: dict[str, Any]) -> list[str]:
    each = (*form.get("each", {}).values(), *form.get("you_each", {}).values())
    return [form["text"], *([form["you"]] if "you" in form else []), *each]


def terms(language: str, edition_name: str) -> set[str]:
    """The words that a message may use."""
    own = word_catalogue(language)["terms"]
    return {"title", *edition_data(edition_name).words, *own["every"], *own.get(edition_name, {})}


# --- whole -----------------------------------------------------------------------------------------------------------


@all_languages
def test_every_event_and_every_prompt_has_words_and_all_words_belong_to_one(language: str) -> None:
    assert list(word_catalogue(language)["event"]) == list(EVENTS)
    assert list(word_catalogue(language)["prompt"]) == list(get_args(Ask))


@all_languages
def test_every_refusal_of_the_rules_has_words(language: str) -> None:
    due = [refusal.name for refusal in REFUSALS[1:]]
    due.insert(due.index("game_over") + 1, "game_stopped")  # of a game that was stopped, beside the rules
    assert list(word_catalogue(language)["refusal"]) == due


@all_languages
def test_every_phase_has_words_for_a_refusal(language: str) -> None:
    assert list(word_catalogue(language)["as"]["phase"]) == [phase.name for phase in PHASES]


@not_english
def test_every_refusal_of_the_host_has_words(language: str) -> None:
    """In English the host says them itself. The same things are named; a detail in English may be left out."""
    catalogue = word_catalogue(language)
    assert catalogue["host"].keys() == HOST_REFUSALS.keys()
    assert not HOST_REFUSALS.keys() & catalogue["refusal"].keys()
    for name, text in HOST_REFUSALS.items():
        named, filled = set(re.findall(r"\{(\w+)\}", text.text)), {slot for slot, _ in slots(catalogue["host"][name])}
        assert named - {"detail"} <= filled <= named, name


@not_english
def test_all_catalogues_have_the_same_keys(language: str) -> None:
    """Other languages than English have more terms, and perhaps cases."""
    catalogue = word_catalogue(language)
    assert catalogue.keys() == {*ENGLISH, "host"}
    for table in ("list", "cards", "nouns", "values", "refusal"):
        assert list(catalogue[table]) == list(ENGLISH[table]), table
    assert catalogue["as"].keys() >= ENGLISH["as"].keys()
    for sort in ("event", "prompt"):
        for name, forms in ENGLISH[sort].items():
            own = catalogue[sort][name]
            assert [form.get("when") for form in own] == [form.get("when") for form in forms], name
            assert [form.get("subject") for form in own] == [form.get("subject") for form in forms], name
            assert ["you" in form for form in own] == ["you" in form for form in forms], name


@not_english
@all_editions
def test_a_language_has_every_word_of_every_edition(edition: str, language: str) -> None:
    own = {**word_catalogue(language)["terms"]["every"], **word_catalogue(language)["terms"][edition]}
    assert own.keys() >= {"title", *edition_data(edition).words}


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_german_leaves_no_word_of_an_edition_in_english(edition_name: str) -> None:
    own = {**GERMAN["terms"]["every"], **GERMAN["terms"][edition_name]}
    assert not [name for name, word in edition_data(edition_name).words.items() if own[name] == word]


# --- well made -------------------------------------------------------------------------------------------------------


@all_languages
@pytest.mark.parametrize("sort", ["event", "prompt"])
def test_a_message_names_only_what_it_has(sort: str, language: str) -> None:
    """Slots, conditions, nouns and words: all exist, in every edition."""
    words = word_catalogue(language)
    ways = {"", "text", *words["nouns"], *words["list"], *words["as"]}
    for name, forms in words[sort].items():
        own = {field.name for field in fields(EVENTS[name] if sort == "event" else Prompt)}  # type: ignore[arg-type]
        for form in forms:
            assert set(form) <= {"when", "subject", "text", "you", "each", "you_each"}
            assert {*form.get("when", {}), form.get("subject", "player")} <= own | {"player"}
            assert {*form.get("each", {}), *form.get("you_each", {})} <= own
            for slot, how in (slot_parts for text in texts(form) for slot_parts in slots(text)):
                assert how in ways, (name, how)
                assert slot in own | {"who", "it"} or all(
                    slot in terms(language, edition_name) for edition_name in EDITIONS
                ), name


@all_languages
def test_a_refusal_names_only_its_parameter(language: str) -> None:
    words = word_catalogue(language)
    for refusal in REFUSALS[1:]:
        refusal_slots = slots(words["refusal"][refusal.name])
        assert {how for _, how in refusal_slots} <= {"", *words["nouns"], "phase"}
        named = {
            slot
            for slot, _ in refusal_slots
            if any(slot not in terms(language, edition_name) for edition_name in EDITIONS)
        }
        assert named == ({refusal.parameter} if refusal.parameter else set()), refusal.name


@all_languages
def test_the_last_form_of_a_message_fits_all_that_is_left(language: str) -> None:
    words = word_catalogue(language)
    for name, forms in {**words["event"], **words["prompt"]}.items():
        if name not in ("offer_closed", "stopped"):
            assert "when" not in forms[-1], name


@all_languages
def test_whoever_does_it_is_called_you(language: str) -> None:
    for name, forms in word_catalogue(language)["event"].items():
        for form in forms:
            subject = form.get("subject", "player")
            if f"{{{subject}}}" in form["text"]:
                assert f"{{{subject}}}" not in form["you"], name
                assert re.search(LOOKED_FOR[language]["you"], form["you"]), name
            assert ("you" in form) == (f"{{{subject}}}" in form["text"]), name
            assert form.get("each", {}).keys() >= form.get("you_each", {}).keys()


# --- said ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NAME-01", "NAME-02", "NAME-03", "NAME-05", "NAME-09", "NAME-16", "NAME-18")
@all_languages
@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: event.name)
def test_every_event_is_a_sentence_for_every_reader_in_every_edition(event: Event, language: str) -> None:
    readers = zip((None, "red", "blue", "white"), (None, *COLORS[language]), strict=True)
    for edition_name, (to, called) in itertools.product(EDITIONS, readers):
        options, face = check_options(edition=edition_name), event.seen_by(to)
        if face is None:
            continue
        text = ALL[language].say(face, options, to)
        well_said(text, called)
        if language != "en":
            english_words = r"\b(red|blue|white|card|road|wool|ore|brick|you|the|supply|bank)\b"
            assert not re.search(english_words, text), text
        elif edition_name in ("zip", "sixth"):
            assert not re.search(r"lumber|grain|Year of Plenty|Longest Road|bank|\bbuys?\b", text), text
        else:
            assert not re.search(r"wood|wheat|Invention|Longest Route|tile(?! for)", text), text


@all_languages
@all_editions
def test_every_form_of_every_prompt_is_a_sentence(edition: str, language: str) -> None:
    for prompt in PROMPTS:
        text = ALL[language].ask(prompt, check_options(edition=edition))
        well_said(text, None if prompt.to is None else COLORS[language][0])


@all_languages
@all_editions
def test_every_refusal_is_a_sentence(edition: str, language: str) -> None:
    for name, values in refusals():
        well_said(ALL[language].refuse(name, values, check_options(edition=edition), "red"), COLORS[language][0])


def well_said(text: str, reader: str | None) -> None:
    """A sentence, without a hole in it, that calls its reader "you"."""
    assert re.fullmatch(r"[^\Wa-zà-ÿ_][^{}]*\.", text), text
    assert "  " not in text
    if reader is not None:
        assert not re.search(rf"\b{reader}\b", text, re.IGNORECASE), f"{reader} is told: {text}"


def test_the_cases_reach_every_form_of_every_message() -> None:
    """So the browser's words are compared with these in all of them."""
    used = [form for case in [*SAMPLES, *MORE] for form in fitting("event", case.name, case)]
    used += [form for prompt in PROMPTS for form in fitting("prompt", prompt.ask, prompt)]
    every = [form for sort in ("event", "prompt") for forms in ENGLISH[sort].values() for form in forms]
    assert [form["text"] for form in every if form not in used] == []


def fitting(sort: str, name: str, message: Any) -> list[Any]:
    def fits(form: dict[str, Any]) -> bool:
        conditions = form.get("when", {}).items()
        return all(
            bool(getattr(message, key)) is value if isinstance(value, bool) else getattr(message, key) == value
            for key, value in conditions
        )

    return [next(form for form in ENGLISH[sort][name] if fits(form))]


@all_languages
def test_all_words_of_a_sample_differ_from_each_other(language: str) -> None:
    sentences = [ALL[language].say(event, check_options(edition="fifth")) for event in SAMPLES]
    assert len(set(sentences)) == len(sentences)


def test_what_somebody_wrote_is_said_as_it_is() -> None:
    for note in ("red", "end", "{item}", "{nonsense}"):
        text = ALL["en"].say(Stopped("agreed", note), check_options(), "red")
        assert text == f"The game was ended by agreement: {note}."


def test_a_refusal_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match="no words for a refusal 'because' in Deutsch"):
        ALL["de"].refuse("because", {}, check_options())


# --- German ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event, edition_name, to, text",
    [
        (GameBegan("zip", "fixed", ("red", "blue"), "C3"), "zip", "blue",
         "Zip!-Ausgabe (2026). Am Tisch: Rot und du. Der Räuber steht auf C3."),
        (RollForStart(("red", "blue"), again=False), "fifth", "red", "Um den Start würfeln: du und Blau."),
        (Stole("red", "blue", "grain"), "fifth", None, "Rot stiehlt Blau 1 Getreide."),
        (Stole("red", "blue", "grain"), "sixth", "red", "Du stiehlst Blau 1 Weizen."),
        (Stole("red", "blue", None), "zip", "blue", "Rot stiehlt dir ein Plättchen."),
        (Built("red", "road", "C3/ne", Cards()), "zip", "red", "Du zeichnest eine Straße auf C3/ne."),
        (Built("red", "city", "B2se", Cards("3 ore 2 grain")), "fifth", None, "Rot baut eine Stadt auf B2se."),
        (Produced({"red": Cards("1 wool"), "blue": Cards("2 ore 1 brick")}, {}), "fifth", "blue",
         "Rot bekommt 1 Wolle; du bekommst 1 Lehm und 2 Erz."),
        (SupplyTraded("red", Cards("4 wool"), Cards("1 ore"), 4), "summary", None,
         "Rot tauscht 4 Wolle gegen 1 Erz mit der Bank (4:1)."),
        (SupplyTraded("red", Cards("4 wool"), Cards("1 ore"), 4), "fifth", None,
         "Rot tauscht 4 Wolle gegen 1 Erz mit dem Vorrat (4:1)."),
        (OfferMade(3, "white", Cards("2 ore"), Cards("1 wool"), ("red", "blue"), None), "fifth", "red",
         "Angebot 3: Weiß bietet dir und Blau 2 Erz für 1 Wolle."),
        (AwardMoved("largest-army", "red", "blue", 4), "fifth", "blue",
         "Rot nimmt dir die Größte Rittermacht mit 4 Rittern ab."),
        (Won("red", 10, {"red": 10, "blue": 8}, {"red": 1}), "zip", None,
         "Rot gewinnt mit 10 Punkten. Der Stand: Rot 10 und Blau 8. Siegpunktplättchen: Rot 1."),
    ],
)  # fmt: skip
def test_german_has_cases_and_gender(event: Event, edition_name: str, to: str | None, text: str) -> None:
    assert ALL["de"].say(event, check_options(edition=edition_name), to) == text


@pytest.mark.parametrize(
    "name, values, edition_name, english, german",
    [
        ("cannot_pay", {"price": {"grain": 2, "ore": 3}}, "sixth",
         "You cannot pay for that: it costs 2 wheat and 3 ore.",
         "Das kannst du nicht bezahlen: Es kostet 2 Weizen und 3 Erz."),
        ("wrong_discard", {"number": 4}, "zip",
         "Discard exactly 4 tiles that you hold.", "Lege genau 4 Plättchen von denen ab, die du hast."),
        ("pending", {"phase": "free road"}, "zip",
         "This comes first: draw a free road.", "Zuerst: eine kostenlose Straße zeichnen."),
        ("not_your_turn", {"seat": "blue"}, "fifth",
         ("It is blue's turn. On another player's turn, "
          "you may only propose and answer trades after the roll, and discard on a 7."),
         ("Blau ist am Zug: Nach dem Wurf kannst du nur Angebote machen oder beantworten "
          "und bei einer 7 Karten ablegen.")),
        ("path_unconnected", {}, "sixth",
         "None of your roads, settlements, or cities touches this edge.",
         "Keine deiner Straßen, Siedlungen oder Städte berührt diese Kante."),
        ("no_such_offer", {"offer": 2}, "fifth", "Offer 2 is not open.", "Angebot 2 ist nicht offen."),
    ],
)  # fmt: skip
def test_refusals_speak_the_words_of_the_edition(
    name: str, values: dict[str, Any], edition_name: str, english: str, german: str
) -> None:
    sentences = [
        ALL[language].refuse(name, values, check_options(edition=edition_name), "red") for language in ("en", "de")
    ]
    assert sentences == [english, german]


def test_the_host_speaks_german_of_people_and_bots_by_their_own_names() -> None:
    german, fifth = ALL["de"], check_options(edition="fifth")
    assert german.refuse("seats_free", {"seats": ["red", "blue"]}, fifth) == (
        "Noch frei: Rot und Blau. Setz einen Bot dorthin oder warte."
    )
    assert german.refuse("seat_taken", {"name": "red"}, fifth, "red") == "Dort sitzt schon red."
    assert german.refuse("no_such_player", {"player": "{x}", "players": ("easy", "end")}, fifth) == (
        "Einen Bot „{x}“ gibt es nicht; es gibt easy und end."
    )
