"""Every kind of event in a position made for it: what is told, to whom, in which words."""

from __future__ import annotations

from typing import Any

import pytest

from hexholm.game import events as e
from hexholm.game.cards import Cards
from hexholm.game.events import Event, events_of
from hexholm.game.language.words import Words
from hexholm.rules.encoding.structs import NATURE
from hexholm.rules.reasons import IllegalAction
from tests.helpers.legal_texts import legal_texts
from tests.rules.scenes import Scene, after_seven, by_seat, chain, changed_board, opening, scene, traders
from tests.rules.turns import seven, turn_of

NOTHING = Cards()
WORDS = Words()


def events_told(game: Scene, actor: int | None, action: str) -> list[Event]:
    """What is told when a seat, or Nature (None), does this."""
    before, open_offers = game.state.copy(), game.open_offers.copy()
    code = game.action_code(action, actor)
    if actor is None:
        game.deal(code)
    else:
        game.play(actor, code)
    seat = NATURE if actor is None else actor
    return list(events_of(game.options, before, game.state, open_offers, game.open_offers, seat, code))


def roll(game: Scene, total: int) -> list[Event]:
    """What is told of a roll; going to roll tells nothing."""
    assert events_told(game, game.state.active, "roll") == []
    return events_told(game, None, f"dice {max(1, total - 6)} {total - max(1, total - 6)}")


def sentences(game: Scene, events: list[Event], to: str | None = None) -> list[str]:
    """The faces for a reader in words."""
    faces = [event.seen_by(to) for event in events]
    return [WORDS.say(face, game.options, to) for face in faces if face is not None]


def faces(event: Event, *colors: str | None) -> list[Event | None]:
    return [event.seen_by(color) for color in colors]


# --- the beginning ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-06", "SETUP-07")
def test_the_start_roll_is_told_with_its_ties() -> None:
    game = opening(edition="fifth", setup="variable", first="roll", players=3)
    begin = e.opening_events(game.options, game.state)
    assert begin == (
        e.GameBegan("fifth", "variable", ("red", "blue", "white"), begin[0].as_dict()["robber"]),
        e.RollForStart(("red", "blue", "white"), again=False),
    )
    assert events_told(game, None, "dice 6 3") == [e.StartRolled("red", (6, 3), 9)]
    assert events_told(game, None, "dice 1 1") == [e.StartRolled("blue", (1, 1), 2)]
    tied = events_told(game, None, "dice 4 5")
    assert tied == [e.StartRolled("white", (4, 5), 9), e.RollForStart(("red", "white"), again=True)]
    assert sentences(game, tied, "white") == [
        "You roll 9 (4 and 5).",
        "The highest roll is tied: red and you roll again.",
    ]
    events_told(game, None, "dice 1 2")
    assert events_told(game, None, "dice 2 2") == [
        e.StartRolled("white", (2, 2), 4),
        e.StarterChosen("white", "roll"),
        e.PlacementTurn("white", 1),
    ]


@pytest.mark.rule("SETUP-08", "SETUP-10", "SETUP-05")
@pytest.mark.parametrize(
    "more, starter",
    [
        ({"first": 1}, e.StarterChosen("blue", "named")),
        ({"ages": (20, 30, 70, 50)}, e.StarterChosen("white", "oldest")),
        ({}, e.StarterChosen("red", "seat")),
    ],
)
def test_a_fixed_set_up_is_told_piece_by_piece(more: dict[str, Any], starter: e.StarterChosen) -> None:
    game = opening(edition="fifth", setup="fixed", **more)
    begin = e.opening_events(game.options, game.state)
    assert sum(event.name == "built" for event in begin) == 16
    assert [event for event in begin if event.name == "start_cards"] == [
        e.StartCards(color, Cards(game.hand(color))) for color in game.colors
    ]
    assert begin[-2:] == (starter, e.TurnBegan(starter.player, 1))


