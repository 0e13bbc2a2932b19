"""The simple player: sensible, honest, never tiresome."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from hexholm.bots.easy import Easy
from hexholm.game.action import Action
from hexholm.game.cards import Cards
from hexholm.game.events import Traded
from hexholm.game.game import Game
from hexholm.rules.core.lanes import pack_named
from hexholm.rules.core.layout import CARD_KINDS, RESOURCES
from hexholm.rules.editions import EDITIONS

MOST_TURNS = 400


def asked(game: Game) -> str:
    """Whose decision comes next: those who are asked, then the active player."""
    others = [color for color in game.to_act if color != game.active]
    return others[0] if others else game.active


def played_out(seed: int, **options: object) -> tuple[Game, list[tuple[int, str, Action]]]:
    """A whole game of simple players: the game, and (turn, who, what)."""
    game = Game(seed=seed, **options)  # type: ignore[arg-type]
    players = {color: Easy(f"{seed} {color}") for color in game.colors}
    done = []
    while not game.over and game.turn <= MOST_TURNS:
        color = asked(game)
        action = players[color].choose(game.view(color))
        done.append((game.turn, color, action))
        game.play(action, by=color)  # raises IllegalAction if it is not legal
    return game, done


def at_main(hands: dict[str, str], edition: str = "sixth", **options: object) -> Game:
    """The fixed board of an edition, red after a roll of 2 that pays nobody, with these hands."""
    game = Game(edition=edition, setup="fixed", first=0, seed=1, **options)  # type: ignore[arg-type]
    game.play("roll")
    while game.phase != "main":
        color = asked(game)
        game.play(game.legal_actions.of(color)[0])
    dealt(game, hands)
    return game


def dealt(game: Game, hands: dict[str, str]) -> None:
    """Give the seats these hands, which all know."""
    state = game.referee.state
    for color, text in hands.items():
        state.hand[game.colors.index(color)] = pack_named(dict(Cards(text)), RESOURCES)
    held = [Cards.of_lanes(state.hand[seat]) for seat in range(4)]
    left = {kind: 19 - sum(hand[kind] for hand in held) for kind in RESOURCES}
    state.bank = pack_named(left, RESOURCES)
    game.referee.start_belief()


NOBODY_HAS_ANYTHING = {"red": "", "blue": "", "white": "", "orange": ""}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(8))
def test_games_end_by_a_win_and_every_action_is_legal(edition: str, seed: int) -> None:
    game, done = played_out(seed, edition=edition, players=3 + seed % 2, setup="fixed" if seed == 0 else "variable")
    assert game.winner is not None
    kinds = {action.kind for _, _, action in done}
    assert {"roll", "end", "settlement", "city", "road", "offer", "reject", "supply"} <= kinds


def test_it_decides_on_the_view_alone() -> None:
    """Another player with the same seed, shown a copy of the view that knows no game, does the same."""
    game = Game(seed=11)
    player, twin = Easy("x"), Easy("x")
    for _ in range(400):
        if game.over:
            break
        color = asked(game)
        view = game.view(color)
        action = player.choose(view)
        assert twin.choose(pickle.loads(pickle.dumps(view))) == action  # noqa: S301  # our own
        game.play(action, by=color)
    assert game.turn > 20


def test_the_same_seed_plays_the_same_game() -> None:
    assert played_out(4)[0].steps == played_out(4)[0].steps


def test_seeds_differ_in_taste() -> None:
    games = [Game(seed=1, first=0) for _ in range(6)]
    firsts = {Easy(seed).choose(game.view("red")) for seed, game in enumerate(games)}
    assert len({Easy(seed)._taste[0] for seed in range(6)}) == 6
    assert all(action.kind == "settlement" for action in firsts)


def test_offers_are_few_and_never_repeated_on_a_turn() -> None:
    offers: Counter[int] = Counter()
    turns = 0
    for seed in range(6):
        game, done = played_out(seed)
        turns += game.turn
        said = Counter((turn, who, str(action)) for turn, who, action in done if action.kind == "offer")
        assert max(said.values(), default=0) == 1
        for turn, who in {(turn, who) for turn, who, _ in said}:
            offers[sum(1 for key in said if key[:2] == (turn, who))] += 1
    assert set(offers) <= {1, 2}
    assert sum(n * times for n, times in offers.items()) < 0.6 * turns


def test_what_came_to_nothing_is_never_offered_again_in_a_game() -> None:
    offers = 0
    for seed in range(6):
        game, done = played_out(seed)
        made = Counter((who, str(a.give), str(a.take)) for _, who, a in done if a.kind in ("offer", "counter"))
        traded = [event for event in game.events if isinstance(event, Traded)]
        carried_out = Counter((event.player, str(event.give), str(event.take)) for event in traded)
        assert not made - carried_out - Counter(set(made)), "said again without having been carried out"
        offers += made.total()
    assert offers > 30


def test_a_counter_offer_is_not_answered_with_another_for_ever() -> None:
    for seed in range(4):
        _, done = played_out(seed)
        counters = Counter((turn, who) for turn, who, action in done if action.kind == "counter")
        assert max(counters.values(), default=0) <= 3  # one to each other player


def test_it_builds_when_it_can() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 2 grain"})
    assert Easy().choose(game.view("red")).kind == "city"


def test_it_trades_with_the_supply_when_that_completes_a_city() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 4 wool"})
    action = Easy().choose(game.view("red"))
    assert (action.kind, action.give, action.take) == ("supply", Cards("4 wool"), Cards("1 grain"))


def test_it_offers_what_it_does_not_need_for_the_card_that_is_lacking() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain", "white": "1 brick"})
    player = Easy()
    action = player.choose(game.view("red"))
    assert (action.kind, action.give, action.take, action.to) == ("offer", Cards("1 wool"), Cards("1 grain"), ("blue",))
    game.play(action, by="red")
    game.play("reject #1", by="blue")
    assert player.choose(game.view("red")).kind != "offer"


def test_it_accepts_what_completes_a_city_but_not_from_one_who_is_about_to_win() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "1 grain", "blue": "3 ore 1 grain 1 wool"}
    game = at_main(hands)
    game.play("offer 1 grain : 1 wool to blue", by="red")
    assert Easy().choose(game.view("blue")).kind == "accept"
    game = at_main(hands)
    game.referee.state.points[0] = 8
    game.play("offer 1 grain : 1 wool to blue", by="red")
    assert Easy().choose(game.view("blue")).kind == "reject"


def test_it_weighs_what_a_trade_gives_the_other_side() -> None:
    """Both would complete a city: fine with somebody who has far to go, not with one who would then lack two points."""
    answers = {}
    for ore, points in ((2, 3), (2, 7), (1, 7)):
        game = at_main(NOBODY_HAS_ANYTHING | {"red": f"{ore} ore 3 grain", "blue": "4 ore 1 grain"})
        game.referee.state.points[0] = points
        game.play("offer 1 grain : 1 ore to blue", by="red")
        answers[ore, points] = Easy().choose(game.view("blue")).kind
    assert answers == {(2, 3): "accept", (2, 7): "reject", (1, 7): "accept"}


def test_it_gives_no_card_that_completes_the_longest_road_of_one_who_would_then_be_about_to_win() -> None:
    answers = []
    for length in (3, 4):
        game = at_main(NOBODY_HAS_ANYTHING | {"red": "3 brick 3 lumber"})
        for road in ("A1/e", "A1/ne", "A1/nw")[: length - 1]:
            game.play(f"road {road}", by="red")
        dealt(game, NOBODY_HAS_ANYTHING | {"red": "1 brick 2 grain", "blue": "3 ore 1 grain 2 lumber"})
        game.referee.state.points[0] = 6
        game.play("offer 1 grain : 1 lumber to blue", by="red")
        answers.append(Easy().choose(game.view("blue")).kind)
    assert answers == ["accept", "reject"]


def test_it_offers_nothing_that_brings_another_close_to_winning() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain 1 brick 1 lumber"}
    kinds = []
    for points in (2, 7):
        game = at_main(hands)
        state = game.referee.state
        state.points[1] = points
        state.reach[1] |= state.sites & -state.sites  # a corner where blue can settle
        kinds.append(Easy().choose(game.view("red")).kind)
    assert kinds[0] == "offer"
    assert kinds[1] != "offer"


def test_it_counters_with_what_it_needs() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "1 grain 1 brick", "blue": "3 ore 1 grain 2 wool"})
    game.play("offer 1 brick : 1 wool to blue", by="red")
    action = Easy().choose(game.view("blue"))
    assert (action.kind, action.give, action.take) == ("counter", Cards("1 wool"), Cards("1 grain"))


def test_it_does_not_accept_cards_that_may_be_gone() -> None:
    """TRADE-10: what the partner holds is looked at when cards change hands; the simple player counts them before."""
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "1 grain", "blue": "3 ore 1 grain 1 wool", "white": "1 brick"})
    game.play("offer 1 grain : 1 wool to blue", by="red")
    game.play("offer 1 grain : 1 brick to white", by="red")
    game.play("accept #2", by="white")
    assert Easy().choose(game.view("blue")).kind == "reject"


def test_it_discards_what_it_needs_least() -> None:
    game = Game(edition="sixth", setup="fixed", first=0, seed=1)
    state = game.referee.state
    state.hand[0] = pack_named(dict(Cards("3 ore 2 grain 5 wool")), RESOURCES)
    state.phase, state.owed[0] = 5, 5
    game.referee.start_belief()
    assert game.phase == "discard"
    action = Easy().choose(game.view("red"))
    assert (action.kind, action.give) == ("discard", Cards("5 wool"))


def test_the_robber_goes_where_it_hurts_others_and_not_itself() -> None:
    for seed in range(5):
        game = Game(edition="fifth", setup="fixed", first=0, seed=seed)
        game.referee.state.phase = 6
        assert game.phase == "robber"
        view = game.view("red")
        action = Easy(seed).choose(view)
        near = {color for color in view.colors for corner in view.settlements(color) if _touches(corner, action.place)}
        assert near
        assert "red" not in near


def _touches(corner: str, hexagon: str | None) -> bool:
    from hexholm.rules.places import CORNER_HEXES, CORNER_ID, HEX_ID

    return HEX_ID[hexagon or ""] in CORNER_HEXES[CORNER_ID[corner]]


def test_it_plays_a_knight_when_it_is_robbed() -> None:
    game = Game(edition="fifth", setup="fixed", first=0, seed=1)
    state = game.referee.state
    state.cards[0] = pack_named({"knight": 1}, CARD_KINDS)
    game.referee.start_belief()
    assert Easy().choose(game.view("red")).kind == "roll"
    from hexholm.rules.places import CORNER_HEXES, CORNER_ID

    state.robber = CORNER_HEXES[CORNER_ID[game.view("red").settlements()[0]]][0]
    assert Easy().choose(game.view("red")).kind == "knight"


def test_it_can_be_reminded_of_what_it_said() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "3 ore 1 grain 1 wool", "blue": "2 grain"}
    view = at_main(hands).view("red")
    player = Easy()
    offer = player.choose(view)
    assert offer.kind == "offer"
    assert player.choose(view).kind != "offer"
    player.remind(view.turn, [])
    assert player.choose(view) == offer
    fresh = Easy()
    fresh.remind(view.turn, [offer])
    assert fresh.choose(view).kind != "offer"


def test_it_can_be_reminded_of_whom_it_countered() -> None:
    hands = NOBODY_HAS_ANYTHING | {"red": "2 grain 1 brick", "blue": "3 ore 1 grain 1 wool"}
    game = at_main(hands)
    game.play("offer 1 brick : 1 wool to blue", by="red")
    view = game.view("blue")
    counter = Easy().choose(view)
    assert counter.kind == "counter"
    fresh = Easy()
    fresh.remind(view.turn, [counter], ["red"])
    assert fresh.choose(view).kind == "reject"
    fresh.remind(view.turn, [], ["white"])
    assert fresh.choose(view) == counter
