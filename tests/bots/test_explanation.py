"""Every shipped player explains every decision: a few actions with chances, and reasons in the edition's words."""

from __future__ import annotations

import pickle
import random
import re
from collections import Counter
from typing import Any

import pytest

from hexholm.bots import default_code
from hexholm.bots.explanation.reasons import reason_for
from hexholm.bots.explanation.thoughts import MOST_EXPLAINED, explain_choice
from hexholm.bots.protocol import Thought, choice_code
from hexholm.bots.shipped.easy import Easy
from hexholm.bots.shipped.random_player import Random
from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.game import Game
from hexholm.rules.encoding.lanes import pack_named
from hexholm.rules.encoding.structs import RESOURCES
from hexholm.rules.notation import UnreadableAction
from tests.game.scenes import set_hands
from tests.helpers.edition_table import EDITION_TABLE
from tests.helpers.marks import all_editions
from tests.languages import foreign_words_in

from .scenes import JUDGES, LEVELS, NOBODY_HAS_ANYTHING, at_main, moments, near_the_longest_road

ALL = pytest.mark.parametrize("make", LEVELS.values(), ids=LEVELS)


def told(thoughts: list[Thought]) -> list[tuple[str, float, str]]:
    return [(str(thought.action), thought.win_probability, thought.reason) for thought in thoughts]


# --- what is told ---------------------------------------------------------------------------------------------------


@ALL
def test_every_decision_is_explained_by_two_to_five_actions_where_there_is_a_choice(make: Any) -> None:
    kind_counts: Counter[str] = Counter()
    for edition in ("fifth", "zip"):
        for _, _, view, bot, code in moments(3, make, edition=edition):
            thoughts, legal = bot.explain(), {*view.legal_actions.codes, code}
            assert min(2, len(legal)) <= len(thoughts) <= MOST_EXPLAINED
            assert thoughts[0].action == Action.of_code(code, view.colors, view.seat)
            assert len({thought.action for thought in thoughts}) == len(thoughts)
            assert all(view.why_not(thought.action) is None for thought in thoughts)
            assert all(0 <= thought.win_probability <= 1 and thought.reason for thought in thoughts), told(thoughts)
            other_probabilities = [thought.win_probability for thought in thoughts[1:]]
            assert other_probabilities == sorted(other_probabilities, reverse=True)
            kind_counts[thoughts[0].action.kind] += 1
    assert {"settlement", "road", "roll", "end", "offer", "reject", "robber", "steal"} <= set(kind_counts)


@ALL
def test_before_the_first_choice_there_is_nothing_to_explain(make: Any) -> None:
    assert make(1).explain() == []


@ALL
def test_worlds_that_look_alike_are_explained_alike(make: Any) -> None:
    rng, compared = random.Random(5), 0
    for number, (_, _, view, bot, code) in enumerate(moments(4, make, edition="sixth", players=3)):
        if number % 9 or view.turn > 60:
            continue
        for same_view in (view.sample(rng).view(view.seat), pickle.loads(pickle.dumps(view))):  # noqa: S301  # our own
            if same_view != view:
                continue
            if isinstance(bot, Easy | Random):
                how = "by lot" if isinstance(bot, Random) else "by rules of thumb"
                assert told(explain_choice(same_view, code, decided=how)) == told(bot.explain())
            fresh_bot, same_bot = (
                make(f"4 {view.seat}"),
                make(f"4 {view.seat}"),
            )  # the player itself remembers more than they
            assert choice_code(fresh_bot.choose(view), view.colors, view.raw.observer) == choice_code(
                same_bot.choose(same_view), view.colors, view.raw.observer
            )
            assert told(fresh_bot.explain()) == told(same_bot.explain())
            compared += 1
    assert compared > 20


@ALL
def test_to_be_asked_why_changes_nothing(make: Any) -> None:
    silent = [code for *_, code in moments(6, make, edition="sixth", players=3, points_to_win=6)]
    asked_often = []
    for *_, bot, code in moments(6, make, edition="sixth", players=3, points_to_win=6):
        assert told(bot.explain()) == told(bot.explain())
        asked_often.append(code)
    assert asked_often == silent


def test_interpreted_and_compiled_the_chances_are_the_same() -> None:
    kind_counts: Counter[str] = Counter()
    for _, _, view, _, code in moments(7, Easy, edition="fifth"):
        kind = Action.of_code(code, view.colors).kind
        kind_counts[kind] += 1
        if kind_counts[kind] <= 2:
            plain, quick = (explain_choice(view, code, compiled=compiled) for compiled in (False, True))
            assert told(plain) == told(quick)
    assert len(kind_counts) > 10


