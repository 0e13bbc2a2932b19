"""Every shipped player explains every decision: a few actions with chances, and reasons in the edition's words."""

from __future__ import annotations

import pickle
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from hexholm.arena.table import instead
from hexholm.bots import default_code
from hexholm.bots.easy import Easy
from hexholm.bots.explaining import EXPLAINED, explained
from hexholm.bots.judging_players import Expert, Hard, Medium
from hexholm.bots.protocol import Effort, Thought, code_of
from hexholm.bots.random_player import Random
from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.game import Game
from hexholm.game.seat_view import SeatView
from hexholm.rules.core.lanes import pack_named
from hexholm.rules.core.layout import RESOURCES
from hexholm.rules.editions import EDITIONS
from hexholm.rules.referee import IllegalAction

from .test_easy import NOBODY_HAS_ANYTHING, asked, at_main

FEW = Effort(steps=2)
LEVELS = {
    "random": Random,
    "easy": Easy,
    "medium": Medium,
    "hard": partial(Hard, effort=FEW),
    "expert": partial(Expert, effort=FEW),
}
ALL = pytest.mark.parametrize("make", LEVELS.values(), ids=LEVELS)
MOST_TURNS = 400


def decisions(make: Any, seed: int, **options: Any) -> Iterator[tuple[Game, Any, SeatView, int]]:
    """A whole game, decision by decision: the game, who decides, on which view, and what."""
    game = Game(seed=seed, compiled=True, **{"first": 0, **options})
    players = {color: make(f"{seed} {color}") for color in game.colors}
    while not game.over and game.turn <= MOST_TURNS:
        color = asked(game)
        view = game.view(color)
        code = code_of(players[color].choose(view), game.colors, game.colors.index(color))
        yield game, players[color], view, code
        try:
            game.play(Action.of_code(code, game.colors), by=color)
        except IllegalAction:
            game.play(Action.of_code(instead(code), game.colors), by=color)


def told(thoughts: list[Thought]) -> list[tuple[str, float, str]]:
    return [(str(thought.action), thought.chance, thought.reason) for thought in thoughts]


# --- what is told ---------------------------------------------------------------------------------------------------


@ALL
def test_every_decision_is_explained_by_two_to_five_actions_where_there_is_a_choice(make: Any) -> None:
    seen: Counter[str] = Counter()
    for edition in ("fifth", "zip"):
        for _, player, view, code in decisions(make, 3, edition=edition):
            thoughts, legal = player.explain(), {*view.legal_actions.codes, code}
            assert min(2, len(legal)) <= len(thoughts) <= EXPLAINED
            assert thoughts[0].action == Action.of_code(code, view.colors, view.seat)
            assert len({thought.action for thought in thoughts}) == len(thoughts)
            assert all(view.why_not(thought.action) is None for thought in thoughts)
            assert all(0 <= thought.chance <= 1 and thought.reason for thought in thoughts), told(thoughts)
            others = [thought.chance for thought in thoughts[1:]]
            assert others == sorted(others, reverse=True)
            seen[thoughts[0].action.kind] += 1
    assert {"settlement", "road", "roll", "end", "offer", "reject", "robber", "steal"} <= set(seen)


@ALL
def test_before_the_first_choice_there_is_nothing_to_explain(make: Any) -> None:
    assert make(1).explain() == []


@ALL
def test_worlds_that_look_alike_are_explained_alike(make: Any) -> None:
    rng, compared = random.Random(5), 0
    for number, (_, player, view, code) in enumerate(decisions(make, 4, edition="sixth", players=3)):
        if number % 9 or view.turn > 60:
            continue
        for shown in (view.sample(rng).view(view.seat), pickle.loads(pickle.dumps(view))):  # noqa: S301  # our own
            if shown != view:
                continue
            if isinstance(player, Easy | Random):
                assert told(explained(shown, code)) == told(player.explain())
            twin = make(f"4 {view.seat}")
            if code_of(twin.choose(shown), view.colors, view.raw.observer) == code:  # it may remember less
                assert told(twin.explain()) == told(player.explain())
                compared += 1
    assert compared > 20


@ALL
def test_to_be_asked_why_changes_nothing(make: Any) -> None:
    silent = [code for *_, code in decisions(make, 6, edition="sixth", players=3, points_to_win=6)]
    asked_often = []
    for _, player, _, code in decisions(make, 6, edition="sixth", players=3, points_to_win=6):
        assert told(player.explain()) == told(player.explain())
        asked_often.append(code)
    assert asked_often == silent


def test_interpreted_and_compiled_the_chances_are_the_same() -> None:
    seen: Counter[str] = Counter()
    for _, _, view, code in decisions(Easy, 7, edition="fifth"):
        kind = Action.of_code(code, view.colors).kind
        seen[kind] += 1
        if seen[kind] <= 2:
            plain, quick = (explained(view, code, compiled=compiled) for compiled in (False, True))
            assert told(plain) == told(quick)
    assert len(seen) > 10


