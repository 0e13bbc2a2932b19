"""Faults that other hosts have paid for with somebody's game, as far as a host can have them.

Those of clocks, of people who come and go and of who may do what are in `running/test_scheduler.py` and
`hall/test_hall.py`; those of the rules alone (longest road, short supply, two knights, roads that are used up) are
tests of the rules.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

import hexholm
from hexholm.game.records.timeline import Timeline
from hexholm.host.bot_pool.bot_pool import BotChoice, BotQuestion, BotsAtOnce
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages
from hexholm.rules.boards import layout_for
from tests.host.halls import Party, drain, in_hall, scripted_dealer, send, set_up, table_settings

pytestmark = pytest.mark.waits

FRIENDLY = 3
"""Points in view below which a friendly robber spares a player."""


async def among_bots(p: Party, **options: Any) -> hexholm.Game:
    """A whole game of four bots."""
    await set_up(p, 0, **options)
    assert isinstance(await send(p.hall, p.id, Guest("ann"), messages.Begin(id="b")), messages.Done)
    await p.until(lambda: p.table.status == "over")
    assert p.table.game is not None
    return p.table.game


def now(p: Party) -> hexholm.Game:
    """The game as it is now."""
    assert p.table.game is not None
    return p.table.game


async def after_the_roll(p: Party) -> hexholm.Game:
    """The main phase of red's first turn: everybody has some cards."""
    await set_up(p, setup="fixed")
    await p.begin()
    await p.play_actions("red", "roll")
    assert p.table.game is not None
    assert p.table.game.phase == "main"
    return p.table.game


def hands(game: hexholm.Game) -> dict[str, dict[str, int]]:
    return {color: dict(game.referee.hand(color)) for color in game.colors}


def other_kind(game: hexholm.Game, color: str, kind: str) -> str:
    return next(name for name, n in game.referee.hand(color).items() if n and name != kind)


def test_a_trade_is_not_completed_without_the_cards() -> None:
    async def run(p: Party) -> None:
        game = await after_the_roll(p)
        single = next(kind for kind, n in game.referee.hand("red").items() if n == 1)
        wants = {color: other_kind(game, color, single) for color in ("blue", "white")}
        for color, kind in wants.items():
            await p.play_actions("red", f"offer 1 {single} : 1 {kind} to {color}")
        await p.play_actions("blue", "accept #1")
        before = hands(now(p))
        assert before["red"][single] == 0
        late = await p.act("white", "accept #2")
        assert isinstance(late, messages.Refused)
        assert hands(now(p)) == before

    in_hall(run, make_dealer=scripted_dealer("dice 4 6"))


def test_a_counter_offer_has_no_more_cards_than_there_are() -> None:
    async def run(p: Party) -> None:
        game = await after_the_roll(p)
        kind = next(kind for kind, n in game.referee.hand("red").items() if n)
        want = other_kind(game, "blue", kind)
        await p.play_actions("red", f"offer 1 {kind} : 1 {want} to blue")
        for text, why in (
            (f"counter #1 9 {want} : 1 {kind}", "offers_what_is_not_there"),
            (f"counter #1 1 {want} : 20 {kind}", "wants_too_much"),
        ):
            answer = await p.act("blue", text)
            assert isinstance(answer, messages.Refused)
            assert answer.why == why
        assert len(now(p).view(None).offers) == 1

    in_hall(run, make_dealer=scripted_dealer("dice 4 6"))


def test_bots_heed_the_friendly_robber() -> None:
    async def run(p: Party) -> None:
        game = await among_bots(p, friendly_robber=True)
        assert p.hall.services.figures["stuck"] == 0
        assert p.hall.services.bots.errors == {}
        replay, robbed = Timeline(game), 0
        for step in range(1, replay.count + 1):
            for event in replay.faces(step, None):
                face = event.as_dict()
                if face["event"] == "stole":
                    robbed += 1
                    assert replay.visible[face["victim"]][step] >= FRIENDLY
        assert robbed > 3

    in_hall(run, make_dealer=lambda: hexholm.Seeded(4))


