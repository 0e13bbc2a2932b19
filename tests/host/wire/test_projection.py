"""The game as it is sent: why things cannot be done, what is shared between those who look, what a `now` includes."""

from __future__ import annotations

import asyncio
import copy
from functools import cache
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import hexholm
from hexholm.game.records.summary import summarize
from hexholm.game.views.view_data import VIEW_CACHES, DataCache, view_data
from hexholm.game.views.why_not import HINDERED_KINDS, _waiting_verdicts
from hexholm.host.tables import log
from hexholm.host.wire import messages
from hexholm.host.wire.description.schemas import schema_components
from hexholm.host.wire.projection import PROJECTION_CACHES, project, refusals_data
from hexholm.host.wire.shapes import ReasonShape
from hexholm.rules.encoding.refusals import REFUSALS
from hexholm.rules.places import CORNER_NAMES, SIDE_NAMES
from tests.helpers.marks import all_editions
from tests.helpers.random_play import trading_game
from tests.host.halls import Party, drain, open_party, set_up

pytestmark = pytest.mark.waits

NAMES = {refusal.name for refusal in REFUSALS}
RESOURCES = ("brick", "lumber", "wool", "grain", "ore")
encode = msgspec.json.Encoder().encode


def why(text: str, color: str = "red") -> dict[str, ReasonShape]:
    """The refusals of a seat in a position."""
    return refusals_data(hexholm.Game.from_position(text).view(color))


def reason_of(text: str, kind: str, color: str = "red") -> tuple[str, dict[str, Any]]:
    """The name of one of them, and its values."""
    reason = why(text, color)[kind]
    return reason["why"], reason["values"]


# --- why not ----------------------------------------------------------------------------------------------------------


@all_editions
def test_a_kind_of_action_has_a_reason_exactly_when_nothing_of_it_is_possible(edition: str) -> None:
    met: set[str] = set()
    for game in trading_game(edition, 3, 250):
        for color in game.colors:
            view = game.view(color)
            reasons, possible = refusals_data(view), {text.split()[0] for text in view.legal_actions.texts}
            for kind in set(HINDERED_KINDS) - {"offer"}:
                assert (kind in reasons) == (kind not in possible), (kind, view.phase)
            held = [name for name, n in view.hand.items() if n]
            give = held[0] if held else "brick"
            want = next(name for name in RESOURCES if name != give)
            to = (
                [other_color for other_color in game.colors if other_color != color]
                if color == game.active
                else [game.active]
            )
            offer = view.why_not(f"offer 1 {give} : 1 {want} to {' '.join(to)}")
            assert (offer is None) == ("offer" not in reasons)
            for refusal in reasons.values():
                assert set(refusal) == {"rule", "message", "why", "values"}
                assert refusal["rule"]
                assert refusal["message"]
                assert refusal["why"] in NAMES
                met.add(refusal["why"])
    assert len(met) > 12, met


@pytest.mark.parametrize("edition", ["zip", "sixth", "fifth"])
def test_partners_are_exactly_those_to_whom_an_offer_may_go(edition: str) -> None:
    judged = 0
    for game in trading_game(edition, 5, 200):
        for color in game.colors:
            view = game.view(color)
            held = [name for name, n in view.hand.items() if n]
            if game.phase != "main" or not held or "offer" in refusals_data(view):
                continue
            want = next(name for name in RESOURCES if name != held[0])
            other_colors = [other_color for other_color in game.colors if other_color != color]
            free = [
                other_color
                for other_color in other_colors
                if view.why_not(f"offer 1 {held[0]} : 1 {want} to {other_color}") is None
            ]
            assert view_data(view)["partners"] == tuple(free) == view.partners
            judged += 1
    assert judged > 20


def test_the_public_has_no_partners() -> None:
    view = hexholm.Game(edition="fifth", seed=7).view(None)
    assert view.partners == ()
    assert "partners" not in view_data(view)


