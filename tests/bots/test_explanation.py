"""Every shipped player explains every decision: a few actions with chances, and reasons in the edition's words."""

from __future__ import annotations

import pickle
import random
import re
from collections import Counter
from typing import Any

import pytest

from hexholm.bots import default_code
from hexholm.bots.easy.player import Easy
from hexholm.bots.explanation.reasons import reason_for
from hexholm.bots.explanation.thoughts import MOST_EXPLAINED, explain_choice
from hexholm.bots.protocol import Thought, choice_code
from hexholm.bots.random_player import Random
from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.game import Game
from hexholm.rules.core.encoding.lanes import pack_named
from hexholm.rules.core.encoding.structs import RESOURCES
from hexholm.rules.notation import UnreadableAction
from tests.game.scenes import dealt
from tests.marks import all_editions

from .scenes import JUDGES, LEVELS, NOBODY_HAS_ANYTHING, at_main, moments, near_the_longest_road

ALL = pytest.mark.parametrize("make", LEVELS.values(), ids=LEVELS)


def told(thoughts: list[Thought]) -> list[tuple[str, float, str]]:
    return [(str(thought.action), thought.chance, thought.reason) for thought in thoughts]


# --- what is told ---------------------------------------------------------------------------------------------------


@ALL
def test_every_decision_is_explained_by_two_to_five_actions_where_there_is_a_choice(make: Any) -> None:
    seen: Counter[str] = Counter()
    for edition in ("fifth", "zip"):
        for _, _, view, player, code in moments(3, make, edition=edition):
            thoughts, legal = player.explain(), {*view.legal_actions.codes, code}
            assert min(2, len(legal)) <= len(thoughts) <= MOST_EXPLAINED
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
    for number, (_, _, view, player, code) in enumerate(moments(4, make, edition="sixth", players=3)):
        if number % 9 or view.turn > 60:
            continue
        for shown in (view.sample(rng).view(view.seat), pickle.loads(pickle.dumps(view))):  # noqa: S301  # our own
            if shown != view:
                continue
            if isinstance(player, Easy | Random):
                how = "by lot" if isinstance(player, Random) else "by rules of thumb"
                assert told(explain_choice(shown, code, decided=how)) == told(player.explain())
            one, other = make(f"4 {view.seat}"), make(f"4 {view.seat}")  # the player itself remembers more than they
            assert choice_code(one.choose(view), view.colors, view.raw.observer) == choice_code(
                other.choose(shown), view.colors, view.raw.observer
            )
            assert told(one.explain()) == told(other.explain())
            compared += 1
    assert compared > 20


@ALL
def test_to_be_asked_why_changes_nothing(make: Any) -> None:
    silent = [code for *_, code in moments(6, make, edition="sixth", players=3, points_to_win=6)]
    asked_often = []
    for *_, player, code in moments(6, make, edition="sixth", players=3, points_to_win=6):
        assert told(player.explain()) == told(player.explain())
        asked_often.append(code)
    assert asked_often == silent


def test_interpreted_and_compiled_the_chances_are_the_same() -> None:
    seen: Counter[str] = Counter()
    for _, _, view, _, code in moments(7, Easy, edition="fifth"):
        kind = Action.of_code(code, view.colors).kind
        seen[kind] += 1
        if seen[kind] <= 2:
            plain, quick = (explain_choice(view, code, compiled=compiled) for compiled in (False, True))
            assert told(plain) == told(quick)
    assert len(seen) > 10


def test_what_was_chosen_may_be_told_in_any_way_that_a_player_answers() -> None:
    view = Game(edition="fifth", seed=3, first=0).view("red")
    code = view.legal_actions.codes[5]
    action = Action.of_code(code, view.colors, view.seat)
    for chosen in (action, action.text, f"red {action.text}", view.legal_actions[5]):
        assert told(explain_choice(view, chosen)) == told(explain_choice(view, code))
    with pytest.raises(UnreadableAction, match="cannot act for blue"):
        explain_choice(view, Action.of("blue roll"))


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
        found = by_kind(explain_choice(view, default_code(view)))
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
    assert len(thoughts) == MOST_EXPLAINED
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


@all_editions
def test_reasons_are_in_the_words_of_the_edition(edition: str) -> None:
    reasons: dict[str, set[str]] = {}
    for seed in (8, 9):
        for *_, player, _ in moments(seed, Easy, edition=edition):
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
    for _, _, view, player, _ in moments(2, Easy, edition="fifth"):
        if view.phase == "road":
            reasons = [thought.reason for thought in player.explain()]
            assert all(re.match(r"leads towards [A-E]\d[nsew]+(;|$)", reason) for reason in reasons), reasons
        if view.turn:
            break


def test_a_reason_says_what_a_trade_pays_for() -> None:
    game = at_main({"black": "3 ore 1 grain 4 wool", "blue": "", "green": "", "red": ""}, edition="zip")
    player = Easy()
    assert player.choose(game.view("black")).kind == "supply"
    assert player.explain()[0].reason == "the supply gives 1 wheat for 4 wool: that pays for a city"


def test_a_number_that_a_corner_touches_twice_is_rolled_but_once() -> None:
    dice, twice = Counter(a + b for a in range(1, 7) for b in range(1, 7)), 0
    for seed in range(30):
        view = Game(edition="fifth", setup="variable", numbers="random", seed=seed, first=0).view(0)
        for reason in (reason_for(view, code) for code in view.legal_actions.codes):
            numbers = [int(number) for number in re.findall(r" on (\d+)", reason)]
            rolls = sum(dice[number] for number in set(numbers))
            assert not numbers or f": {rolls} of 36 rolls" in reason, reason
            twice += len(set(numbers)) < len(numbers)
    assert twice > 10