# --- chances --------------------------------------------------------------------------------------------------------


def by_kind(thoughts: list[Thought]) -> dict[str, float]:
    return {thought.action.kind: thought.chance for thought in thoughts}


@ALL
def test_an_answer_is_weighed_against_the_other_one(make: Any) -> None:
    """Both after what comes of them: yes to a gift of a needed card is better than no, to a robbery worse."""
    chances = []
    for offer in ("1 grain : 1 wool", "1 wool : 1 grain"):
        game = at_main(NOBODY_HAS_ANYTHING | {"red": "2 grain 2 wool", "blue": "3 ore 1 grain 1 wool"})
        game.play(f"offer {offer} to blue", by="red")
        player = make(1)
        player.choose(game.view("blue"))
        chances.append(by_kind(player.explain()))
    assert chances[0]["accept"] > chances[0]["reject"]
    assert chances[1]["accept"] < chances[1]["reject"]


def test_what_helps_the_other_side_more_is_weighed_for_both() -> None:
    """The same card for the same card: it is worth less where it completes a city of the one who leads."""
    chances = []
    for ore in (0, 2):
        game = at_main(NOBODY_HAS_ANYTHING | {"red": f"{ore} ore 3 grain", "blue": "4 ore 1 grain"})
        for seat, points in enumerate((7, 3, 3, 3)):
            game.referee.state.points[seat] = points
        game.play("offer 1 grain : 1 ore to blue", by="red")
        view = game.view("blue")
        found = by_kind(explained(view, default_code(view)))
        chances.append(found["accept"] - found["reject"])
    assert chances[0] > chances[1]


@ALL
def test_a_discard_is_told_beside_the_best_of_the_others(make: Any) -> None:
    game = Game(edition="sixth", setup="fixed", first=0, seed=1)
    state = game.referee.state
    state.hand[0] = pack_named(dict(Cards("3 ore 2 grain 5 wool")), RESOURCES)
    state.phase, state.owed[0] = 5, 5
    game.referee.start_belief()
    player = make(2)
    player.choose(game.view("red"))
    thoughts = player.explain()
    assert len(thoughts) == EXPLAINED
    assert {thought.action.kind for thought in thoughts} == {"discard"}
    best = max(thoughts, key=lambda thought: thought.chance)
    assert best.action.give == Cards("5 wool")
    assert "keeps 2 wheat 3 ore" in best.reason


# --- words ----------------------------------------------------------------------------------------------------------


FOREIGN = {
    "zip": r"\b(lumber|grain|cards?|harbor|Year of Plenty|Longest Road|bank)\b",
    "sixth": r"\b(lumber|grain|tiles?|harbor|Year of Plenty|Longest Road|bank)\b",
    "fifth": r"\b(wood|wheat|tiles?|port|Invention|Longest Route|bank)\b",
    "threed": r"\b(wood|wheat|tiles?|port|Invention|Longest Route|bank)\b",
    "summary": r"\b(wood|wheat|tiles?|port|Invention|Longest Route|supply)\b",
}
"""Words of other editions."""


@pytest.mark.parametrize("edition", EDITIONS)
def test_reasons_are_in_the_words_of_the_edition(edition: str) -> None:
    reasons: dict[str, set[str]] = {}
    for seed in (8, 9):
        for _, player, _, _ in decisions(Easy, seed, edition=edition):
            for thought in player.explain():
                reasons.setdefault(thought.action.kind, set()).add(thought.reason)
    wrong = [reason for found in reasons.values() for reason in found if re.search(FOREIGN[edition], reason)]
    assert not wrong, wrong[:5]
    assert not [reason for found in reasons.values() for reason in found if "-" in reason or "_" in reason]
    known = set(reasons)
    assert {"supply", "accept", "reject", "offer", "discard", "buy", "robber", "steal", "end", "knight"} <= known
    item = "tile" if edition == "zip" else "card"
    assert any(item in reason for reason in reasons["steal"])


def test_a_start_road_says_where_it_leads() -> None:
    for _, player, view, _ in decisions(Easy, 2, edition="fifth"):
        if view.phase == "road":
            reasons = [thought.reason for thought in player.explain()]
            assert all(re.fullmatch(r"leads towards [A-E]\d[nsew]+", reason) for reason in reasons), reasons
        if view.turn:
            break


def test_a_reason_says_what_a_trade_pays_for() -> None:
    game = at_main({"black": "3 ore 1 grain 4 wool", "blue": "", "green": "", "red": ""}, edition="zip")
    player = Easy()
    assert player.choose(game.view("black")).kind == "supply"
    assert player.explain()[0].reason == "the supply gives 1 wheat for 4 wool: that pays for a city"
