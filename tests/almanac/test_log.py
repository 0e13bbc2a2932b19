"""The log of a game: every word of the game in it leads to the right entry, in every edition and language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

import hexholm
from hexholm.almanac.blocks import Span
from hexholm.game import events as e
from hexholm.game.language.words import Words
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES
from hexholm.rules.setup.options import check_options
from tests.game.event_samples import SAMPLES
from tests.helpers.marks import all_editions
from tests.helpers.random_play import play_randomly
from tests.languages import LOOKED_FOR

from .almanacs import EDITIONS_AND_LANGUAGES, almanac_of

SEVENS = (
    e.StartRolled("red", (3, 4), 7),
    e.Rolled("red", (3, 4), 7),
    e.TurnBegan("red", 7),
    e.AwardMoved("longest-road", "red", None, 7),
    e.OfferAnswered(7, "blue", True),
    e.Won("red", 10, {"red": 10, "blue": 7, "white": 7}, {}),
)
"""Only one of them is the roll that brings the robber."""

ABOUT = {
    "game_began": {"editions", "robber"},
    "roll_for_start": {"set-up-phase"},
    "start_rolled": {"set-up-phase"},
    "starter_chosen": {"set-up-phase"},
    "placement_turn": {"set-up-phase", "settlements", "roads"},
    "start_cards": {"set-up-phase", "resource-cards"},
    "turn_began": {"game-play"},
    "rolled": set(),  # by what is rolled, see below
    "dice_bag_filled": {"house-rules"},
    "produced": {"resource-production"},
    "supply_short": {"resource-production", "resource-cards", "supply"},
    "turn_ended": {"game-play"},
    "must_discard": {"rolling-a-7", "resource-cards"},
    "chose_discard": {"rolling-a-7", "resource-cards"},
    "discarded": {"rolling-a-7", "resource-cards"},
    "robber_moved": {"robber"},
    "victim_chosen": {"robber"},
    "found_nothing": {"robber", "resource-cards"},
    "stole": {"robber", "resource-cards"},
    "built": set(),  # by the piece
    "bought": {"build", "development-cards"},
    "drew": set(),  # by the card, where it is known
    "played_card": set(),  # by the card
    "free_roads": {"road-building"},
    "waived": {"road-building"},
    "no_place_for_road": {"road-building"},
    "took_from_supply": {"year-of-plenty", "resource-cards", "supply"},
    "monopolised": {"monopoly", "resource-cards"},
    "limit_tile": {"map-pad"},
    "award_moved": set(),  # by the award
    "supply_traded": {"maritime-trade", "resource-cards", "supply"},
    "offer_made": {"domestic-trade", "resource-cards"},
    "offer_answered": {"domestic-trade"},
    "offer_withdrawn": {"domestic-trade"},
    "traded": {"domestic-trade", "resource-cards"},
    "trading_ended": {"build", "trade", "game-play"},
    "offer_closed": {"domestic-trade"},
    "won": {"ending-the-game", "victory-points"},
    "stopped": {"ending-the-game"},
}
"""Where a line of each kind must lead."""
OF_CARD = {
    "knight": "knight-cards",
    "victory-point": "victory-point-cards",
    **{name: name for name in ("road-building", "year-of-plenty", "monopoly")},
}
OF_PIECE = {"road": "roads", "settlement": "settlements", "city": "cities"}
MAY = {
    "starter_chosen": {"starting-set-up"},  # the oldest begins, on the board for a first game
    "produced": {"resource-cards"},  # if anybody gets any
    "built": {"build"},  # if it is paid for
    "limit_tile": {"settlements", "cities"},
    "award_moved": {"roads", "knight-cards"},
    "supply_traded": {"harbors"},  # by the rate
    "offer_closed": {"game-play", "trade", "ending-the-game"},  # by the reason
    "won": {"victory-point-cards"},
}
"""Where it leads too, in some of its forms."""

WRITTEN = "dinner"
"""What people write is not explained in a book, nor are players, nor places, which the board shows."""
PLACE = re.compile(r"\b[A-E]\d[\w/]*")


@cache
def game_events(edition: str) -> tuple[e.Event, ...]:
    """What happens in a game of random players, the one who begins being rolled for; the end of it may be missing."""
    game = hexholm.Game(edition=edition, seed=5, first="roll", balanced_dice=True)
    return tuple(play_randomly(game, 600, seed=1).events)


def log_lines(edition: str, language: str) -> Iterator[tuple[e.Event, str, tuple[Span, ...]]]:
    """What the log says to somebody: of a game, of every event in all its forms, and of some with a 7."""
    words, options = Words(language), check_options(edition=edition)
    draws = (e.Drew("red", card) for card in CARD_KINDS)
    for event in (*game_events(edition), *SAMPLES, *SEVENS, *draws):
        if event.name == "limit_tile" and edition != "zip":
            continue  # no other edition has them
        for to in (None, "red", "blue"):
            if (face := event.seen_by(to)) is not None:
                line = words.say(face, options, to)
                yield face, line, almanac_of(edition, language).link_line(line, face.name)


def entries_due(event: e.Event) -> set[str]:
    """The entries a line of the event must lead to."""
    entries = set(ABOUT[event.name])
    match event:
        case e.Rolled():
            entries.add("rolling-a-7" if event.total == 7 else "resource-production")
        case e.Built():
            entries.add(OF_PIECE[event.piece])
        case e.Drew():
            entries.add("development-cards" if event.card is None else OF_CARD[event.card])
        case e.PlayedCard():
            entries.add(OF_CARD[event.card])
        case e.AwardMoved():
            entries.add(event.award)
    return entries


@pytest.mark.rule("ALM-02")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_every_line_of_a_log_leads_to_what_it_tells_of_and_nowhere_else(edition: str, language: str) -> None:
    kinds = set()
    for event, line, spans in log_lines(edition, language):
        links = {span.to for span in spans if span.to}
        assert "".join(span.text for span in spans) == line
        assert links >= entries_due(event), line
        assert links <= entries_due(event) | MAY.get(event.name, set()), line
        kinds.add(event.name)
    assert kinds == set(ABOUT) - (set() if edition == "zip" else {"limit_tile"})


@pytest.mark.rule("ALM-02")
@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_every_word_of_the_game_in_a_log_is_linked(edition: str, language: str) -> None:
    plain = {*LOOKED_FOR[language]["log_words"].split(), *LOOKED_FOR[language]["log_players"].split(), WRITTEN}
    resources = {almanac_of(edition, language).vocabulary.word(kind) for kind in RESOURCES}
    seen = set()
    for _, line, spans in log_lines(edition, language):
        linked = {span.text.lower() for span in spans if span.to}
        seen |= linked
        for span in spans:
            if span.to is None:
                unlinked = re.findall(r"[^\W\d]+", PLACE.sub("", span.text).lower())
                assert set(unlinked) <= plain | linked, line
    assert {word.lower() for word in resources} <= seen


@pytest.mark.parametrize("edition, language", EDITIONS_AND_LANGUAGES)
def test_only_the_sum_of_a_roll_in_a_turn_leads_to_what_a_7_does(edition: str, language: str) -> None:
    for event, line, spans in log_lines(edition, language):
        sevens = [span.text for span in spans if span.to and re.search(r"\b7\b", span.text)]
        assert len(sevens) == (event.name == "rolled" and "7" in re.findall(r"\d+", line)), line
    almanac = almanac_of(edition, language)
    for text in ("7", "C7, 3:7", Words(language).say(SEVENS[0], check_options(edition=edition))):
        assert "rolling-a-7" not in {span.to for span in almanac.link_line(text)}


@all_editions
def test_the_words_for_a_log_link_nothing_in_the_almanac_itself(edition: str) -> None:
    entry = almanac_of(edition).entry("game-play")
    assert not [span for part in entry.paragraphs() for span in part.spans if span.to and span.text == "turn"]
    assert "rolling-a-7" in entry.links  # "a 7" leads there from everywhere