@pytest.mark.rule("SETUP-11", "SETUP-12", "SETUP-16")
@pytest.mark.parametrize("edition, when", [("zip", [11, 11, 11]), ("fifth", [6, 8, 10]), ("threed", [7, 9, 11])])
def test_placement_tells_who_is_next_and_the_start_cards_when_they_come(edition: str, when: list[int]) -> None:
    more: dict[str, Any] = {"map": 2} if edition == "zip" else {}
    game = opening(edition=edition, setup="variable", first=0, players=3, **more)
    assert e.opening_events(game.options, game.state)[-1] == e.PlacementTurn(game.colors[0], 1)
    granted: list[int] = []
    for n in range(12):
        mover = game.state.active
        events = events_told(game, mover, game.action_text(game.legal(mover)[7 if n % 2 == 0 else 0]))
        assert events[0] == e.Built(
            game.colors[mover], ("settlement", "road")[n % 2], events[0].as_dict()["place"], NOTHING
        )
        granted += [n for event in events if isinstance(event, e.StartCards)]
        if n == 11:
            assert events[-1] == e.TurnBegan(game.colors[0], 1)
        elif n % 2:
            assert events[-1] == e.PlacementTurn(game.colors[game.state.active], 1 + (n >= 5))
    assert granted == when


# --- dice ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PROD-01", "PROD-08", "PROD-09")
def test_production_and_what_the_supply_cannot_pay() -> None:
    board = changed_board(B2="mountains 5", D4="mountains 5", E2="hills 5")
    places: dict[str, Any] = {"board": board, "phase": "roll", "robber": "E1"}
    alone = scene(cities={"red": "B2n B2s"}, settlements={"blue": "E2s"}, bank="5 brick 3 ore", **places)
    assert roll(alone, 5) == [
        e.Rolled("red", (1, 4), 5),
        e.Produced(
            {"red": Cards("3 ore"), "blue": Cards("1 brick")},
            {"B2": {"red": Cards("3 ore")}, "E2": {"blue": Cards("1 brick")}},
        ),
        e.SupplyShort("ore", 4, 3, "red"),
    ]
    shared = scene(cities={"red": "B2n"}, settlements={"blue": "D4n"}, bank="5 brick 2 ore", **places)
    events = roll(shared, 5)
    assert events[1:] == [e.Produced({}, {}), e.SupplyShort("ore", 3, 0, None)]
    assert sentences(shared, events[1:]) == [
        "Nobody gets anything.",
        "The supply does not have the 3 ore due: nobody gets any.",
    ]
    enough = scene(cities={"red": "B2n"}, settlements={"blue": "D4n"}, bank="3 ore", **places)
    paid = {"red": Cards("2 ore"), "blue": Cards("1 ore")}
    hexes = {"B2": {"red": Cards("2 ore")}, "D4": {"blue": Cards("1 ore")}}
    assert roll(enough, 5)[1:] == [e.Produced(paid, hexes)]
    blocked = scene(cities={"red": "B2n B2s"}, bank="1 ore", board=board, phase="roll", robber="B2")
    assert roll(blocked, 5)[1:] == [e.Produced({}, {})]


def test_the_bag_of_balanced_dice_is_filled_in_the_open() -> None:
    game = scene(phase="roll", balanced_dice=True)
    game.state.dice_bag = (1 << 13) - 1
    assert roll(game, 2) == [e.Rolled("red", (1, 1), 2), e.DiceBagFilled(), e.Produced({}, {})]


# --- a seven ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SEVEN-02", "SEVEN-05", "INFO-08", "INFO-08.e1")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_discards_are_told_when_all_are_in_in_the_order_of_the_seats(order: tuple[int, int]) -> None:
    game = turn_of("fifth", "4 lumber 4 ore", "4 brick 4 wool", phase="roll")
    assert roll(game, 7)[1:] == [e.MustDiscard({"red": 4, "blue": 4})]
    choice = {0: "2 lumber 2 ore", 1: "3 brick 1 wool"}
    first = events_told(game, order[0], f"discard {choice[order[0]]}")
    own_choice = e.ChoseDiscard(game.colors[order[0]], Cards(choice[order[0]]))
    assert first == [own_choice]
    assert own_choice.hidden
    others = [color for color in game.colors if color != own_choice.player]
    assert faces(own_choice, own_choice.player) == [own_choice]
    assert faces(own_choice, None, *others) == [None] * 4
    last = events_told(game, order[1], f"discard {choice[order[1]]}")
    open_now = [e.Discarded("red", Cards(choice[0])), e.Discarded("blue", Cards(choice[1]))]
    assert last == [e.ChoseDiscard(game.colors[order[1]], Cards(choice[order[1]])), *open_now]
    for color in (None, "white", "orange", own_choice.player):
        assert [face for event in last if (face := event.seen_by(color))] == open_now
    assert sentences(game, last) == ["Red discards 2 lumber and 2 ore.", "Blue discards 3 brick and 1 wool."]


