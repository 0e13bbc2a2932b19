"""Those who look at a table, and how they are told what is theirs to know."""

from __future__ import annotations

from collections.abc import Callable

from ...wire import messages as m
from ...wire.boards import board_line
from ..seats import Eyes, Guest
from ..table import Table
from .attendance import Attendance
from .feeds import Bundle, Feed
from .presence import Presence


class Audience:
    """The feeds of one table; `gone` is called when one has ended."""

    def __init__(self, attendance: Attendance, now: Callable[[], float], gone: Callable[[Feed], None]) -> None:
        self._attendance, self._now, self._when_gone = attendance, now, gone
        self._presence = Presence()
        self._colors: tuple[str, ...] = ()
        self._shown: dict[Eyes, m.Projection | None] = {}  # what each pair of eyes was shown last

    def open(self, table: Table, guest: Guest, since: int | None) -> Feed:
        """A feed: Hello, what the guest missed since message `since` (None: nothing, 0: all), what happens."""
        eyes, stream = guest.seat, table.streams.get(guest.seat, [])
        projection = self._shown[eyes] = table.projection(eyes)
        self._colors = table.colors
        present = self._presence.with_guest(guest, self._colors)
        hello = m.Hello(
            protocol=m.PROTOCOL_VERSION,
            seat=eyes,
            table=table.line(),
            board=board_line(table.board, table.edition),
            projection=projection,
            number=len(stream),
            present=present,
            time=self._now(),
            muted=table.muted(eyes),
        )
        table.forget_views()
        missed = [] if since is None else stream[max(0, since) :]
        feed = Feed(guest, hello, missed, self._gone)
        self._attendance.add_feed(feed)
        self._presence.add(feed, present, self._colors)
        return feed

    def tell(self, table: Table, told: dict[Eyes, list[m.Numbered | m.Now]]) -> None:
        """To everybody who looks what is theirs to know.

        All is made before any of it is sent: sent at once, it wakes the guests' machine once and not for every seat.
        """
        looking: dict[Eyes, list[Feed]] = {}
        for feed in self._attendance.feeds:
            looking.setdefault(feed.guest.seat, []).append(feed)
        bundles: list[tuple[list[Feed], Bundle]] = []
        for eyes, feeds in looking.items():
            messages: list[m.TableMessage] = [*told.get(eyes, ())]
            now = table.projection(eyes)
            if now is not None and now != self._shown.get(eyes):
                messages.append(m.Now(projection=now, number=len(table.streams.get(eyes, ()))))
            self._shown[eyes] = now
            if messages:
                bundles.append((feeds, Bundle(messages).encoded()))
        for feeds, bundle in bundles:
            for feed in feeds:
                feed.tell(bundle)

    def dismiss(self, whose: Callable[[Guest], bool]) -> None:
        """End the feeds of those who lost their seat or their token."""
        for feed in [feed for feed in self._attendance.feeds if whose(feed.guest)]:
            feed.close("kicked")

    def end(self, reason: str) -> None:
        """End all feeds."""
        for feed in list(self._attendance.feeds):
            feed.close(reason)

    def stop(self) -> None:
        """End all feeds for good, and tell nothing more."""
        self.end("stopped")
        self._presence.stop()

    def _gone(self, feed: Feed) -> None:
        self._attendance.remove_feed(feed)
        self._presence.remove(feed, self._colors)
        self._when_gone(feed)