def test_what_was_chosen_may_be_told_in_any_way_that_a_player_answers() -> None:
    view = Game(edition="fifth", seed=3, first=0).view("red")
    code = view.legal_actions.codes[5]
    action = Action.of_code(code, view.colors, view.seat)
    for choice in (action, action.text, f"red {action.text}", view.legal_actions[5]):
        assert told(explain_choice(view, choice)) == told(explain_choice(view, code))
    with pytest.raises(UnreadableAction, match="cannot act for blue"):
        explain_choice(view, Action.of("blue roll"))


# --- chances --------------------------------------------------------------------------------------------------------


def by_kind(thoughts: list[Thought]) -> dict[str, float]:
    return {thought.action.kind: thought.win_probability for thought in thoughts}


@ALL
def test_an_answer_is_weighed_against_the_other_one(make: Any) -> None:
    """Both after what comes of them: yes to a gift of a needed card is better than no, to a robbery worse."""
    chances = []
    for offer in ("1 grain : 1 wool", "1 wool : 1 grain"):
        game = at_main(NOBODY_HAS_ANYTHING | {"red": "2 grain 2 wool", "blue": "3 ore 1 grain 1 wool"})
        game.play(f"offer {offer} to blue", by="red")
        bot = make(1)
        bot.choose(game.view("blue"))
        chances.append(by_kind(bot.explain()))
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
        thoughts = by_kind(explain_choice(view, default_code(view)))
        chances.append(thoughts["accept"] - thoughts["reject"])
    assert chances[0] > chances[1]


@ALL
def test_a_discard_is_told_beside_the_best_of_the_others(make: Any) -> None:
    game = Game(edition="sixth", setup="fixed", first=0, seed=1)
    state = game.referee.state
    state.hand[0] = pack_named(dict(Cards("3 ore 2 grain 5 wool")), RESOURCES)
    state.phase, state.owed[0] = 5, 5
    game.referee.start_belief()
    bot = make(2)
    bot.choose(game.view("red"))
    thoughts = bot.explain()
    assert len(thoughts) == MOST_EXPLAINED
    assert {thought.action.kind for thought in thoughts} == {"discard"}
    best = max(thoughts, key=lambda thought: thought.win_probability)
    assert best.action.give == Cards("5 wool")
    assert "keeps 2 wheat 3 ore" in best.reason


# --- words ----------------------------------------------------------------------------------------------------------


@all_editions
def test_reasons_are_in_the_words_of_the_edition(edition: str) -> None:
    reasons: dict[str, set[str]] = {}
    for seed in (8, 9):
        for *_, bot, _ in moments(seed, Easy, edition=edition):
            for thought in bot.explain():
                reasons.setdefault(thought.action.kind, set()).add(thought.reason)
    wrong = [reason for texts in reasons.values() for reason in texts if foreign_words_in(reason, edition)]
    assert not wrong, wrong[:5]
    assert not [reason for texts in reasons.values() for reason in texts if "-" in reason or "_" in reason]
    kinds = set(reasons)
    assert {"supply", "accept", "reject", "offer", "discard", "buy", "robber", "steal", "end", "knight"} <= kinds
    item = EDITION_TABLE[edition]["words"]["resource_card"].removeprefix("resource ")
    assert any(item in reason for reason in reasons["steal"])


def test_a_start_road_says_where_it_leads() -> None:
    for _, _, view, bot, _ in moments(2, Easy, edition="fifth"):
        if view.phase == "road":
            reasons = [thought.reason for thought in bot.explain()]
            assert all(re.match(r"leads towards [A-E]\d[nsew]+(;|$)", reason) for reason in reasons), reasons
        if view.turn:
            break


def test_a_reason_says_what_a_trade_pays_for() -> None:
    game = at_main({"black": "3 ore 1 grain 4 wool", "blue": "", "green": "", "red": ""}, edition="zip")
    bot = Easy()
    assert bot.choose(game.view("black")).kind == "supply"
    assert bot.explain()[0].reason == "the supply gives 1 wheat for 4 wool: that pays for a city"


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
    reason = refusal(at_main(RED_CAN_BUILD), "1 wool : 1 grain", (8, 6, 5, 6))
    assert reason == "no 1 wheat for red, who lacks 2 points: it is about to win"