@pytest.mark.rule("SEVEN-04")
def test_a_discard_card_by_card_is_told_as_a_whole_in_the_end() -> None:
    game = seven("fifth")
    events_told(game, 1, "discard 2 brick 2 wool")
    for card in ("lumber", "lumber", "ore"):
        events = events_told(game, 0, f"discard-card {card}")
        assert events == [e.ChoseDiscard("red", Cards(f"1 {card}"))]
        assert sentences(game, events, "red") == [f"You choose to discard 1 {card}."]
        assert sentences(game, events, "blue") == sentences(game, events) == []
    assert events_told(game, 0, "discard-card ore") == [
        e.ChoseDiscard("red", Cards("1 ore")),
        e.Discarded("red", Cards("2 lumber 2 ore")),
        e.Discarded("blue", Cards("2 brick 2 wool")),
    ]


@pytest.mark.rule("ROBBER-06", "ROBBER-12", "INFO-07", "INFO-09.e2")
def test_the_kind_of_a_stolen_card_is_told_to_thief_and_victim_only() -> None:
    game = after_seven(settlements=by_seat("fifth", "", "C2n", "C2s"), hands={"blue": "1 ore", "white": "1 wool"})
    moved = events_told(game, 0, "robber C2")
    assert moved == [e.RobberMoved("red", "C2", "C3", ("blue", "white"))]
    assert events_told(game, 0, "steal blue") == [e.VictimChosen("red", "blue")]
    (theft,) = events_told(game, None, "stolen ore")
    known, unknown = e.Stole("red", "blue", "ore"), e.Stole("red", "blue", None)
    assert theft == known
    assert faces(theft, "red", "blue", "white", "orange", None) == [known, known, unknown, unknown, unknown]
    assert theft.hidden
    assert not unknown.hidden
    assert sentences(game, [theft], "red") == ["You steal 1 ore from blue."]
    assert sentences(game, [theft], "blue") == ["Red steals 1 ore from you."]
    assert sentences(game, [theft], "white") == sentences(game, [theft]) == ["Red steals a card from blue."]


@pytest.mark.rule("ROBBER-07", "ROBBER-08", "ROBBER-12")
def test_a_robber_who_finds_nothing() -> None:
    game = after_seven(settlements=by_seat("fifth", "", "C2n"))
    events = events_told(game, 0, "robber C2")
    assert events == [e.RobberMoved("red", "C2", "C3", ("blue",)), e.FoundNothing("red", "blue")]
    game = after_seven(settlements=by_seat("fifth", "", "C2n", "C2s"), hands={"white": "1 wool"})
    events_told(game, 0, "robber C2")
    assert events_told(game, 0, "steal blue") == [e.VictimChosen("red", "blue"), e.FoundNothing("red", "blue")]
    game = after_seven()
    assert sentences(game, events_told(game, 0, "robber C2"), "red") == [
        "You move the robber from C3 to C2, where nobody can be robbed."
    ]


# --- building and awards ---------------------------------------------------------------------------------------------


