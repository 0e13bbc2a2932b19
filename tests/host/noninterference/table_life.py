"""What happens around a game while two worlds play it: people go and come again, wait, wish, speak and are deleted.

All of it happens in both worlds alike, with clocks that are set by hand; bots that stand in never answer, for what they
choose depends on hidden cards. What the sockets bring is compared after each step, as after each action of the game.
"""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields
from typing import Any, Final

from hexholm.host.wire import messages
from tests.rules.noninterference import Leak, Parted

from ..halls import agree
from .in_hall import Worlds
from .server_party import SEED, WireParty
from .transcript_scan import Secret, Transcript

SHARE_OF_LIFE: Final = 0.5
"""How often something happens around the game, of the times that somebody is away for a moment."""
LONGER_THAN_WAITING: Final = 40.0
"""Seconds without anybody after which a game waits."""
ABSENCE: Final = 900.0
"""After so many seconds a bot stands in at the tables of the pairs; around real boards sooner."""
SECRET_PATHS: Final = ("", "/board.svg", "/replay", "/replay/views", "/summary", "/record", "/dice", "/share")
"""Of a finished game: nothing for those to whom it is not shown."""
SHOWN_PATHS: Final = ("", "/replay", "/summary", "/record")


class Stuck(Parted):
    """Nothing more can be played in both worlds, which look alike so far."""


@dataclass
class Life:
    """How often each thing happened."""

    returned: int = 0
    """Those whose eyes are looked through closed their sockets, opened them again and heard what they missed."""
    waited: int = 0
    """Nobody was there and the game waited."""
    stood_in: int = 0
    """Somebody was gone for so long that a bot stood in."""
    discarded_away: int = 0
    """Somebody discarded without a socket while a bot stood in, and was back when all had."""
    wished: int = 0
    """Somebody asked for a pause, an end or a seat, and no longer asked; or all paused."""
    spoke: int = 0
    """One who watches spoke and was heard."""
    deleted: int = 0
    """A third guest was deleted, and the log read again."""
    unwatched: int = 0
    """Pairs at tables that strangers may not watch."""
    rated: int = 0
    """Rated pairs."""
    agreed: int = 0
    """A seat was taken away and the game ended, as all wanted."""
    shown: int = 0
    """Finished games that one who sat there showed to a stranger, and took back."""

    def __add__(self, other: Life) -> Life:
        return Life(*(getattr(self, name) + getattr(other, name) for name in self.names()))

    def __str__(self) -> str:
        return ", ".join(f"{name.replace('_', ' ')} {getattr(self, name)}" for name in self.names())

    @classmethod
    def names(cls) -> list[str]:
        """What is counted."""
        return [field.name for field in fields(cls)]


