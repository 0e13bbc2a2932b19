"""Bots in processes of their own: limits, crashes, fairness, and that they know their view alone."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import hexholm
from hexholm.bots import TABLE_BOTS, Effort, bot, bot_kind, registry
from hexholm.bots.memory import PastOffer
from hexholm.bots.shipped.easy import Easy
from hexholm.bots.shipped_bots import SHIPPED
from hexholm.game.action import Action
from hexholm.game.game import SeatView
from hexholm.host.bot_pool import bot_pool
from hexholm.host.bot_pool.bot_pool import (
    SUBSTITUTE_BOT,
    BotChoice,
    BotPool,
    BotQuestion,
    BotsAtOnce,
    choose,
    default_action,
)
from hexholm.host.bot_pool.fair_turns import NO_OWNER, BotOwner
from tests.host import odd_bots
from tests.host.servers import BOTS, ask, new_table, run_server

pytestmark = pytest.mark.waits


def view_of(color: str = "red", **how: object) -> SeatView:
    """A view at the very beginning."""
    return hexholm.Game(edition="fifth", seed=7, first=0, **how).view(color)  # type: ignore[arg-type]


def question(seed: str = "quick") -> BotQuestion:
    return BotQuestion("easy", seed, view_of())


def plain_move(view: SeatView) -> BotChoice:
    """What is played where all bots fail."""
    return BotChoice(default_action(view), weak=True)


def at_table(monkeypatch: pytest.MonkeyPatch, answer: Callable[[SeatView], object]) -> None:
    """Let a player `wrong` sit at tables, who answers with this."""
    monkeypatch.setattr(
        bot_pool, "bot", lambda name, seed: SimpleNamespace(choose=answer) if name == "wrong" else bot(name, seed)
    )


def test_a_process_answers_as_the_bot_would_here() -> None:
    async def run() -> None:
        thinker = BotPool(workers=1)
        try:
            assert await thinker.answer(question("x")) == choose(question("x"))
            assert thinker.errors == {}
            assert thinker.thoughts == 1
        finally:
            await thinker.close()

    asyncio.run(run())


def processes(pool: BotPool) -> list[int]:
    """The numbers of the processes that run."""
    return [worker._process.pid for worker in pool._workers if worker._process is not None]


def test_a_bot_that_thinks_too_long_is_replaced_for_that_move_and_the_next_is_served() -> None:
    async def run() -> None:
        thinker = BotPool(workers=1, limit=0.5, choose=odd_bots.sleepy)
        try:
            first = question("slow")
            assert await thinker.answer(first) == plain_move(first.view)
            assert thinker.errors == {"slow": 1}
            assert processes(thinker) == []
            assert await thinker.answer(question()) == choose(question())
        finally:
            await thinker.close()

    asyncio.run(run())


def test_a_bot_that_crashes_is_replaced_for_that_move_and_the_pool_built_again() -> None:
    async def run() -> None:
        thinker = BotPool(workers=1, choose=odd_bots.crashing)
        try:
            first = question("crash")
            assert await thinker.answer(first) == plain_move(first.view)
            assert thinker.errors == {"crashed": 1}
            assert await thinker.answer(question()) == choose(question())
        finally:
            await thinker.close()

    asyncio.run(run())


def test_a_bot_that_fails_costs_no_process() -> None:
    async def run() -> None:
        thinker = BotPool(workers=1, choose=odd_bots.raising)
        try:
            assert await thinker.answer(question()) == plain_move(view_of())
            before = processes(thinker)
            assert await thinker.answer(question()) == plain_move(view_of())
            assert processes(thinker) == before != []
            assert thinker.errors == {"failed": 2}
        finally:
            await thinker.close()

    asyncio.run(run())


@pytest.mark.parametrize("how, counted", [("raise", "failed"), ("crash", "crashed"), ("hang", "slow")])
def test_for_a_strong_bot_that_fails_the_simplest_one_decides(how: str, counted: str) -> None:
    async def run() -> None:
        thinker = BotPool(workers=1, limit=1.0, choose=odd_bots.proud)
        question_asked = BotQuestion("genius", how, view_of())
        simple = choose(replace(question_asked, bot_name="easy"))._replace(weak=True)
        assert simple.action != default_action(question_asked.view)
        try:
            assert await thinker.answer(question_asked) == simple
            assert thinker.errors == {counted: 1}
            assert thinker.thoughts == 1
        finally:
            await thinker.close()

    asyncio.run(run())


def test_here_too_the_simplest_bot_decides_for_one_that_fails_or_is_no_more(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        thinker, question_asked = BotsAtOnce(), BotQuestion("genius", "x", view_of())
        simple = choose(replace(question_asked, bot_name="easy"))
        assert await thinker.answer(question_asked) == simple._replace(weak=True)
        assert thinker.errors == {"failed": 1}

    asyncio.run(run())
    assert "the bot genius failed (NoSuchBot): easy instead" in caplog.text


@pytest.mark.parametrize("answer", [int, np.array([1, 2]), Action("settlement", place=["C3n"]), "please"])  # type: ignore[arg-type]
def test_for_a_bot_that_answers_with_what_is_no_action_the_simplest_one_decides(
    answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    question_asked = BotQuestion("wrong", "x", view_of())
    simple = choose(replace(question_asked, bot_name="easy"))._replace(weak=True)
    at_table(monkeypatch, lambda _: answer)

    async def run() -> None:
        thinker = BotsAtOnce()
        assert await thinker.answer(question_asked) == simple
        assert thinker.errors == {"failed": 1}

    asyncio.run(run())


def test_a_bot_that_exits_does_not_end_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    at_table(monkeypatch, lambda _: sys.exit(3))

    async def run() -> None:
        thinker = BotsAtOnce()
        await thinker.answer(BotQuestion("wrong", "x", view_of()))
        assert thinker.errors == {"failed": 1}

    asyncio.run(run())


def test_a_code_of_another_library_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    at_table(monkeypatch, lambda view: np.int64(view.legal_actions.codes[2]))
    view = view_of()
    assert choose(BotQuestion("wrong", "x", view)) == BotChoice(view.legal_actions.texts[2])


def test_when_the_simplest_bot_fails_too_a_plain_move_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        thinker = BotsAtOnce()
        assert await thinker.answer(BotQuestion("genius", "x", view_of())) == plain_move(view_of())
        assert thinker.errors == {"failed": 2}

    monkeypatch.setattr(bot_pool, "choose", odd_bots.raising)
    asyncio.run(run())


# --- how long a player thinks -----------------------------------------------------------------------------------------

SECOND = Effort(seconds=1.0)


class Thoughtful(Easy):
    """Has a second for a decision unless told otherwise."""

    def __init__(self, seed: int | str = 0, effort: Effort = SECOND) -> None:
        super().__init__(seed)
        self.effort = effort


def test_a_table_offers_all_that_the_registry_ships_and_the_floor_last() -> None:
    assert list(TABLE_BOTS) == [*[name for name in SHIPPED if name != "random"], "random"]
    assert TABLE_BOTS[0] == SUBSTITUTE_BOT == "easy"
    with run_server() as url:
        assert [bot["name"] for bot in ask(url, "GET", "/api/editions").json["bots"]] == list(TABLE_BOTS)
        for name in TABLE_BOTS:
            assert new_table(url, seats=dict.fromkeys(BOTS, name)).json["table"]["seats"][1]["player"] == name


def test_a_player_has_the_time_that_its_registry_entry_names_beside_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = registry.BotKind("thoughtful", "", factory=Thoughtful)
    assert entry.usual == SECOND
    assert entry.make().effort == SECOND  # type: ignore[attr-defined]
    monkeypatch.setattr(bot_pool, "bot_kind", {"thoughtful": entry, "easy": bot_kind("easy")}.__getitem__)
    assert (bot_pool.thinking_seconds("thoughtful"), bot_pool.thinking_seconds("easy")) == (1.0, 0.0)
    limits: list[float] = []

    async def ask(_worker: object, _choose: object, _question: object, limit: float) -> str:
        limits.append(limit)
        return "roll"

    async def run() -> None:
        thinker = BotPool(workers=1, limit=4.0)
        for name in ("easy", "thoughtful"):
            await thinker.answer(BotQuestion(name, "", view_of()))

    monkeypatch.setattr(bot_pool._Worker, "ask", ask)
    asyncio.run(run())
    assert limits == [4.0, 5.0]


def test_a_player_without_a_usual_effort_or_that_is_no_more_has_no_budget() -> None:
    assert bot_kind("easy").usual is None
    assert registry.BotKind("broken", "", broken="it is").usual is None
    assert bot_pool.thinking_seconds("nobody") == 0.0


def test_questions_are_served_in_the_order_they_were_asked_and_the_event_loop_goes_on() -> None:
    async def run() -> None:
        thinker = BotPool(workers=1, choose=odd_bots.counting)
        order: list[str] = []

        async def ask(name: str) -> None:
            process, seed = (await thinker.answer(question(name))).action.split()
            assert int(process) != os.getpid()
            order.append(seed)

        try:
            await ask("warm")
            asking = [asyncio.create_task(ask(f"table {i}".replace(" ", "-"))) for i in range(6)]
            turns = 0
            while not all(task.done() for task in asking):
                await asyncio.sleep(0.001)
                turns += 1
            assert order == ["warm", *(f"table-{i}" for i in range(6))]
            assert turns > 6  # if it stood still for each thought, there would be six
        finally:
            await thinker.close()

    asyncio.run(run())


def test_many_who_think_long_make_nobody_wait_who_needs_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "thinking_seconds", {"thoughtful": 9.0, "easy": 0.0}.__getitem__)

    async def run() -> None:
        thinker, all_asked, began = BotPool(workers=3), asyncio.Event(), list[str]()

        async def ask(_worker: object, _choose: object, question_asked: BotQuestion, _limit: float) -> BotChoice:
            began.append(question_asked.seed)
            if question_asked.bot_name == "thoughtful":
                await all_asked.wait()
            return BotChoice(question_asked.seed)

        monkeypatch.setattr(bot_pool._Worker, "ask", ask)
        long = [
            asyncio.create_task(thinker.answer(BotQuestion("thoughtful", f"long {i}", view_of()))) for i in range(6)
        ]
        await asyncio.sleep(0.01)
        async with asyncio.timeout(30):
            quick = [(await thinker.answer(question(f"quick {i}"))).action for i in range(4)]
        assert quick == [f"quick {i}" for i in range(4)]
        assert began == ["long 0", "long 1", *(f"quick {i}" for i in range(4))]
        all_asked.set()
        answers = [choice.action for choice in await asyncio.gather(*long)]
        assert answers == [seed for seed in began if "long" in seed] == [f"long {i}" for i in range(6)]

    asyncio.run(run())


def test_there_is_always_a_process_beside_the_one_that_thinks_long(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, processes in ((None, 2), (1, 2), (2, 2), (8, 7)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert len(BotPool()._workers) == processes


def test_bots_do_not_outlive_a_host_that_is_killed() -> None:
    program = (
        "import asyncio, time\n"
        "from tests.host.bot_pool.test_bot_pool import question, processes, BotPool\n"
        "async def run():\n"
        "    thinker = BotPool(workers=1)\n"
        "    await thinker.answer(question())\n"
        "    print(*processes(thinker), flush=True)\n"
        "    time.sleep(60)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(run())\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        bot = int(host.stdout.readline())
        assert alive(bot)
        host.send_signal(signal.SIGKILL)
    until = time.monotonic() + 60
    while alive(bot) and time.monotonic() < until:
        time.sleep(0.02)
    assert not alive(bot)


def alive(process: int) -> bool:
    """Whether a process runs: dead ones that nobody has buried do not count."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_question_holds_a_view_and_nothing_of_the_game() -> None:
    copied_question = pickle.loads(pickle.dumps(question()))  # noqa: S301  # our own
    assert copied_question == question()
    assert {type(getattr(copied_question, name)) for name in BotQuestion.__slots__} == {str, SeatView, tuple, BotOwner}