# --- what was not done although its chance is better ----------------------------------------------------------------


def refusal(game: Game, offer: str, points: tuple[int, ...] = (), judges_by: str = "medium") -> str:
    """The reason of blue's no to an offer of the one who begins."""
    for seat, n in enumerate(points):
        game.referee.state.points[seat] = n
    game.play(f"offer {offer} to blue", by=game.colors[0])
    view = game.view("blue")
    return explain_choice(view, choice_code("reject #1", view.colors, view.raw.observer), judges_by=judges_by)[0].reason


RED_CAN_BUILD = NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 2 wool", "blue": "3 grain 2 brick 2 ore"}
"""With one more grain: a city."""


def test_a_no_says_that_the_other_is_about_to_win() -> None:
    said = refusal(at_main(RED_CAN_BUILD), "1 wool : 1 grain", (8, 6, 5, 6))
    assert said == "no 1 wheat for red, who lacks 2 points: it is about to win"


def test_a_no_says_that_the_cards_bring_points_at_once() -> None:
    said = refusal(at_main(RED_CAN_BUILD), "1 wool : 1 grain", (7, 6, 5, 6))
    assert said == "no 1 wheat for red, who lacks 3 points: that could bring it points at once"
    assert "at once" not in refusal(at_main(RED_CAN_BUILD), "1 wool : 1 grain", (4, 4, 4, 4))


def test_a_no_says_that_the_cards_bring_an_award_at_once() -> None:
    said = []
    for length in (3, 4):
        game = near_the_longest_road(length)
        dealt(game, NOBODY_HAS_ANYTHING | {"red": "1 brick 2 ore", "blue": "2 lumber 1 wool 1 grain 1 ore"})
        said.append(refusal(game, "1 ore : 1 lumber"))
    assert "at once" not in said[0]
    assert said[1] == "no 1 wood for red: that could bring it the Longest Route at once"


@pytest.mark.parametrize(("edition", "item"), [("sixth", "cards"), ("zip", "tiles")])
def test_a_no_says_that_who_leads_alone_would_get_more(edition: str, item: str) -> None:
    first, *others = at_main({}, edition=edition).colors
    hands = dict.fromkeys(others, "") | {
        first: "2 lumber 3 wool 1 ore 1 brick",
        "blue": "1 ore 2 wool 3 lumber 2 grain",
    }
    said = [
        refusal(at_main(hands, edition=edition), "1 brick : 2 lumber", (points,), judges_by="hard") for points in (2, 4)
    ]
    assert "leads" not in said[0]
    assert said[1] == f"no 2 wood for {first}: it leads alone and would get more {item} than it gives"


@pytest.mark.parametrize(
    ("red", "blue", "offer", "why"),
    [
        ("2 grain 2 wool", "3 ore 1 grain 1 wool", "1 wool : 1 grain", "that would make us no stronger"),
        ("3 brick", "1 wool 1 ore", "1 brick : 1 wool", "that would help it more than us"),
        ("2 brick", "2 grain 1 ore", "1 brick : 1 grain", "that would gain us too little"),
        ("1 ore", "2 grain", "1 ore : 1 wool", "we do not hold that"),
    ],
)
def test_a_no_says_what_is_wrong_with_the_exchange(red: str, blue: str, offer: str, why: str) -> None:
    said = refusal(at_main(NOBODY_HAS_ANYTHING | {"red": red, "blue": blue}), offer)
    assert said.endswith(f": {why}")


def test_a_no_to_a_good_offer_does_not_hide_that_yes_looks_better() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "2 grain 2 wool", "blue": "3 ore 1 grain 1 wool"})
    assert refusal(game, "1 grain : 1 wool") == "no 1 wool for red, although yes looks better"


WHY = re.compile(
    r": (it is about to win|it hardly holds .*|that could bring it .* at once|it leads alone .*|that would make us .*)$"
    r"|: that would (help it more than us|gain us too little)$|; the rest of the turn comes after it$"
    r"|; no to (its own offer|#\d): .*|; no exchange with .*|; a seven would take half of .*"
)


@pytest.mark.parametrize("level", JUDGES)
def test_who_weighs_chances_says_why_it_did_not_do_what_has_the_best(level: str) -> None:
    """But for discards, which are chosen card by card."""
    seen = 0
    for seed, edition in ((3, "fifth"), (5, "zip"), (7, "sixth")):
        for *_, player, _ in moments(seed, LEVELS[level], edition=edition):
            did, *others = player.explain()
            if others and others[0].chance > did.chance and did.action.kind != "discard":
                assert WHY.search(did.reason), told([did, *others])
                seen += 1
    assert seen > 10


@pytest.mark.parametrize(("level", "how"), [("random", "; chosen by lot"), ("easy", "; chosen by rules of thumb")])
def test_who_goes_by_no_chances_says_how_it_chose(level: str, how: str) -> None:
    """And claims no manners: it has not asked for them."""
    seen = refused = 0
    for *_, player, _ in moments(3, LEVELS[level], edition="fifth"):
        did, *others = player.explain()
        better = bool(others) and others[0].chance > did.chance
        assert did.reason.endswith(how) == better
        assert not WHY.search(did.reason.removesuffix(how)), told([did, *others])
        seen += better
        refused += did.action.kind == "reject"
    assert seen > 10
    assert refused > 5