@pytest.mark.rule("PHASE-05", "TRADE-03")
def test_a_paid_build_ends_trading_where_phases_are_separate() -> None:
    for edition in ("fifth", "sixth"):
        game = turn_of(edition, "2 brick 2 lumber 1 wool 1 grain 1 ore", "1 ore")
        events_told(game, 1, "offer 1 ore : 1 wool to red")
        built = e.Built("red", "road", "C3/e", Cards("1 brick 1 lumber"))
        closed = [e.TradingEnded("red"), e.OfferClosed(1, "trading")] if edition == "fifth" else []
        assert events_told(game, 0, "road C3/e") == [built, *closed]
        assert events_told(game, 0, "buy") == [e.Bought("red", Cards("1 wool 1 grain 1 ore"))]


@pytest.mark.rule("LROAD-01", "LROAD-03")
def test_longest_road_is_taken_and_taken_over() -> None:
    game = scene(
        roads={"red": chain("AB", 4), "blue": chain("DE", 5)},
        hands={"red": "9 brick 9 lumber"},
    )
    assert game.holder("longest_road") == "blue"
    assert [event.name for event in events_told(game, 0, "road " + chain("AB", 1, 4))] == ["built", "trading_ended"]
    events = events_told(game, 0, "road " + chain("AB", 1, 5))
    assert events[1:] == [e.AwardMoved("longest-road", "red", "blue", 6)]
    assert sentences(game, events[1:], "blue") == ["Red takes Longest Road from you with 6 roads."]
    game = scene("sixth", roads={"red": chain("AB", 4)}, hands={"red": "1 brick 1 lumber"})
    events = events_told(game, 0, "road " + chain("AB", 1, 4))
    assert events[1:] == [e.AwardMoved("longest-road", "red", None, 5)]
    assert sentences(game, events[1:]) == ["Red takes Longest Route with 5 roads."]


@pytest.mark.rule("LROAD-07", "LROAD-10")
def test_a_cut_road_loses_its_award() -> None:
    roads = {"blue": chain("BC", 6), "red": "B1/e"}
    game = scene("sixth", roads=roads, hands={"red": "1 brick 1 lumber 1 wool 1 grain"})
    events = events_told(game, 0, "settlement C2n")
    assert events[1] == e.AwardMoved("longest-road", None, "blue", 0)
    assert sentences(game, events[1:2], "blue") == ["You lose Longest Route; nobody has it now."]


@pytest.mark.rule("ARMY-01", "ARMY-02")
def test_a_knight_and_the_largest_army() -> None:
    game = scene(dev={"red": "1 knight"}, played={"red": "2 knight"})
    events = events_told(game, 0, "knight")
    assert events == [e.PlayedCard("red", "knight"), e.AwardMoved("largest-army", "red", None, 3)]
    assert sentences(game, events, "red") == ["You play a Knight.", "You take Largest Army with 3 knights."]
    game = scene(dev={"red": "1 knight"}, played={"red": "3 knight", "blue": "3 knight"}, largest_army="blue")
    assert events_told(game, 0, "knight")[1] == e.AwardMoved("largest-army", "red", "blue", 4)


@pytest.mark.rule("ZIP-06", "ZIP-07")
def test_limit_tiles_come_and_go() -> None:
    game = scene(
        "zip",
        settlements={"black": "A1n A2n A3n C1n"},
        cities={"black": "E1s E2s E3s"},
        roads={"black": chain("CD", 2, 4)},
        hands={"black": "1 brick 1 lumber 1 wool 3 grain 3 ore"},
        points_to_win=20,
    )
    (spot,) = [text for text in legal_texts(game, 0) if text.startswith("settlement")][:1]
    assert events_told(game, 0, spot)[1:] == [e.LimitTile("black", "settlement", received=True)]
    events = events_told(game, 0, "city A1n")
    assert events[1:] == [
        e.LimitTile("black", "settlement", received=False),
        e.LimitTile("black", "city", received=True),
    ]
    assert sentences(game, events[1:], "black") == [
        "You give back the limit tile for your settlements.",
        "You take a limit tile for your cities.",
    ]


# --- development cards -----------------------------------------------------------------------------------------------


