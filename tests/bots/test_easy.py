"""The easy player: sensible, honest, never tiresome, and it overlooks things as people do."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import pytest

from bench.casual import Casual
from hexholm.bots.memory import Memory
from hexholm.bots.shipped.easy import AWAKE_POINTS, NEARLY_BEST, OVERSIGHT_RATE, Easy
from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.events import Traded
from hexholm.game.game import Game, SeatView
from hexholm.rules.encoding.lanes import pack_named
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES
from hexholm.rules.places import CORNER_HEXES, CORNER_ID, HEX_ID
from tests.game.scenes import set_hands
from tests.helpers.marks import all_editions

from .scenes import NOBODY_HAS_ANYTHING, asked, at_main

MOST_TURNS = 400


class Sharp(Easy):
    """Overlooks nothing: shows what the player means to do."""

    def _overlooks(self, view: SeatView, what: str) -> bool:  # noqa: ARG002  # whatever it is
        return False


class Noting(Easy):
    """Notes what it could have overlooked, by turn, and whether it did."""

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed)
        self.came_up: dict[tuple[int, str], bool] = {}

    def _overlooks(self, view: SeatView, what: str) -> bool:
        did = super()._overlooks(view, what)
        if view.raw.points_to_win - view.points() > AWAKE_POINTS:
            self.came_up[view.turn, what] = did
        return did


def played_out(seed: int, **options: object) -> tuple[Game, list[tuple[int, str, Action]]]:
    """A whole game of easy players: the game, and (turn, who, what)."""
    game = Game(seed=seed, **options)  # type: ignore[arg-type]
    bots = {color: Easy(f"{seed} {color}") for color in game.colors}
    decisions = []
    while not game.over and game.turn <= MOST_TURNS:
        color = asked(game)
        action = bots[color].choose(game.view(color))
        decisions.append((game.turn, color, action))
        game.play(action, by=color)  # raises IllegalAction if it is not legal
    return game, decisions


@all_editions
@pytest.mark.parametrize("seed", range(8))
def test_games_end_by_a_win_and_every_action_is_legal(edition: str, seed: int) -> None:
    game, decisions = played_out(
        seed, edition=edition, players=3 + seed % 2, setup="fixed" if seed == 0 else "variable"
    )
    assert game.winner is not None
    kinds = {action.kind for _, _, action in decisions}
    assert {"roll", "end", "settlement", "city", "road", "offer", "reject", "supply"} <= kinds


def test_it_decides_on_the_view_alone() -> None:
    """Another player with the same seed, shown a copy of the view that knows no game, does the same."""
    game = Game(seed=11)
    bot, twin = Easy("x"), Easy("x")
    for _ in range(400):
        if game.over:
            break
        color = asked(game)
        view = game.view(color)
        action = bot.choose(view)
        assert twin.choose(pickle.loads(pickle.dumps(view))) == action  # noqa: S301  # our own
        game.play(action, by=color)
    assert game.turn > 20


def test_the_same_seed_plays_the_same_game() -> None:
    assert played_out(4)[0].steps == played_out(4)[0].steps


def test_made_anew_for_every_question_it_plays_the_same_game() -> None:
    """What it has offered is all that a new one has to be told."""
    for seed in range(3):
        game = Game(seed=seed)
        memories = {color: Memory() for color in game.colors}
        while not game.over:
            color = asked(game)
            bot = Easy(f"{seed} {color}")
            bot._memory = memories[color]
            game.play(bot.choose(game.view(color)), by=color)
        assert game.steps == played_out(seed)[0].steps


def test_seeds_differ_in_taste() -> None:
    """Where two corners are as good as each other one seed likes this one, another that one."""
    choices = [{Sharp(taste).choose(Game(seed=seed, first=0).view("red")) for taste in range(12)} for seed in range(12)]
    assert all(action.kind == "settlement" for first in choices for action in first)
    assert sum(len(first) > 1 for first in choices) >= 4
    assert max(map(len, choices)) <= 3, "a taste, not a whim"


def test_offers_are_few_and_never_repeated_on_a_turn() -> None:
    offers: Counter[int] = Counter()
    turns = 0
    for seed in range(6):
        game, decisions = played_out(seed)
        turns += game.turn
        offer_counts = Counter(
            (turn, color, str(action)) for turn, color, action in decisions if action.kind == "offer"
        )
        assert max(offer_counts.values(), default=0) == 1
        for turn, color in {(turn, color) for turn, color, _ in offer_counts}:
            offers[sum(1 for key in offer_counts if key[:2] == (turn, color))] += 1
    assert set(offers) <= {1, 2}
    assert sum(n * times for n, times in offers.items()) < 0.6 * turns


def test_what_came_to_nothing_is_never_offered_again_in_a_game() -> None:
    offers = 0
    for seed in range(6):
        game, decisions = played_out(seed)
        offer_counts = Counter(
            (color, str(a.give), str(a.want)) for _, color, a in decisions if a.kind in ("offer", "counter")
        )
        traded = [event for event in game.events if isinstance(event, Traded)]
        carried_out = Counter((event.player, str(event.give), str(event.take)) for event in traded)
        assert not offer_counts - carried_out - Counter(set(offer_counts)), "said again without having been carried out"
        offers += offer_counts.total()
    assert offers > 30


def test_a_counter_offer_is_not_answered_with_another_for_ever() -> None:
    for seed in range(4):
        _, decisions = played_out(seed)
        counters = Counter((turn, color) for turn, color, action in decisions if action.kind == "counter")
        assert max(counters.values(), default=0) <= 3  # one to each other player


def test_it_builds_when_it_can() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 2 grain"})
    assert Sharp().choose(game.view("red")).kind == "city"


def test_it_trades_with_the_supply_when_that_completes_a_city() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 4 wool"})
    action = Sharp().choose(game.view("red"))
    assert (action.kind, action.give, action.want) == ("supply", Cards("4 wool"), Cards("1 grain"))


def test_it_offers_what_it_does_not_need_for_the_card_that_is_lacking() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain", "white": "1 brick"})
    bot = Sharp()
    action = bot.choose(game.view("red"))
    assert (action.kind, action.give, action.want, action.to) == ("offer", Cards("1 wool"), Cards("1 grain"), ("blue",))
    game.play(action, by="red")
    game.play("reject #1", by="blue")
    assert bot.choose(game.view("red")).kind != "offer"


def test_it_accepts_what_completes_a_city_but_not_from_one_who_is_about_to_win() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "1 grain", "blue": "3 ore 1 grain 1 wool"}
    game = at_main(hands)
    game.play("offer 1 grain : 1 wool to blue", by="red")
    assert Sharp().choose(game.view("blue")).kind == "accept"
    game = at_main(hands)
    game.referee.state.points[0] = 8
    game.play("offer 1 grain : 1 wool to blue", by="red")
    assert Sharp().choose(game.view("blue")).kind == "reject"


def test_it_weighs_what_a_trade_gives_the_other_side() -> None:
    """Both would complete a city: fine with somebody who has far to go, not with one who would then lack two points."""
    answers = {}
    for ore, points in ((2, 3), (2, 7), (1, 7)):
        game = at_main(NOBODY_HAS_ANYTHING | {"red": f"{ore} ore 3 grain", "blue": "4 ore 1 grain"})
        game.referee.state.points[0] = points
        game.play("offer 1 grain : 1 ore to blue", by="red")
        answers[ore, points] = Sharp().choose(game.view("blue")).kind
    assert answers == {(2, 3): "accept", (2, 7): "reject", (1, 7): "accept"}


def test_it_gives_no_card_that_completes_the_longest_road_of_one_who_would_then_be_about_to_win() -> None:
    answers = []
    for length in (3, 4):
        game = at_main(NOBODY_HAS_ANYTHING | {"red": "3 brick 3 lumber"})
        for road in ("A1/e", "A1/ne", "A1/nw")[: length - 1]:
            game.play(f"road {road}", by="red")
        set_hands(game, NOBODY_HAS_ANYTHING | {"red": "1 brick 2 grain", "blue": "3 ore 1 grain 2 lumber"})
        game.referee.state.points[0] = 6
        game.play("offer 1 grain : 1 lumber to blue", by="red")
        answers.append(Sharp().choose(game.view("blue")).kind)
    assert answers == ["accept", "reject"]


def test_it_offers_nothing_that_brings_another_close_to_winning() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain 1 brick 1 lumber"}
    kinds = []
    for points in (2, 7):
        game = at_main(hands)
        state = game.referee.state
        state.points[1] = points
        state.reach[1] |= state.sites & -state.sites  # a corner where blue can settle
        kinds.append(Sharp().choose(game.view("red")).kind)
    assert kinds[0] == "offer"
    assert kinds[1] != "offer"


def test_it_counters_with_what_it_needs() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "1 grain 1 brick", "blue": "3 ore 1 grain 2 wool"})
    game.play("offer 1 brick : 1 wool to blue", by="red")
    action = Sharp().choose(game.view("blue"))
    assert (action.kind, action.give, action.want) == ("counter", Cards("1 wool"), Cards("1 grain"))


def test_it_does_not_accept_cards_that_may_be_gone() -> None:
    """TRADE-10: what the partner holds is looked at when cards change hands; the easy player counts them before."""
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "1 grain", "blue": "3 ore 1 grain 1 wool", "white": "1 brick"})
    game.play("offer 1 grain : 1 wool to blue", by="red")
    game.play("offer 1 grain : 1 brick to white", by="red")
    game.play("accept #2", by="white")
    assert Sharp().choose(game.view("blue")).kind == "reject"


def test_it_discards_what_it_needs_least() -> None:
    game = Game(edition="sixth", setup="fixed", first=0, seed=1)
    state = game.referee.state
    state.hand[0] = pack_named(dict(Cards("3 ore 2 grain 5 wool")), RESOURCES)
    state.phase, state.owed[0] = 5, 5
    game.referee.start_belief()
    assert game.phase == "discard"
    action = Sharp().choose(game.view("red"))
    assert (action.kind, action.give) == ("discard", Cards("5 wool"))


def test_the_robber_goes_where_it_hurts_others_and_not_itself() -> None:
    for seed in range(5):
        game = Game(edition="fifth", setup="fixed", first=0, seed=seed)
        game.referee.state.phase = 6
        assert game.phase == "robber"
        view = game.view("red")
        action = Sharp(seed).choose(view)
        near = {color for color in view.colors for corner in view.settlements(color) if _touches(corner, action.place)}
        assert near
        assert "red" not in near


def _touches(corner: str, hexagon: str | None) -> bool:
    return HEX_ID[hexagon or ""] in CORNER_HEXES[CORNER_ID[corner]]


def test_it_plays_a_knight_when_it_is_robbed() -> None:
    game = Game(edition="fifth", setup="fixed", first=0, seed=1)
    state = game.referee.state
    state.development[0] = pack_named({"knight": 1}, CARD_KINDS)
    game.referee.start_belief()
    assert Sharp().choose(game.view("red")).kind == "roll"
    state.robber = CORNER_HEXES[CORNER_ID[game.view("red").settlements()[0]]][0]
    assert Sharp().choose(game.view("red")).kind == "knight"


def test_it_can_be_reminded_of_what_it_said() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}
    view = at_main(hands).view("red")
    bot = Sharp()
    offer = bot.choose(view)
    assert offer.kind == "offer"
    assert bot.choose(view).kind != "offer"
    bot.remind(view.turn, [])
    assert bot.choose(view) == offer
    fresh = Sharp()
    fresh.remind(view.turn, [offer])
    assert fresh.choose(view).kind != "offer"


def test_it_can_be_reminded_of_whom_it_countered() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "2 grain 1 brick", "blue": "3 ore 1 grain 1 wool"}
    game = at_main(hands)
    game.play("offer 1 brick : 1 wool to blue", by="red")
    view = game.view("blue")
    counter = Sharp().choose(view)
    assert counter.kind == "counter"
    fresh = Sharp()
    fresh.remind(view.turn, [counter], ["red"])
    assert fresh.choose(view).kind == "reject"
    fresh.remind(view.turn, [], ["white"])
    assert fresh.choose(view) == counter


# --- oversights -------------------------------------------------------------------------------------------------------

SEEDS = range(60)


def robbed() -> Game:
    """Red has a knight, and the robber stands at its settlement."""
    game = Game(edition="fifth", setup="fixed", first=0, seed=1)
    state = game.referee.state
    state.development[0] = pack_named({"knight": 1}, CARD_KINDS)
    state.robber = CORNER_HEXES[CORNER_ID[game.view("red").settlements()[0]]][0]
    game.referee.start_belief()
    return game


def with_road_building() -> Game:
    """Red has the card, and nothing else."""
    game = at_main(NOBODY_HAS_ANYTHING)
    game.referee.state.development[0] = pack_named({"road-building": 1}, CARD_KINDS)
    game.referee.start_belief()
    return game


def offered() -> Game:
    """Blue is offered what completes a city."""
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "1 grain", "blue": "3 ore 1 grain 1 wool"})
    game.play("offer 1 grain : 1 wool to blue", by="red")
    return game


@pytest.mark.parametrize(
    ("game", "meant", "done"),
    [
        (robbed(), "knight", "roll"),
        (with_road_building(), "road-building", "end"),
        (at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 4 wool"}), "supply", "buy"),  # or neither
        (at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}), "offer", "end"),
        (at_main(NOBODY_HAS_ANYTHING | {"red": "1 ore 1 grain 1 wool"}), "buy", "end"),
        (offered(), "accept", "reject"),
    ],
    ids=["knight", "card", "supply", "asking", "buying", "offer"],
)
def test_some_seeds_overlook_it_and_others_do_not(game: Game, meant: str, done: str) -> None:
    view = game.view(asked(game))
    assert {Sharp(seed).choose(view).kind for seed in SEEDS} == {meant}
    kinds = Counter(Easy(seed).choose(view).kind for seed in SEEDS)
    assert set(kinds) <= {meant, done, "end"}
    assert kinds[done] > 0
    assert 0.1 < 1 - kinds[meant] / len(SEEDS) < 0.45


def test_what_is_overlooked_on_one_turn_is_seen_on_another() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "1 ore 1 grain 1 wool"})
    kinds = []
    for turn in range(1, 41):
        game.referee.state.turn_number = turn
        kinds.append(Easy(3).choose(game.view("red")).kind)
        assert Easy(3).choose(game.view("red")).kind == kinds[-1]
    assert set(kinds) == {"buy", "end"}


def test_the_second_best_place_is_taken_for_the_best_only_if_it_is_close() -> None:
    slips = 0
    for seed in range(40):
        view = Game(seed=seed, first=0).view("red")
        bot = Easy(seed)
        values = {str(a): bot._corner_value(view, CORNER_ID[a.place or ""]) for a in view.legal_actions}
        best, second = sorted(values, key=lambda text: -values[text])[:2]
        action = str(bot.choose(view))
        assert action == best or (action == second and values[second] >= NEARLY_BEST * values[best])
        slips += action == second
    assert 3 <= slips <= 20


def test_the_robber_may_stand_second_best_but_never_at_home_and_never_while_another_is_about_to_win() -> None:
    slips = 0
    for seed in range(60):
        game = Game(seed=seed, first=0)
        while game.phase != "roll":
            color = asked(game)
            game.play(Sharp(color).choose(game.view(color)), by=color)
        game.referee.state.phase = 6
        view = game.view("red")
        action = Easy(seed).choose(view)
        assert not any(_touches(corner, action.place) for corner in view.settlements())
        slips += action != Sharp(seed).choose(view)
        game.referee.state.points[1] = 8
        view = game.view("red")
        assert Easy(seed).choose(view) == Sharp(seed).choose(view)
    assert 4 <= slips <= 30


def nearly_won(how: str) -> Game:
    """Red can win by one action, or needs the supply for it."""
    hands = {"city": "3 ore 2 grain", "supply": "3 ore 1 grain 4 wool", "road": "5 brick 5 lumber"}
    game = robbed() if how == "knight before the roll" else at_main(NOBODY_HAS_ANYTHING | {"red": hands.get(how, "")})
    state = game.referee.state
    if how == "road":
        for road in ("A1/e", "A1/ne", "A1/nw"):
            game.play(f"road {road}", by="red")
    if how.startswith("knight"):
        state.development[0] = pack_named({"knight": 1}, CARD_KINDS)
        state.played[0] = pack_named({"knight": 2}, CARD_KINDS)
        game.referee.start_belief()
    state.points[0] = 9 if how in ("city", "supply") else 8
    return game


@pytest.mark.parametrize("how", ["city", "supply", "road", "knight", "knight before the roll"])
def test_a_win_is_never_overlooked(how: str) -> None:
    start = nearly_won(how)
    for turn in range(1, 9):
        start.referee.state.turn_number = turn
        for seed in range(12):
            game, bot = copy.deepcopy(start), Easy(seed)
            game.play(bot.choose(game.view("red")), by="red")
            if how == "supply":
                game.play(bot.choose(game.view("red")), by="red")
            assert game.winner == "red", (turn, seed)


def test_of_what_comes_up_it_overlooks_its_share_and_on_about_one_turn_in_four_something() -> None:
    """And nothing is counted that it did not do: it acts otherwise exactly where it overlooks something."""
    came_up: list[bool] = []
    turns = slips = 0
    for seed in range(12):
        game = Game(seed=seed)
        bots = {color: Noting(f"{seed} {color}") for color in game.colors}
        while not game.over:
            color = asked(game)
            bot, sharp, view = bots[color], Sharp(f"{seed} {color}"), game.view(color)
            sharp._memory = copy.deepcopy(bot._memory)
            before, bot.came_up = bot.came_up, {}
            action = bot.choose(view)
            assert any(bot.came_up.values()) == (action != sharp.choose(view))
            bot.came_up = before | bot.came_up
            game.play(action, by=color)
        turns += game.turn
        for bot in bots.values():
            came_up += bot.came_up.values()
            own = [(turn, did) for (turn, what), did in bot.came_up.items() if turn and not what.startswith("offer")]
            slips += len({turn for turn, did in own if did})
    assert len(came_up) > 600
    assert OVERSIGHT_RATE - 0.05 < sum(came_up) / len(came_up) < OVERSIGHT_RATE + 0.05
    assert 0.2 < slips / turns < 0.3


def test_a_stand_in_of_two_players_has_one_memory() -> None:
    """`bench/casual.py` asks one of two players for each decision: neither repeats what the other has offered."""
    view = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}).view("red")
    bot = Casual(1)
    easy, medium = bot._players
    sharp = Sharp(1)
    sharp._memory = medium._memory
    assert sharp.choose(view).kind == "offer"
    assert easy._memory.turn_offers == medium._memory.turn_offers != []
    assert easy.choose(view).kind != "offer"
    bot.remind(view.turn, [])
    assert medium._memory.turn_offers == []