def test_a_reason_is_one_that_the_view_itself_gives() -> None:
    places = {"road": SIDE_NAMES, "settlement": CORNER_NAMES, "city": CORNER_NAMES}
    for game in trading_game("sixth", 8, 160):
        view = game.view(game.active)
        reasons = refusals_data(view)
        for kind in ("roll", "end", "buy", "knight"):
            reason = view.why_not(kind)
            assert (reason is None) == (kind not in reasons)
            assert reason is None or reasons[kind]["message"] == reason.text
        for kind, names in places.items():
            if kind in reasons and reasons[kind]["why"] not in ("cannot_pay", f"no_{kind}s_left", "no_cities_left"):
                view_reasons = {reason.name for name in names if (reason := view.why_not(f"{kind} {name}"))}
                assert reasons[kind]["why"] in view_reasons


def test_who_waits_is_told_whose_turn_it_is() -> None:
    reasons = why("turn=blue dice=3+3 red:hand=4ore,1wool", "red")
    assert {reasons[kind]["why"] for kind in HINDERED_KINDS if kind not in ("supply", "offer")} == {"not_your_turn"}
    assert reasons["buy"]["values"] == {"seat": "blue"}
    assert reasons["supply"]["why"] == "not_your_supply_trade"
    assert "offer" not in reasons  # a waiting player may propose a trade to the active one


def test_the_phase_comes_first() -> None:
    before = "turn=red phase=roll red:hand=2brick,2lumber,1wool,1grain"
    assert reason_of(before, "end") == ("roll_first", {})
    assert reason_of(before, "road") == ("before_roll", {})
    assert reason_of(before, "supply") == ("supply_before_roll", {})
    assert reason_of(before, "offer") == ("trade_before_roll", {})
    placing = project(hexholm.Game(edition="sixth", seed=1, first=0).view(0), 1).refusals
    assert placing["road"]["why"] == "settlement_first"
    assert placing["buy"]["why"] == "only_placement"
    assert placing["buy"]["values"] == {"phase": "settlement"}


def test_of_pieces_the_lack_of_pieces_then_of_cards_then_of_a_place_is_told() -> None:
    five = "turn=red dice=3+3 red:settlements=A1n,B1n,C1n,D1n,E1n red:roads=A1/nw"
    assert reason_of(five, "settlement") == ("no_settlements_left", {"number": 5})
    assert reason_of(f"{five} red:hand=1brick,1lumber,1wool,1grain", "settlement") == (
        "no_settlements_left",
        {"number": 5},
    )
    position = "turn=red dice=3+3 red:settlements=C3n red:roads=C3/ne"
    price = {"price": {"brick": 1, "lumber": 1, "wool": 1, "grain": 1}}
    assert reason_of(position, "settlement") == ("cannot_pay", price)
    assert reason_of(f"{position} red:hand=1brick,1lumber,1wool,1grain", "settlement") == ("no_road_there", {})
    assert reason_of(position, "road") == ("cannot_pay", {"price": {"brick": 1, "lumber": 1}})
    assert reason_of(position, "city") == ("cannot_pay", {"price": {"grain": 2, "ore": 3}})
    none = "turn=red dice=3+3 red:cities=C3n red:roads=C3/ne red:hand=3ore,2grain"
    assert reason_of(none, "city") == ("not_your_settlement", {})
    assert "buy" in why(none)
    assert why(none)["buy"]["values"] == {"price": {"wool": 1, "grain": 1, "ore": 1}}


def test_of_trades_the_nearest_one_is_judged() -> None:
    assert reason_of("turn=red dice=3+3 red:hand=3ore", "supply") == ("rate_supply", {})
    assert "supply" not in why("turn=red dice=3+3 red:hand=4ore")
    assert reason_of("turn=red dice=3+3", "offer") == ("offers_what_is_not_there", {})
    assert "offer" not in why("turn=red dice=3+3 red:hand=1ore")
    assert reason_of("edition=fifth turn=red dice=3+3 trading=closed red:hand=4ore", "supply") == ("trading_closed", {})


def test_development_cards_say_what_is_missing() -> None:
    assert reason_of("turn=red dice=3+3", "monopoly") == ("card_not_held", {})
    assert reason_of("turn=red dice=3+3 red:cards=1monopoly red:new=1monopoly", "monopoly") == ("card_too_new", {})
    assert reason_of("turn=red dice=3+3 card-played=yes red:played=1monopoly red:cards=1knight", "knight") == (
        "card_played_already",
        {},
    )