def test_a_no_says_that_the_cards_bring_points_at_once() -> None:
    reason = refusal(at_main(RED_CAN_BUILD), "1 wool : 1 grain", (7, 6, 5, 6))
    assert reason == "no 1 wheat for red, who lacks 3 points: that could bring it points at once"
    assert "at once" not in refusal(at_main(RED_CAN_BUILD), "1 wool : 1 grain", (4, 4, 4, 4))


def test_a_no_says_that_the_cards_bring_an_award_at_once() -> None:
    reasons = []
    for length in (3, 4):
        game = near_the_longest_road(length)
        set_hands(game, NOBODY_HAS_ANYTHING | {"red": "1 brick 2 ore", "blue": "2 lumber 1 wool 1 grain 1 ore"})
        reasons.append(refusal(game, "1 ore : 1 lumber"))
    assert "at once" not in reasons[0]
    assert reasons[1] == "no 1 wood for red: that could bring it the Longest Route at once"


@pytest.mark.parametrize(("edition", "item"), [("sixth", "cards"), ("zip", "tiles")])
def test_a_no_says_that_who_leads_alone_would_get_more(edition: str, item: str) -> None:
    first_color, *other_colors = at_main({}, edition=edition).colors
    hands = dict.fromkeys(other_colors, "") | {
        first_color: "2 lumber 3 wool 1 ore 1 brick",
        "blue": "1 ore 2 wool 3 lumber 2 grain",
    }
    reasons = [
        refusal(at_main(hands, edition=edition), "1 brick : 2 lumber", (points,), judges_by="hard") for points in (2, 4)
    ]
    assert "leads" not in reasons[0]
    assert reasons[1] == f"no 2 wood for {first_color}: it leads alone and would get more {item} than it gives"


@pytest.mark.parametrize(
    ("red", "blue", "offer", "why"),
    [
        ("2 grain 2 wool", "3 ore 1 grain 1 wool", "1 wool : 1 grain", "that would not make us stronger"),
        ("3 brick", "1 wool 1 ore", "1 brick : 1 wool", "that would help it more than us"),
        ("2 brick", "2 grain 1 ore", "1 brick : 1 grain", "that would gain us too little"),
        ("1 ore", "2 grain", "1 ore : 1 wool", "we do not hold that"),
    ],
)
def test_a_no_says_what_is_wrong_with_the_exchange(red: str, blue: str, offer: str, why: str) -> None:
    reason = refusal(at_main(NOBODY_HAS_ANYTHING | {"red": red, "blue": blue}), offer)
    assert reason.endswith(f": {why}")


def test_a_no_to_a_good_offer_does_not_hide_that_yes_looks_better() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "2 grain 2 wool", "blue": "3 ore 1 grain 1 wool"})
    assert refusal(game, "1 grain : 1 wool") == "no 1 wool for red, although yes looks better"


WHY = re.compile(
    r": (it is about to win|it hardly holds .*|that could bring it .* at once|it leads alone .*)$"
    r"|: that would not make us stronger$"
    r"|: that would (help it more than us|gain us too little)$|; the rest of the turn comes after it$"
    r"|; no to (its own offer|#\d): .*|; no exchange with .*|; a seven would take half of .*"
)


@pytest.mark.parametrize("level", JUDGES)
def test_who_weighs_chances_says_why_it_did_not_do_what_has_the_best(level: str) -> None:
    """But for discards, which are chosen card by card."""
    n_explained = 0
    for seed, edition in ((3, "fifth"), (5, "zip"), (7, "sixth")):
        for *_, bot, _ in moments(seed, LEVELS[level], edition=edition):
            own_thought, *other_thoughts = bot.explain()
            if (
                other_thoughts
                and other_thoughts[0].win_probability > own_thought.win_probability
                and own_thought.action.kind != "discard"
            ):
                assert WHY.search(own_thought.reason), told([own_thought, *other_thoughts])
                n_explained += 1
    assert n_explained > 10


@pytest.mark.parametrize(("level", "how"), [("random", "; chosen by lot"), ("easy", "; chosen by rules of thumb")])
def test_who_goes_by_no_chances_says_how_it_chose(level: str, how: str) -> None:
    """And claims no manners: it has not asked for them."""
    n_better = refused = 0
    for *_, bot, _ in moments(3, LEVELS[level], edition="fifth"):
        own_thought, *other_thoughts = bot.explain()
        better = bool(other_thoughts) and other_thoughts[0].win_probability > own_thought.win_probability
        assert own_thought.reason.endswith(how) == better
        assert not WHY.search(own_thought.reason.removesuffix(how)), told([own_thought, *other_thoughts])
        n_better += better
        refused += own_thought.action.kind == "reject"
    assert n_better > 10
    assert refused > 5