def test_a_bot_is_not_told_for_whom_it_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[BotQuestion] = []

    async def send(_worker: object, request: tuple[object, BotQuestion]) -> str:
        sent.append(request[1])
        return "roll"

    async def run() -> None:
        thinker = BotPool(workers=1)
        try:
            await thinker.answer(question())  # its process is up
            monkeypatch.setattr(bot_pool._Worker, "_send", send)
            await thinker.answer(replace(question(), owner=BotOwner("203.0.113.0/24", "ann")))
        finally:
            await thinker.close()

    asyncio.run(run())
    assert [one.owner for one in sent] == [NO_OWNER]


def test_the_default_move_is_plain_and_legal() -> None:
    game = hexholm.Game(edition="fifth", setup="fixed", first=0, dealer=hexholm.Scripted(["dice 6 5"] * 4), players=4)
    assert default_action(game.view("red")) == "roll"
    game.play("roll")
    assert default_action(game.view("red")) == "end"
    give = next(kind for kind, n in game.view("red").hand.items() if n)
    want = "ore" if give != "ore" else "wool"
    game.play(f"offer 1 {give} : 1 {want} to blue", by="red")
    assert default_action(game.view("blue")) == "reject #1"
    start = view_of()
    assert default_action(start) in start.legal_actions.texts