def test_a_game_that_was_stopped_says_so_for_everything_and_the_public_is_told_nothing() -> None:
    game = hexholm.Game(edition="fifth", setup="fixed", seed=2)
    assert refusals_data(game.view(None)) == {}
    game.stop("agreed")
    assert {refusal["why"] for refusal in refusals_data(game.view("red")).values()} == {"game_stopped"}
    assert set(refusals_data(game.view("red"))) == set(HINDERED_KINDS)


# --- what is shared ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["zip", "sixth", "fifth"])
def test_a_part_that_was_made_before_is_the_one_that_would_be_made_now(edition: str) -> None:
    views_seen = []
    for game in trading_game(edition, 5, 150):
        views = [game.view(eyes) for eyes in (*game.colors, None)]
        views_seen += [(view, encode(project(view, 1, ranges=True))) for view in views]
    for view, encoded in views_seen:
        anew: hexholm.SeatView = copy.copy(view)
        for shelf in (*VIEW_CACHES, *PROJECTION_CACHES, _waiting_verdicts):
            shelf.clear()
        assert encode(project(anew, 1, ranges=True)) == encoded


def test_a_shelf_does_not_grow_without_end() -> None:
    shelf = DataCache[int]()
    for number in range(3 * shelf.MOST):
        assert shelf.part(number, lambda n=number: n + 1) == number + 1  # type: ignore[misc]
    assert len(shelf._parts) <= shelf.MOST


# --- now --------------------------------------------------------------------------------------------------------------


def test_a_now_names_the_latest_message_that_is_in_it() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        feeds = {color: p.feed(color) for color in ("red", "blue", None)}
        await p.begin()
        await p.send("red", messages.Say(id="hello", text="good luck"))
        await p.play_actions("red", "settlement C3n", "road C3/ne")
        for color, feed in feeds.items():
            latest, projection_count = 0, 0
            for message in drain(feed):
                if isinstance(message, messages.Hello | messages.Told | messages.Chatted | messages.Changed):
                    latest = message.number
                elif isinstance(message, messages.Now):
                    assert message.number == latest
                    projection_count += 1
            assert projection_count == 3
            assert latest == len(p.table.by_eyes[color].stream)

    async def main() -> None:
        async with open_party() as party:
            await run(party)

    asyncio.run(main())


# --- shapes -----------------------------------------------------------------------------------------------------------


def closed(schema: Any) -> Any:
    """The schema, but what it does not name may not be there."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    return {**inner, "additionalProperties": False} if "properties" in schema and "allOf" not in schema else inner


@cache
def validator(name: str) -> Any:
    _, shapes = schema_components([], "#/$defs/{name}")
    shapes = {name: shape if name == "NamedReason" else closed(shape) for name, shape in shapes.items()}
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": shapes})  # a reason is closed where it is a part


def faults(data: Any, name: str) -> list[str]:
    """What of plain data is not of the shape of this name."""
    errors = validator(name).iter_errors(msgspec.json.decode(encode(data)))
    return [f"{error.json_path}: {error.message}" for error in errors]


@all_editions
def test_what_is_sent_as_plain_data_has_its_shape(edition: str) -> None:
    for step, game in enumerate(trading_game(edition, 5, 300)):
        for eyes in (*game.colors, None) if step % 60 == 0 else ():
            projection = project(game.view(eyes), 1, ranges=True)
            assert faults(projection.view, "View") == []
            assert faults(projection.prompt, "Prompt") == []
            assert [
                fault_texts for data in projection.refusals.values() if (fault_texts := faults(data, "Reason"))
            ] == []
    kinds = {event.name: event.as_dict() for event in game.events}
    assert len(kinds) > 15
    assert [fault_texts for data in kinds.values() if (fault_texts := faults(data, "GameEvent"))] == []
    assert faults(summarize(game).as_dict(), "Summary") == []


def test_all_changes_of_a_table_are_listed() -> None:
    tags = {str(body.__struct_config__.tag) for body in log.Body.__subclasses__()}
    assert set(messages.TABLE_CHANGES) == tags - {"opened", "played", "said"} | {"over"}


def test_a_shape_names_all_that_is_sent() -> None:
    view = view_data(hexholm.Game(edition="fifth", seed=1).view("red"))
    assert faults(view, "View") == []
    assert faults({**view, "more": 1}, "View")
    assert faults({key: value for key, value in view.items() if key != "robber"}, "View")
    assert faults({"event": "stole", "player": "red", "victim": "blue", "card": "knight"}, "GameEvent")
