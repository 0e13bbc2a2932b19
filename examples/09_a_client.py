"""A client of a live table: it sets one up, plays a whole game against three easy players, and reads the record.

Without a server of yours it starts one for itself, without the pauses that players make for people.

    python examples/09_a_client.py
    python examples/09_a_client.py http://127.0.0.1:8000
"""

import asyncio
import random
import sys
from collections.abc import Sequence

from hexholm.host.client import Client, Declined

LIKES = ("city", "settlement", "buy", "knight", "roll", "end")  # best first; all else by chance
LONGEST = 1200  # seconds


def choose(legal: Sequence[str], rng: random.Random) -> str:
    """A legal action: all that this client knows of the game is what the table tells it."""
    for kind in LIKES:
        candidates = [action for action in legal if action.split()[0] == kind]
        if candidates:
            return rng.choice(candidates)
    return rng.choice(legal)


async def play(url: str) -> None:
    """One game."""
    client, rng = Client(url), random.Random(7)
    own_seat = await client.create("Ann", seat="red", seats=dict.fromkeys(("blue", "white", "orange"), "easy"))
    print(f"a table was set up; I play {own_seat.seat}. To watch: {url}/t/{own_seat.table.id}", flush=True)
    async with client.join(own_seat.table.id, own_seat.token) as table:
        await table.begin()
        async for projection in table.questions():  # comes back by itself when the connection is lost
            try:
                await table.act(choose(projection.legal, rng))
            except Declined as error:
                print("refused:", error)
        assert table.projection is not None
        print("the winner is", table.projection.view["winner"])
    record = await client.record(own_seat.table.id)
    print(f"the record has {len(record.splitlines())} lines")


async def with_a_server() -> None:
    """Play at a server of our own, which keeps nothing."""
    from hexholm.host.local_server import local_server

    async with local_server() as url:
        await play(url)


if __name__ == "__main__":
    game = play(sys.argv[1]) if len(sys.argv) > 1 else with_a_server()
    asyncio.run(asyncio.wait_for(game, LONGEST))
