"""REST for checking dice: what is shown once a game is over, and that it is enough to check every draw by hand."""

from __future__ import annotations

import asyncio
import hashlib
import hmac

import msgspec
import pytest

from hexholm.game.game import Record
from hexholm.game.records.verify_dice import verify_dice
from hexholm.host.client import Client
from hexholm.host.wire import api, messages

from ...servers import ask, hear, new_table, open_socket, say

pytestmark = pytest.mark.waits

WORD = "a-word-of-reds-own"


def play_to_an_end(url: str, table: str, token: str, cookie: str) -> None:
    """Some turns; then the one person ends the game."""

    async def play() -> None:
        async with Client(url, cookie=cookie).join(table, token) as line:
            count = 0
            async for now in line.questions():
                await line.act(now.legal[0])
                count += 1
                if count == 12:
                    break
            await line.send(messages.End(id="end"))

    asyncio.run(play())


def checked_by_hand(answer: api.DiceAnswer) -> bool:
    """docs/formats/dice-proof.md once more, from what is in the answer alone."""
    dice, table = answer.dice, answer.table
    assert dice is not None
    assert dice.key is not None

    def sha(text: str) -> str:
        return hashlib.sha256(f"hexholm-dice-1 {text}".encode()).hexdigest()

    words = sorted(dice.words.items())
    promises = all(sha(f"word {table} {color} {word}") == dice.promises[color] for color, word in words)
    lines = "".join(f"\n{color} {word}" for color, word in words)
    draw_key = hmac.digest(bytes.fromhex(dice.key), f"hexholm-dice-1 draws {table}{lines}".encode(), "sha256")

    def number(draw: api.DiceDraw) -> int:
        digest = hmac.digest(draw_key, f"{draw.stream} {draw.count} 0".encode(), "sha256")
        return int.from_bytes(digest) % draw.chances  # a digest to be rejected has one chance in 2 ** 250

    return (
        promises
        and sha(f"key {table} {dice.key}") == dice.commitment
        and all(draw.first <= number(draw) <= draw.last for draw in answer.draws)
    )


def test_what_is_shown_of_a_finished_game_is_enough_to_check_all_its_dice(url: str) -> None:
    created = new_table(url, options={"edition": "fifth", "first": 0})
    table, token = created.json["table"]["id"], created.json["token"]
    promise = hashlib.sha256(f"hexholm-dice-1 word {table} red {WORD}".encode()).hexdigest()
    with open_socket(url, table, token, additional_headers={"Cookie": created.cookie}) as line:
        hello = hear(line, messages.Hello)
        assert hello.dice is not None
        for command in (
            messages.PromiseWord(id="1", promise=promise),
            messages.Begin(id="2"),
            messages.OpenWord(id="3", word=WORD),
        ):
            line.send(msgspec.json.encode(command).decode())
        while hear(line, messages.Changed).what != "began":
            pass
    path, seen = f"/api/tables/{table}", {"Cookie": created.cookie}
    before = ask(url, "GET", f"{path}/dice", None, **seen)
    assert (before.status, before.json["error"]["why"]) == (409, "not_over")
    play_to_an_end(url, table, token, created.cookie)
    answer = msgspec.json.decode(ask(url, "GET", f"{path}/dice", None, **seen).body, type=api.DiceAnswer)
    stranger = ask(url, "GET", f"{path}/dice")
    assert (stranger.status, stranger.json["error"]["code"]) == (403, "not_allowed")
    assert answer.dice is not None
    assert answer.dice.commitment == hello.dice.commitment
    assert answer.dice.words == {"red": WORD}
    assert len(answer.draws) > 1
    assert checked_by_hand(answer)
    forged = msgspec.structs.replace(answer.draws[-1], first=answer.draws[-1].last + 1, last=99)
    assert not checked_by_hand(msgspec.structs.replace(answer, draws=(forged,)))
    verdict = verify_dice(Record.read(ask(url, "GET", f"{path}/record", None, **seen).body.decode()))
    assert [(draw.step, draw.outcome) for draw in answer.draws] == [
        (found.step, found.outcome) for found in verdict.checked_draws
    ]


def test_a_game_without_a_proof_says_so(url: str) -> None:
    created = new_table(url, options={}, seats={}, lesson="first-game")
    table, token = created.json["table"]["id"], created.json["token"]
    with open_socket(url, table, token, additional_headers={"Cookie": created.cookie}) as line:
        assert isinstance(say(line, messages.End(id="end")), messages.Done)
    answer = ask(url, "GET", f"/api/tables/{table}/dice", None, Cookie=created.cookie)
    assert answer.json == {"table": table, "dice": None}