@pytest.mark.rule("INFO-03", "DEV-01")
def test_a_bought_card_is_known_to_its_owner_only() -> None:
    game = traders("zip", "1 wool 1 grain 1 ore")
    bought = events_told(game, 0, "buy")
    assert bought == [e.Bought("black", Cards("1 wool 1 grain 1 ore"))]
    (drew,) = events_told(game, None, "drawn year-of-plenty")
    known, unknown = e.Drew("black", "year-of-plenty"), e.Drew("black", None)
    assert drew == known
    assert faces(drew, "black", "blue", None) == [known, unknown, unknown]
    assert (drew.hidden, unknown.hidden) == (True, False)
    assert sentences(game, [*bought, drew], "black") == ["You build a development tile.", "You draw Invention."]
    assert sentences(game, [*bought, drew]) == ["Black builds a development tile.", "Black draws the development tile."]


@pytest.mark.rule("DEV-18")
def test_free_roads_are_placed_left_out_or_without_a_place() -> None:
    game = turn_of("fifth", dev=by_seat("fifth", "1 road-building"))
    assert events_told(game, 0, "road-building") == [e.PlayedCard("red", "road-building"), e.FreeRoads("red", 2)]
    assert events_told(game, 0, "road C3/e") == [e.Built("red", "road", "C3/e", NOTHING)]
    assert events_told(game, 0, "waive") == [e.Waived("red", 1)]


def test_a_free_road_without_a_place_is_told() -> None:
    game = scene(
        settlements={"red": "A1n", "blue": "A1ne"},
        roads={"blue": "A1/nw"},
        dev={"red": "1 road-building"},
    )
    events_told(game, 0, "road-building")
    events = events_told(game, 0, "road A1/ne")
    assert events == [e.Built("red", "road", "A1/ne", NOTHING), e.NoPlaceForRoad("red", 1)]
    assert sentences(game, events[1:], "red") == ["You have no room for 1 free road."]


@pytest.mark.rule("DEV-24", "DEV-19")
def test_progress_cards_tell_what_they_bring() -> None:
    hands = by_seat("fifth", "1 ore", "2 ore 1 wool", "1 wool", "1 ore")
    game = scene(hands=hands, dev={"red": "1 monopoly 1 year-of-plenty"})
    events = events_told(game, 0, "monopoly ore")
    assert events == [e.PlayedCard("red", "monopoly"), e.Monopolised("red", "ore", {"blue": 2, "orange": 1})]
    assert sentences(game, events[1:], "orange") == ["Red takes all ore: 2 from blue and 1 from you."]
    game = scene(dev={"red": "1 year-of-plenty"}, bank="1 wool")
    assert events_told(game, 0, "year-of-plenty wool")[1] == e.TookFromSupply("red", Cards("1 wool"))
    game = scene(dev={"red": "1 monopoly"})
    assert sentences(game, events_told(game, 0, "monopoly ore")[1:]) == ["Red asks for all ore: nobody has any."]


# --- trade -----------------------------------------------------------------------------------------------------------


def test_a_trade_with_the_supply() -> None:
    game = traders("summary", "8 wool")
    events = events_told(game, 0, "supply 8 wool : 1 ore 1 brick")
    assert events == [e.SupplyTraded("red", Cards("8 wool"), Cards("1 brick 1 ore"), 4)]
    assert sentences(game, events) == ["Red trades 8 wool for 1 brick and 1 ore with the bank (4:1)."]


@pytest.mark.rule("TRADE-13.e1", "TRADE-15")
def test_an_offer_to_several_from_its_making_to_the_exchange() -> None:
    game = traders("fifth", "1 ore", "1 wool", "1 wool", "1 wool")
    ore, wool = Cards("1 ore"), Cards("1 wool")
    offer_events = events_told(game, 0, "offer 1 ore : 1 wool to blue white")
    assert offer_events == [e.OfferMade(1, "red", ore, wool, ("blue", "white"), None)]
    assert all(offer_events[0].seen_by(color) is offer_events[0] for color in (None, *game.colors))
    assert events_told(game, 1, "accept #1") == [e.OfferAnswered(1, "blue", accepts=True)]
    assert events_told(game, 2, "reject #1") == [e.OfferAnswered(1, "white", accepts=False)]
    assert events_told(game, 2, "accept #1") == [e.OfferAnswered(1, "white", accepts=True)]
    events = events_told(game, 0, "confirm #1 white")
    assert events == [e.Traded(1, "red", "white", ore, wool)]
    assert sentences(game, events, "white") == ["Red gives you 1 ore for 1 wool."]