def test_a_bot_that_is_made_anew_does_not_repeat_its_offers() -> None:
    async def run() -> None:
        thinker, offer_count = BotsAtOnce(), 0
        for seed in range(40):
            game = hexholm.Game(edition="fifth", seed=seed, first=0)
            offers_made: list[PastOffer] = []
            for _ in range(120):
                color = game.to_act[0]
                view = game.view(color)
                remarks = tuple(remark for remark in offers_made if remark.to == "")
                choice = await thinker.answer(BotQuestion("easy", "s", view, remarks if color == "red" else ()))
                text = choice.action
                if color == "red" and text.startswith("offer"):
                    offer_count += 1
                    offers_made.append(PastOffer(view.turn, text))
                    second_answer = await thinker.answer(BotQuestion("easy", "s", view, tuple(offers_made)))
                    assert second_answer.action != text
                    break
                if game.why_not(text, by=color) is not None:
                    text = default_action(view)
                game.play(text, by=color)
            if offer_count >= 3:
                break
        assert offer_count >= 3
        assert thinker.errors == {}

    asyncio.run(run())


def test_one_counter_offer_a_turn_is_enough() -> None:
    counter_count = 0
    for seed in range(60):
        game = hexholm.Game(edition="fifth", setup="fixed", first=0, seed=seed)
        game.play("roll")
        if game.phase != "main":
            continue
        for give, want in (("lumber", "ore"), ("lumber", "wool"), ("grain", "brick"), ("lumber", "brick")):
            trial = game.copy()
            offer = f"offer 1 {give} : 1 {want} to blue white orange"
            if trial.why_not(offer, by="red") is not None:
                continue
            trial.play(offer, by="red")
            for color in ("blue", "white", "orange"):
                view = trial.view(color)
                text = choose(BotQuestion("easy", "s", view)).action
                if text.startswith("counter"):
                    counter_count += 1
                    second_action = choose(BotQuestion("easy", "s", view, (PastOffer(view.turn, text, "red"),)))
                    assert second_action.action == "reject #1"
    assert counter_count


def test_a_process_whose_host_dies_is_gone_also_while_it_loads() -> None:
    """It said nothing yet: loading, or on a new machine waiting for rules that are compiled, takes longer than this."""
    program = (
        "import time\nfrom hexholm.host.bot_pool import worker\n"
        "worker._load_players = lambda: time.sleep(60)\nworker.answer_questions()"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=30) == 0
