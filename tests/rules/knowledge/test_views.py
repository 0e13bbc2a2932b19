"""What a seat may know: views (INFO). What it can infer is in test_belief.py."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES, Sight, State, View
from tests.helpers.legal_texts import legal_texts
from tests.helpers.marks import all_editions
from tests.helpers.speed import COMPILED

from ..scenes import Scene, by_seat, cards, offer, opening, scene, traders

HIDDEN = {
    "hand",
    "development",
    "new_cards",
    "deck",
    "discards",
    "owed",
}  # the fields of a game that a view may strike out
PUBLIC = [name for name in State.fields if name not in HIDDEN]


def field(record: State, name: str) -> Any:
    """The bytes of one field."""
    return record.buffer.view(type(record).dtype)[0][name].tobytes()


def view_bytes(game: Scene, observer: int | None) -> bytes:
    """A view as it would be sent: all its bytes."""
    return game.view(observer).buffer.tobytes()


def known_cards(game: Scene, observer: int | None) -> list[int] | None:
    """The hands of all, if the observer can be sure of them."""
    view = game.view(observer)
    return [view.world_hand[0, seat] for seat in range(4)] if view.worlds == 1 else None


def hands(game: Scene) -> list[int]:
    return [game.state.hand[seat] for seat in range(4)]


def observers(game: Scene) -> list[int | None]:
    return [*range(game.state.players), None]


def rich(edition: str, **scene_options: Any) -> Scene:
    """Everybody holds something, seat 0 is on turn with settlements for all."""
    return scene(
        edition,
        hands=by_seat(edition, "1 brick 2 wool 1 grain 1 ore", "2 ore", "1 wool 1 grain", "3 lumber"),
        dev=by_seat(edition, "1 knight 1 monopoly", "2 victory-point", "1 knight", "1 year-of-plenty"),
        settlements=by_seat(edition, "C3n", "B2n", "D2s", "E3n"),
        **scene_options,
    )


# --- resource cards ------------------------------------------------


@pytest.mark.rule("INFO-01", "INFO-01.e1", "INFO-02", "INFO-02.e1")
@all_editions
@pytest.mark.parametrize("phase", ["roll", "main", "robber"])
def test_the_hand_of_another_is_a_number(edition: str, phase: str) -> None:
    game = rich(edition, phase=phase)
    for observer in observers(game):
        view = game.view(observer)
        assert [view.hand_size[seat] for seat in range(4)] == [5, 2, 2, 3]
        for seat in range(4):
            assert view.hand[seat] == (game.state.hand[seat] if seat == observer else 0)


@pytest.mark.rule("INFO-01", "INFO-03")
@pytest.mark.parametrize("phase", ["roll", "main", "robber"])
def test_a_sight_is_a_view_without_what_can_be_inferred(phase: str) -> None:
    game = rich("fifth", phase=phase)
    for observer in observers(game):
        view, sight = game.view(observer), game.sight(observer)
        assert not [name for name in Sight.fields if field(sight, name) != field(view, name)]


@pytest.mark.rule("INFO-01", "INFO-01.e1")
@all_editions
def test_kinds_that_never_passed_over_the_table_are_nowhere_in_a_view(edition: str) -> None:
    """After a theft between others the hand of the thief may be one thing or another; the view is the same."""
    views = set()
    for stolen_kind in RESOURCES:
        game = traders(
            edition,
            "",
            "1 brick 1 lumber 1 wool 1 grain 1 ore",
            "1 ore",
            phase="robber",
            settlements=by_seat(edition, "", "B2n"),
        )
        game.play(0, "robber B2")
        game.deal(f"stolen {stolen_kind}")
        views.add((view_bytes(game, 2), view_bytes(game, 3), view_bytes(game, None)))
    assert len(views) == 1


@pytest.mark.rule("INFO-02")
@all_editions
@pytest.mark.parametrize("players", [3, 4])
def test_hand_sizes_follow_all_that_happens(edition: str, players: int) -> None:
    game = opening(edition=edition, players=players, setup="fixed", first=0)
    dice = random.Random(7)
    for _ in range(60):
        if game.phase == "roll":
            game.roll(dice.choice([4, 5, 6, 8, 9, 10]))
        trades = [
            text for text in legal_texts(game, game.state.active) if text.startswith(("supply", "road", "settlement"))
        ]
        game.play(game.state.active, dice.choice([*trades, "end"]))
        for observer in observers(game):
            view = game.view(observer)
            assert [view.hand_size[seat] for seat in range(players)] == [game.size(seat) for seat in range(players)]
    assert max(game.size(seat) for seat in range(players)) > 3


# --- development cards ------------------------------------------------


@pytest.mark.rule("INFO-03", "INFO-03.e1")
@all_editions
def test_development_cards_of_another_are_a_number(edition: str) -> None:
    game = rich(edition)
    game.buy(0, "victory-point")
    for observer in observers(game):
        view = game.view(observer)
        assert [view.card_count[seat] for seat in range(4)] == [3, 2, 1, 1]
        assert view.new_count == 1  # that it was bought this turn is public
        for seat in range(4):
            assert view.development[seat] == (game.state.development[seat] if seat == observer else 0)
        assert view.new_cards == (cards("1 victory-point", CARD_KINDS) if observer == 0 else 0)


@pytest.mark.rule("INFO-03", "INFO-06", "INFO-06.e1")
@all_editions
def test_which_card_was_bought_shows_to_the_buyer_only(edition: str) -> None:
    views_by_observer: dict[int | None, set[bytes]] = {}
    for kind in CARD_KINDS:
        game = rich(edition)
        game.play(0, "buy")
        for observer in observers(game):
            views_by_observer.setdefault(observer, set()).add(view_bytes(game, observer))
        assert len(views_by_observer[0]) == 1  # the card is in the air: the buyer knows nothing either
        game.deal(f"drawn {kind}")
        assert game.view(0).development[0] == game.state.development[0]
        for observer in (1, 2, 3, None):
            views_by_observer[observer].add(view_bytes(game, observer))
        game.pass_turn(2)
        for observer in (1, 2, 3, None):
            views_by_observer[observer].add(view_bytes(game, observer))
    for observer in (1, 2, 3, None):
        assert len(views_by_observer[observer]) == 3  # one view each: before the draw, after it, in the next turn


@pytest.mark.rule("INFO-06", "INFO-06.e1")
@all_editions
def test_the_deck_is_a_size_in_every_view(edition: str) -> None:
    game = rich(edition)
    assert sum(sum(game.development(seat).values()) for seat in range(4)) == 6
    for observer in observers(game):
        view = game.view(observer)
        assert (view.deck, view.deck_size) == (0, 19)
        assert view.supply == game.state.supply
    game.buy(0, "knight")
    assert [game.view(observer).deck_size for observer in observers(game)] == [18] * 5
    for secret in ("seed", "key", "next", "order", "chance", "random"):
        assert not [name for name in View.fields if secret in name]


@pytest.mark.rule("INFO-06.e1")
@all_editions
def test_the_rest_of_the_deck_does_not_show(edition: str) -> None:
    views = set()
    for deck in ("3 knight 1 monopoly", "1 knight 3 victory-point", "4 road-building"):
        game = traders(edition, "1 wool 1 grain 1 ore", "1 brick", deck=deck)
        views.add(tuple(view_bytes(game, observer) for observer in observers(game)))
        game.play(0, "buy")
        views.add(tuple(view_bytes(game, observer) for observer in observers(game)))
    assert len(views) == 2


# --- points ------------------------------------------------


@pytest.mark.rule("INFO-04", "INFO-04.e1")
@all_editions
def test_hidden_points_are_in_the_own_score_only(edition: str) -> None:
    game = rich(edition)
    for observer in observers(game):
        view = game.view(observer)
        assert [view.points[seat] for seat in range(4)] == [1, 1, 1, 1]
        assert view.own_points == {1: 3, None: -1}.get(observer, 1)
        assert [view.revealed[seat] for seat in range(4)] == [-1] * 4
    game.buy(0, "victory-point")
    assert game.view(0).own_points == 2
    assert [game.view(observer).points[0] for observer in observers(game)] == [1] * 5


@pytest.mark.rule("INFO-04")
@all_editions
def test_victory_point_cards_of_all_show_when_the_game_is_over(edition: str) -> None:
    game = scene(
        edition,
        hands=by_seat(edition, "2 grain 3 ore"),
        cities=by_seat(edition, "A1n A3n C1nw"),
        settlements=by_seat(edition, "C3n", "B2n"),
        dev=by_seat(edition, "2 victory-point", "1 victory-point 1 knight", "1 knight"),
    )
    assert [game.view(2).revealed[seat] for seat in range(4)] == [-1] * 4
    game.play(0, "city C3n")
    assert game.phase == "over"
    for observer in observers(game):
        view = game.view(observer)
        assert [view.revealed[seat] for seat in range(4)] == [2, 1, 0, 0]
        assert view.development[2] == (game.state.development[2] if observer == 2 else 0)  # other kinds stay hidden


# --- what is public ------------------------------------------------


@pytest.mark.rule("INFO-05")
@all_editions
def test_all_that_lies_open_is_in_every_view(edition: str) -> None:
    game = rich(edition, phase="roll", roads=by_seat(edition, "C3/ne", "B2/nw"), robber="A1")
    game.play(0, "knight")
    game.play(0, "robber B2")
    game.deal("stolen ore")
    game.roll(6)
    game.play(1, offer(game, "1 ore : 1 wool", 0))
    for observer in observers(game):
        view = game.view(observer)
        for name in PUBLIC:
            assert field(view, name) == field(game.state, name), name
        assert (view.robber, view.die_a + view.die_b, view.played[0]) == (4, 6, cards("1 knight", CARD_KINDS))
        assert (view.offer_give[0], view.offer_want[0]) == (cards("1 ore"), cards("1 wool"))
        assert (view.offer_maker[0], view.offer_to[0]) == (1, 1 << 0)
        assert [view.road_length[seat] for seat in range(4)] == [1, 1, 0, 0]


@pytest.mark.rule("INFO-05", "INFO-05.e1")
@all_editions
@pytest.mark.parametrize("players", [3, 4])
def test_a_spectator_sees_what_is_public_and_no_more(edition: str, players: int) -> None:
    own = HIDDEN | {"observer", "own_points", "to_act", "world_weight", "world_hand", "worlds"}
    game = opening(edition=edition, players=players, setup="fixed", first=0)
    game.roll(7)
    game.play(0, "robber B2" if game.allowed(0, "robber B2") else "robber A1")
    if game.phase == "victim":
        game.play(0, next(text for text in legal_texts(game, 0)))
    if game.phase == "theft":
        game.deal(next(iter(game.chance())))
    spectator = game.view(None)
    for name in ("hand", "development", "new_cards", "deck", "discards"):
        assert not any(field(spectator, name)), name
    for seat in range(players):
        view = game.view(seat)
        for name in View.fields:
            if name not in own:
                assert field(view, name) == field(spectator, name), name
    assert (spectator.observer, spectator.own_points) == (4, -1)


# --- thefts and discards ------------------------------------------------


@pytest.mark.rule("INFO-07", "INFO-09.e2")
@all_editions
@pytest.mark.parametrize("cause", ["seven", "knight"])
def test_only_thief_and_victim_know_the_stolen_card(edition: str, cause: str) -> None:
    views_by_observer: dict[int | None, set[bytes]] = {}
    for stolen_kind in ("brick", "wool", "ore"):
        hold = by_seat(edition, "1 grain", "1 brick 2 wool 1 ore", "1 lumber")
        game = scene(
            edition,
            phase="roll",
            hands=hold,
            dev=by_seat(edition, "1 knight"),
            settlements=by_seat(edition, "C3n", "B2n"),
        )
        if cause == "seven":
            game.roll(7)
        else:
            game.play(0, "knight")
        game.play(0, "robber A2")
        game.deal(f"stolen {stolen_kind}")
        assert game.hand(0)[stolen_kind] == 1
        for observer in observers(game):
            views_by_observer.setdefault(observer, set()).add(view_bytes(game, observer))
        for observer in (0, 1):
            assert known_cards(game, observer) == hands(game)
        for observer in (2, 3, None):
            assert known_cards(game, observer) is None
            assert [game.view(observer).hand_size[seat] for seat in (0, 1)] == [2, 3]
    assert {observer: len(different) for observer, different in views_by_observer.items()} == {
        0: 3,
        1: 3,
        2: 1,
        3: 1,
        None: 1,
    }


@pytest.mark.rule("INFO-08", "INFO-08.e1")
@all_editions
def test_discards_show_by_kind_when_the_last_is_in(edition: str) -> None:
    game = traders(edition, "4 brick 4 wool", "5 ore 4 grain", "2 wool", phase="roll")
    game.roll(7)
    for observer in observers(game):
        assert [game.view(observer).owed[seat] for seat in range(4)] == [4, 4, 0, 0]  # how many is public at once
    before = {observer: view_bytes(game, observer) for observer in (1, 2, 3, None)}
    game.play(0, "discard 1 brick 3 wool")
    for observer, view_before in before.items():
        assert view_bytes(game, observer) == view_before  # nobody sees what, nor that seat 0 has chosen
    own_view = game.view(0)
    assert (own_view.discards[0], own_view.owed[0], own_view.to_act) == (cards("1 brick 3 wool"), 0, 1 << 1)
    game.play(1, "discard 4 ore")
    assert hands(game) == [cards("3 brick 1 wool"), cards("4 grain 1 ore"), cards("2 wool"), 0]
    for observer in observers(game):
        view = game.view(observer)
        assert known_cards(game, observer) == hands(game)
        assert view.supply == cards("16 brick 19 lumber 16 wool 15 grain 18 ore")
        assert [view.owed[seat] for seat in range(4)] == [0] * 4


@pytest.mark.rule("INFO-08")
@all_editions
def test_who_has_chosen_does_not_show_before_the_last(edition: str) -> None:
    views = set()
    for first_seat, second_seat in ((0, 1), (1, 0)):
        for choice in ("4 brick", "4 wool", "2 brick 2 wool"):
            game = traders(edition, "4 brick 4 wool", "4 brick 4 wool", "4 ore 4 grain", phase="roll")
            game.roll(7)
            game.play(first_seat, f"discard {choice}")
            views.add((view_bytes(game, 2), view_bytes(game, 3), view_bytes(game, None)))
            game.play(second_seat, f"discard {choice}")
            views.add((view_bytes(game, 2), view_bytes(game, 3), view_bytes(game, None)))
            assert game.view(3).to_act == 0b0111  # as the others see it
            assert game.to_act() == [2]
    assert len(views) == 1


# --- cards that pass over the open table ------------------------------------------------


@pytest.mark.rule("INFO-09")
@all_editions
@pytest.mark.parametrize(
    "act",
    ["road C3/ne", "city C3n", "buy", "supply 4 ore : 1 wool", "year-of-plenty wool wool", "monopoly lumber", "offer"],
)
def test_cards_that_pass_over_the_table_are_public(edition: str, act: str) -> None:
    game = scene(
        edition,
        hands=by_seat(edition, "1 brick 1 lumber 1 wool 3 grain 5 ore", "2 lumber", "1 lumber 1 wool"),
        settlements=by_seat(edition, "C3n"),
        dev=by_seat(edition, "1 monopoly 1 year-of-plenty"),
    )
    before = hands(game)
    if act == "offer":
        game.play(0, offer(game, "2 ore : 2 lumber", 1, 2))
        game.play(1, "accept #1")
        game.play(0, f"confirm #1 {game.colors[1]}")
    else:
        game.play(0, act)
    assert hands(game) != before
    for observer in observers(game):
        assert known_cards(game, observer) == hands(game)


@pytest.mark.rule("INFO-09", "INFO-09.e1")
@all_editions
@pytest.mark.parametrize("setup", ["fixed", "variable"])
def test_hands_are_known_exactly_until_the_first_theft_among_others(edition: str, setup: str) -> None:
    game = opening(edition=edition, setup=setup, first=0)
    pick = random.Random(3)
    while game.phase in ("settlement", "road"):
        game.play(game.state.active, pick.choice(legal_texts(game, game.state.active)))
        assert all(known_cards(game, observer) == hands(game) for observer in observers(game))
    for _ in range(150 if COMPILED else 50):
        if game.phase == "roll":
            game.roll(pick.choice([4, 5, 6, 8, 9, 10]))
        elif game.phase == "draw":
            game.deal(pick.choice(list(game.chance())))
        else:
            no = ("knight",)
            game.play(
                game.state.active,
                pick.choice([x for x in legal_texts(game, game.state.active) if not x.startswith(no)]),
            )
        assert all(known_cards(game, observer) == hands(game) for observer in observers(game))
    if game.phase == "main":
        game.pass_turn()
    thief = game.state.active
    victim = max(
        (seat for seat in range(4) if seat != thief), key=lambda seat: len(set(game.hand(seat).values()) - {0})
    )
    game.state.hand[victim] = cards("1 brick 1 ore")  # a hand of two kinds, for certain
    game.start_belief()
    game.roll(7)
    while game.phase == "discard":
        acting_seat = game.to_act()[0]
        game.play(acting_seat, game.legal(acting_seat)[0])
    target = next(text for text in legal_texts(game, thief) if robs_only(game, thief, victim, text))
    game.play(thief, target)
    game.deal("stolen ore")
    for observer in observers(game):
        assert (known_cards(game, observer) == hands(game)) == (observer in (thief, victim))


def robs_only(game: Scene, thief: int, victim: int, action: str) -> bool:
    """Whether a move of the robber leads to a theft from `victim` without a choice."""
    twin = game.copy()
    twin.play(thief, action)
    return twin.phase == "theft" and twin.state.victim == victim