def test_an_offer_to_one_a_counter_offer_and_the_exchange() -> None:
    game = traders("fifth", "2 ore", "1 wool")
    events_told(game, 0, "offer 1 ore : 1 wool to blue")
    events = events_told(game, 1, "counter #1 1 wool : 2 ore")
    assert events == [
        e.OfferMade(2, "blue", Cards("1 wool"), Cards("2 ore"), ("red",), 1),
        e.OfferClosed(1, "declined"),
    ]
    assert events_told(game, 0, "accept #2") == [e.Traded(2, "blue", "red", Cards("1 wool"), Cards("2 ore"))]


def test_offers_are_declined_withdrawn_and_closed_with_the_turn() -> None:
    game = traders("fifth", "3 ore", "1 wool")
    for terms in ("1 ore : 1 wool to blue white", "2 ore : 1 wool to blue", "1 ore : 1 brick to blue"):
        events_told(game, 0, f"offer {terms}")
    assert events_told(game, 1, "reject #1") == [e.OfferAnswered(1, "blue", accepts=False)]
    assert events_told(game, 2, "reject #1") == [
        e.OfferAnswered(1, "white", accepts=False),
        e.OfferClosed(1, "declined"),
    ]
    assert events_told(game, 0, "withdraw #3") == [e.OfferWithdrawn(3, "red")]
    events_told(game, 0, "offer 1 ore : 1 grain to blue")
    assert events_told(game, 0, "end") == [
        e.OfferClosed(1, "turn"),
        e.OfferClosed(2, "turn"),
        e.TurnEnded("red"),
        e.TurnBegan("blue", 2),
    ]


@pytest.mark.rule("TRADE-10")
def test_a_refused_exchange_is_no_event() -> None:
    game = traders("sixth", "1 ore", "")
    events_told(game, 0, "offer 1 ore : 1 wool to blue")
    with pytest.raises(IllegalAction):
        events_told(game, 1, "accept #1")


# --- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("WIN-05", "WIN-07")
def test_the_end_shows_all_points_and_closes_the_offers() -> None:
    game = traders(
        "fifth",
        "2 grain 3 ore",
        "1 wool",
        settlements=by_seat("fifth", "A1n", "C3n"),
        dev={"red": "2 victory-point", "white": "1 victory-point 1 knight"},
        points_to_win=4,
    )
    events_told(game, 1, "offer 1 wool : 1 ore to red")
    events = events_told(game, 0, "city A1n")
    assert events == [
        e.Built("red", "city", "A1n", Cards("2 grain 3 ore")),
        e.Won("red", 4, {"red": 4, "blue": 1, "white": 1, "orange": 0}, {"red": 2, "white": 1}),
        e.OfferClosed(1, "game"),
    ]
    (text,) = sentences(game, events[1:2], "blue")
    assert text.startswith("Red wins with 4 points. The scores: red 4, you 1, white 1, and orange 0. ")
    assert text.endswith(" Victory Point cards: red 2 and white 1.")


@pytest.mark.rule("WIN-08", "DEV-14")
def test_a_win_at_the_beginning_of_a_turn_and_by_a_knight() -> None:
    game = traders("fifth", "1 ore", cities=by_seat("fifth", "", "C3n C3s"), points_to_win=4)
    events_told(game, 0, "offer 1 ore : 1 wool to blue")
    names = [event.name for event in events_told(game, 0, "end")]
    assert names == ["offer_closed", "turn_ended", "turn_began", "won"]
    game = scene(dev={"red": "1 knight"}, played={"red": "2 knight"}, settlements={"red": "A1n"}, points_to_win=3)
    assert [event.name for event in events_told(game, 0, "knight")] == ["played_card", "award_moved", "won"]