@dataclass
class TableLife(Worlds):
    """Two tables in two servers, with all that happens around the game."""

    life: Life = field(default_factory=Life)
    watchable: bool = True
    gone: str = ""
    """The color of the guest who was deleted."""
    _seen: dict[str | None, int] = field(default_factory=dict)
    _to_come: list[Callable[[], Awaitable[None]]] = field(default_factory=list)

    @property
    def wires(self) -> tuple[WireParty, WireParty]:
        """Both tables."""
        first, second = self.parties
        assert isinstance(first, WireParty)
        assert isinstance(second, WireParty)
        return first, second

    async def begin(self) -> None:
        """Open the sockets and begin; where nobody may watch, the one who does is sent away then."""
        for party in self.wires:
            for color in (self.observer, None):
                party.lines[color] = await party.open(color, 0)
                party.transcripts[color] = Transcript(color, ranges=party.table.opening.ranges)
        await self.begin_games()
        await self.compare()
        if not self.watchable:
            for party in self.wires:
                await party.lines[None].until_ended()
            await self.compare()
            for party in self.wires:
                del party.lines[None]
            self.life.unwatched += 1

    async def messages_to(self, world: int, color: str | None) -> list[bytes]:
        """What the socket has brought since the last time; nothing, where it is closed."""
        party = self.wires[world]
        line = party.lines.get(color)
        if line is None:
            return []
        await party.settle(line)
        heard, line.heard = line.heard, []
        party.transcripts[color].raw += heard
        return heard

    async def both(self, subject: str, do: Callable[[WireParty], Any]) -> None:
        """The same in both worlds, and the outcome must be the same."""
        first, second = [await do(party) for party in self.wires]
        if first != second:
            raise Leak(f"{subject}: {first_difference(first, second)}")
        self.bytes_sent += len(first)

    async def leave_and_return(self) -> None:
        """As in all worlds; and now and then one of the things that happen around a game, each in its turn."""
        await super().leave_and_return()
        if self.pick.random() < SHARE_OF_LIFE:
            if not self._to_come:
                self._to_come = [self.come_again, self.wait, self.stand_in, self.wish, self.pause, self.speak]
                self.pick.shuffle(self._to_come)
            await self._to_come.pop()()
            if self.hands and self.cards and not self.gone and self.pick.random() < 0.15:
                await self.delete_somebody()

    async def step(self) -> None:
        """As in all worlds, until a seat is asked that a bot plays now."""
        if self.gone and any(self.gone in game.to_act for game in self.games):
            raise Stuck
        await self.bring_back()
        await super().step()

    async def discards(self) -> None:
        """As in all worlds; now and then by people who are away: they are back when all have chosen."""
        if self.pick.random() < 0.5 and not self.gone:
            await self.pass_time(ABSENCE + 1, "away", away)
        n_away = len(away(self.wires[0]))
        await super().discards()
        await self.pass_time(0, "back", away)
        if n_away and not away(self.wires[0]):
            self.life.discarded_away += 1

    # --- coming and going ----------------------------------------------------------------------------------------

    async def hang_up(self, *eyes: str | None) -> None:
        """Sockets are closed."""
        await self.compare()
        for party in self.wires:
            party.clock.time += 1
            for color in eyes:
                self._seen[color] = len(party.table.by_eyes[color].stream)
                feeds = party.hall.feeds
                await party.lines.pop(color).close()
                await party.until(lambda: party.hall.feeds < feeds)  # noqa: B023  # awaited here

    async def call_again(self, *eyes: str | None) -> None:
        """They are opened again, by people who may have seen less than they were sent."""
        forgotten = self.pick.randint(0, 5)
        for party in self.wires:
            party.clock.time += 1
            for color in eyes:
                party.lines[color] = await party.open(color, max(0, self._seen[color] - forgotten))
            await party.until(lambda: not party.table.waiting)  # noqa: B023  # awaited here
        self.life.returned += 1
        await self.compare()

    @property
    def callers(self) -> tuple[str | None, ...]:
        """Whose sockets are open."""
        return tuple(self.wires[0].lines)

    async def come_again(self) -> None:
        """All whose eyes are looked through hang up, somebody else says something, and they come again."""
        callers = self.callers
        await self.hang_up(*callers)
        await self.say(self.another())
        await self.call_again(*callers)

    async def wait(self) -> None:
        """Nobody who plays is there for a while; the game waits until somebody says something, or is there again."""
        if not self.wires[0].table.waits_for_people:
            return
        await self.hang_up(self.observer)
        await self.pass_time(LONGER_THAN_WAITING, "waiting", lambda party: party.table.waiting)
        self.life.waited += self.wires[0].table.waiting
        if self.pick.random() < 0.5:
            await self.say(self.another(), wakes=True)
        await self.call_again(self.observer)

    async def stand_in(self) -> None:
        """A bot stands in for those who keep others waiting for too long; then they are back."""
        first = self.games[0]
        if first.chance is not None or self.gone or all(color == self.observer for color in first.to_act):
            return

        await self.pass_time(ABSENCE + 1, "away", away)
        self.life.stood_in += len(away(self.wires[0]))
        await self.bring_back()

    async def bring_back(self) -> None:
        """Those for whom a bot stands in are back."""
        for color in away(self.wires[0]):
            back = messages.Back(id=self.name())
            await self.give(color, (back, back), parting=False)
            await self.compare()

    async def pass_time(self, seconds: float, subject: str, look: Callable[[WireParty], object]) -> None:
        """Time passes in both worlds, and has brought the same."""
        for party in self.wires:
            await party.after(seconds)
        first, second = map(look, self.wires)
        if first != second:
            raise Leak(f"{subject}: {first} / {second}")
        await self.compare()

    def another(self) -> str:
        """A person who plays and is not the observer."""
        colors = self.games[0].colors
        return self.pick.choice([color for color in colors if color not in (self.observer, self.gone)])

    # --- what is wished and said ---------------------------------------------------------------------------------

    async def wish(self) -> None:
        """Somebody asks for a pause, for an end or for another's seat, and then does so no longer."""
        color = self.pick.choice((self.observer, self.another()))
        target = self.another() if color == self.observer else self.observer
        kind = self.pick.choice(("pause", "end", "kick"))
        for on in (True, False):
            name = self.name()
            wishes: dict[str, messages.TableCommand] = {
                "pause": messages.Pause(id=name, on=on),
                "end": messages.End(id=name, on=on),
                "kick": messages.Kick(id=name, color=target, on=on),
            }
            await self.give(color, (wishes[kind], wishes[kind]), parting=False)
            await self.compare()
        self.life.wished += 1

    async def pause(self) -> None:
        """All want a pause, time passes, the observer tries to play, and somebody goes on."""
        for color in self.playing:
            pause = messages.Pause(id=self.name())
            await self.give(color, (pause, pause))
            await self.compare()
        await self.pass_time(LONGER_THAN_WAITING, "paused", lambda party: party.table.paused)
        await self.send(self.observer, ("roll", "roll"), parting=False)
        resume = messages.Resume(id=self.name())
        await self.give(self.another(), (resume, resume))
        await self.compare()
        self.life.wished += 1

    @property
    def playing(self) -> list[str]:
        """The seats of people."""
        return [color for color in self.games[0].colors if color != self.gone]

    async def say(self, color: str | None, *, wakes: bool = False) -> None:
        """Somebody says something; `wakes`: a game that waits goes on by that, a moment later."""
        say = messages.Say(id=self.name(), text=f"what {color} says")
        for party in self.wires:
            party.clock.time += 1
            await party.send(color, say)
            if wakes:
                await party.until(lambda: not party.table.waiting)  # noqa: B023  # awaited here
        await self.compare()

    async def speak(self) -> None:
        """A seat speaks, and one who watches; then the observer hears no more of those."""
        await self.say(self.another())
        if None not in self.callers:
            return
        spoken = self.parties[0].table.spectator_remarks
        await self.say(None)
        self.life.spoke += self.parties[0].table.spectator_remarks - spoken
        mute = messages.Mute(id=self.name(), color="", on=self.pick.random() < 0.5)
        await self.give(self.observer, (mute, mute), parting=False)
        await self.compare()

    # --- those who are deleted -----------------------------------------------------------------------------------

    async def delete_somebody(self) -> None:
        """A guest who plays and whom nobody asks is deleted: its words go, the log is read again, all come again."""
        idle = [color for color in self.games[0].colors if color not in (self.observer, *self.games[0].to_act)]
        if self.proved or not idle:  # read again, a proof is no longer staged
            return
        self.gone = self.pick.choice(idle)
        await self.say(self.gone)
        callers = self.callers
        for color in callers:
            self._seen[color] = len(self.parties[0].table.by_eyes[color].stream)

        async def deleted(party: WireParty) -> bytes:
            answer = await party.rest(self.gone, "DELETE", "/api/me?confirm=delete")
            for line in party.lines.values():
                await line.until_ended()
            return answer

        await self.both("a deletion", deleted)
        await self.compare()
        if self.wires[0].table.seats[self.gone].name == self.gone.title():
            raise Secret(f"the name of {self.gone} is still there")
        await self.call_again(*callers)
        self.life.deleted += 1

    # --- the end -------------------------------------------------------------------------------------------------

    async def conclude(self) -> None:
        """All want somebody's seat, which a rated game refuses; then all want the game to end."""
        if not self.gone:
            target = self.another()
            for color in self.playing:
                if color != target:
                    kick = messages.Kick(id=self.name(), color=target)
                    await self.give(color, (kick, kick), parting=False)
                    await self.compare()
            if not self.wires[0].table.opening.rated:
                self.gone = target
        for party in self.wires:
            party.people.pop(self.gone, None)
            await agree(party, messages.End)
        self.life.agreed += 1

    async def look_when_over(self) -> None:
        """A stranger gets nothing of a finished game, then all of it by a link, then nothing again."""
        if any(party.table.status != "over" or party.table.game is None for party in self.wires):
            return
        for party in self.wires:
            party.clock.time += 1
        await self.refused({})
        await self.refused({"Authorization": "Share " + "x" * 32})
        shares = {}
        for party in self.wires:
            token = {"Authorization": f"Bearer {party.tokens[self.observer]}"}
            answer = await party.server.ask("POST", f"/api/tables/{party.id}/share", **token)
            assert answer.status == 201, answer.body
            shares[id(party)] = {"Authorization": "Share " + answer.json["link"].rpartition("=")[2]}
            await self.shown(party, shares[id(party)])
            answer = await party.server.ask("DELETE", f"/api/tables/{party.id}/share", **token)
            assert answer.status == 200, answer.body
        for party in self.wires:
            await self.refused(shares[id(party)])
        self.life.shown += 1

    async def refused(self, headers: dict[str, str]) -> None:
        """What a stranger is answered to whom the game is not shown: the same in both worlds, and nothing of it."""
        for end in SECRET_PATHS:

            async def answer(party: WireParty, end: str = end) -> bytes:
                refusal = await party.server.ask("GET", f"/api/tables/{party.id}{end}", **headers)
                if refusal.status < 400:
                    raise Leak(f"{end or 'the table'} of a finished game to a stranger: {refusal.body[:300]!r}")
                raw = party.same(refusal)
                party.transcripts[None].raw.append(raw)
                return raw

            await self.both(f"{end or 'the table'} of a finished game to a stranger", answer)

    async def shown(self, party: WireParty, headers: dict[str, str]) -> None:
        """A finished game has no secrets for those to whom it is shown, but who sat there and what opens what."""
        secrets = [str(SEED), party.table.bot_seed, *party.tokens.values()]
        secrets += [guest.id for guest in party.people.values()]
        secrets += [cookie.rpartition("=")[2] for cookie in party.cookies.values() if cookie]
        for end in SHOWN_PATHS:
            answer = await party.server.ask("GET", f"/api/tables/{party.id}{end}", **headers)
            assert answer.status == 200, (end, answer.body)
            for secret in secrets:
                if secret.encode() in answer.body:
                    raise Secret(f"{secret!r} was shown in {end or 'the table'}")


def away(party: WireParty) -> list[str]:
    """For whom a bot stands in who may come back."""
    seats = party.table.seats.values()
    return [seat.color for seat in seats if seat.sitter == "person" and seat.away and not seat.resigned]


def first_difference(first: Any, second: Any) -> str:
    """Where two things begin to differ."""
    if isinstance(first, bytes):
        at = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
        return f"...{first[max(0, at - 100) : at + 200]!r} / ...{second[max(0, at - 100) : at + 200]!r}"
    return str(next((pair for pair in itertools.zip_longest(first, second) if pair[0] != pair[1]), ""))[:800]