def test_a_card_is_not_named_to_others_before_it_is_played() -> None:
    async def run(p: Party) -> None:
        game = await among_bots(p)
        bought = 0
        for eyes, eyes_state in p.table.by_eyes.items():
            held: Counter[str] = Counter()
            for message in eyes_state.stream:
                for face in message.events if isinstance(message, messages.Told) else ():
                    text = msgspec.json.encode(face).decode()
                    if face["event"] == "drew":
                        bought += 1
                        held[face["player"]] += 1
                        assert (face["card"] is not None) == (face["player"] == eyes), text
                    elif "knight" in text:
                        assert face["event"] == "played_card", text
            assert held
        assert bought > 10
        assert game.winner is not None

    in_hall(run, make_dealer=lambda: hexholm.Seeded(3))


class Curious(BotsAtOnce):
    """Notes what bots are asked."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[BotQuestion] = []

    async def answer(self, question: BotQuestion) -> BotChoice:
        self.questions.append(question)
        return await super().answer(question)


def test_bots_are_not_told_of_hidden_victory_points() -> None:
    thinker = Curious()

    async def run(p: Party) -> None:
        game = await among_bots(p)
        replay = Timeline(game)
        hidden = [
            step
            for step in range(replay.count)
            if any(replay.points[color][step] > replay.visible[color][step] for color in game.colors)
        ]
        assert hidden, "in this game nobody had a hidden point"
        assert len(thinker.questions) > 100
        for question in thinker.questions:
            view = question.view
            assert view.seat == question.seed.split()[1]
            for color in game.colors:
                if color != view.seat:
                    assert view.points(color) == view.public_points(color)

    in_hall(run, make_dealer=lambda: hexholm.Seeded(3), bots=thinker)


def test_who_comes_back_finds_all_pieces_cards_and_what_can_be_done() -> None:
    async def run(p: Party) -> None:
        await set_up(p)
        await p.begin()
        for _ in range(120):
            game = now(p)
            if game.over:
                break
            for color in game.colors:
                feed = p.feed(color)
                projection = drain(feed)[0].projection
                feed.close()
                view = game.view(color)
                mine = next(player for player in projection.view["players"] if player["color"] == color)
                assert (mine["settlements"], mine["cities"], mine["roads"]) == (
                    view.settlements(),
                    view.cities(),
                    view.roads(),
                )
                assert projection.view["hand"] == {kind: n for kind, n in game.referee.hand(color).items() if n}
                assert projection.view["development"] == {
                    kind: n for kind, n in game.referee.development(color).items() if n
                }
                assert list(projection.legal) == view.legal_actions.texts
                assert projection.asked == (color in game.to_act)
            color = game.to_act[0]
            legal = p.table.projection(color).legal  # type: ignore[union-attr]
            await p.play_actions(color, legal[len(legal) // 2])

    in_hall(run, make_dealer=lambda: hexholm.Seeded(5))


def test_the_robber_begins_on_the_desert_of_a_board_of_ones_own() -> None:
    async def run(p: Party) -> None:
        options = hexholm.options("fifth", setup="variable")
        boards = [layout_for(options, seed) for seed in range(30)]
        layout = next(board for board in boards if board.terrain("C3") != "desert")
        bots: dict[str, str | None] = dict.fromkeys(options.colors, "easy")
        created_table = await p.hall.create(
            "ann", table_settings(options={"edition": "fifth"}, board=layout.to_toml(), seats=bots)
        )
        p.id = created_table.id
        answer = await send(p.hall, p.id, Guest("ann"), messages.Begin(id="b"))
        assert isinstance(answer, messages.Done)
        hello = drain(p.feed(None, 0))
        desert = next(line.at for line in hello[0].board.hexes if line.terrain == "desert")
        began = next(face for message in hello if isinstance(message, messages.Told) for face in message.events)
        assert (began["event"], began["robber"]) == ("game_began", desert)

    in_hall(run)


def test_a_turn_is_not_lost_when_an_offer_and_a_lost_connection_meet() -> None:
    async def run(p: Party) -> None:
        game = await after_the_roll(p)
        red, blue = p.feed("red"), p.feed("blue")
        kind = next(kind for kind, n in game.referee.hand("red").items() if n)
        await p.play_actions("red", f"offer 1 {kind} : 1 {other_kind(game, 'blue', kind)} to blue white orange")
        await p.play_actions("blue", "accept #1")
        red.close()
        blue.close()
        await p.after(60)
        assert now(p).active == "red"
        assert p.table.asked_colors()
        back = drain(p.feed("red"))[0].projection
        assert back.asked
        assert back.view["offers"][0]["yes"] == ("blue",)
        await p.play_actions("red", "confirm #1 blue", "end")
        assert now(p).active == "blue"

    in_hall(run, make_dealer=scripted_dealer("dice 4 6"))
