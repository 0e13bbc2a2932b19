"""Who is at a table: counted as they come and go, so that many who watch make nobody's greeting dear."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hexholm.host.tables.audience import audience
from hexholm.host.tables.audience.attendance import Attendance
from hexholm.host.tables.audience.presence import Presence
from hexholm.host.tables.audience.who_may_look import why_not_look
from hexholm.host.tables.seats import Guest
from hexholm.host.wire import messages

from ...halls import Party, carry_out, in_hall, set_up

pytestmark = pytest.mark.waits

COLORS = ("red", "blue", "white", "orange")


class CountedFeed:
    """Stands in for a feed, and counts how often somebody asks whose it is."""

    asked = 0

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.told: list[Any] = []

    @property
    def guest(self) -> Guest:
        CountedFeed.asked += 1
        return self._guest

    def tell(self, bundle: Any) -> None:
        self.told += bundle


def test_who_comes_is_counted_without_looking_through_those_who_are_there() -> None:
    async def run() -> None:
        presence, attendance, feeds = Presence(), Attendance(lambda: 1.0), list[Any]()
        for number in range(200):
            feeds.append(CountedFeed(Guest(f"guest {number // 2}", "blue" if number == 7 else None)))
            presence.add(feeds[-1], presence.with_guest(feeds[-1]._guest, COLORS), COLORS)
            attendance.add_feed(feeds[-1])
        asked = CountedFeed.asked
        assert presence.with_guest(Guest("new", "red"), COLORS) == messages.Present(seats=("red", "blue"), watching=100)
        assert presence.with_guest(Guest("new"), COLORS) == messages.Present(seats=("blue",), watching=101)
        assert presence.with_guest(Guest("guest 9"), COLORS) == messages.Present(seats=("blue",), watching=100)
        assert attendance.looking == {"blue", None}
        assert CountedFeed.asked == asked
        for feed in feeds[1:8]:
            presence.remove(feed, COLORS)
            presence.remove(feed, COLORS)  # once more changes nothing
            attendance.remove_feed(feed)
        assert presence.with_guest(Guest("guest 0"), COLORS) == messages.Present(seats=(), watching=97)
        assert attendance.looking == {None}
        presence.stop()

    asyncio.run(run())


def test_outsiders_are_looked_for_only_when_somebody_can_have_become_one(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = list[str]()

    def noted(table: Any, guest: Guest) -> Any:
        looked_at.append(guest.id)
        return why_not_look(table, guest)

    async def story(party: Party) -> None:
        await set_up(party)
        await party.begin()
        feeds = [party.hall.loaded(party.id).feed(Guest("ann")) for _ in range(3)]
        strange = party.hall.loaded(party.id).feed(Guest("eve"))
        monkeypatch.setattr(audience, "why_not_look", noted)
        await carry_out(party, "red", messages.Say(id="1", text="hello"))
        assert looked_at == []  # everybody may watch
        for color in COLORS:
            await carry_out(party, color, messages.End(id=f"end {color}"))
        assert party.table.status == "over"
        assert sorted(looked_at) == ["ann", "ann", "ann", "eve"]
        assert (strange.reason, feeds[0].reason) == ("private", None)
        await party.hall.rematch(party.id, "ann")  # which is told at the table that is over
        assert len(looked_at) == 4

    in_hall(story)
