"""Those who look at a table, and how they are told what is theirs to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hexholm.rules.colors import Color
from hexholm.rules.compilation import mode

from ...wire import messages
from ...wire.boards import board_line
from ..seats import Eyes, Guest
from ..table import Table
from .attendance import Attendance
from .feeds import Bundle, Feed, FeedEnd
from .presence import Presence
from .who_may_look import is_insider, why_not_look

RESET_PAUSE: Final = 300.0
"""Seconds in which those who look are sent away at most once because words were removed."""


class Audience:
    """The feeds of one table; `on_feed_end` is called when one has ended."""

    def __init__(self, attendance: Attendance, now: Callable[[], float], on_feed_end: Callable[[Feed], None]) -> None:
        self._attendance, self._now, self._on_feed_end = attendance, now, on_feed_end
        self._presence = Presence()
        self._colors: tuple[Color, ...] = ()
        self._insiders: tuple[str, ...] = ()  # when outsiders were last looked for: the status and whose table it is
        self.reset_at: float | None = None
        """When all are to come again, as words were removed."""
        self._reset_from = 0.0
        self._last_projections: dict[Eyes, messages.Projection | None] = {}  # what each pair of eyes was shown last

    def open(self, table: Table, guest: Guest, since: int | None) -> Feed:
        """A feed: Hello, what the guest missed since message `since` (None: nothing, 0: all), what happens."""
        eyes, stream = guest.color, table.by_eyes[guest.color].stream
        projection = self._last_projections[eyes] = table.projection(eyes)
        self._colors = table.colors
        present = self._presence.with_guest(guest, self._colors)
        hello = messages.Hello(
            protocol=messages.PROTOCOL_VERSION,
            color=eyes,
            table=table.line_for(eyes, is_insider=is_insider(table, guest)),
            board=board_line(table.board, table.edition),
            projection=projection,
            number=len(stream),
            present=present,
            time=self._now(),
            muted=table.muted(eyes),
            dice=table.dice_line(eyes),
            warming=mode.waits_for_compiler(),
        )
        missed = [] if since is None else stream[max(0, since) :]
        feed = Feed(guest, hello, missed, self._end_feed)
        self._attendance.add_feed(feed)
        self._presence.add(feed, present, self._colors)
        return feed

    def tell(self, table: Table, messages_by_eyes: Mapping[Eyes, Sequence[messages.Numbered]]) -> None:
        """To everybody who looks what is theirs to know.

        All is made before any of it is sent: sent at once, it wakes the guests' machine once and not for every seat.
        """
        feeds_by_eyes: dict[Eyes, list[Feed]] = {}
        for feed in self._attendance.feeds:
            feeds_by_eyes.setdefault(feed.guest.color, []).append(feed)
        bundles: list[tuple[list[Feed], Bundle]] = []
        for eyes, feeds in feeds_by_eyes.items():
            new_messages: list[messages.TableMessage] = [*messages_by_eyes.get(eyes, ())]
            projection = table.projection(eyes)
            # Where something happened it looks different now: to find the difference would take longer than to tell it.
            happened = any(isinstance(message, messages.Told) for message in new_messages)
            if projection is not None and (happened or projection != self._last_projections.get(eyes)):
                new_messages.append(messages.Now(projection=projection, number=len(table.by_eyes[eyes].stream)))
            self._last_projections[eyes] = projection
            if new_messages:
                bundles.append((feeds, Bundle(new_messages).encoded()))
        for feeds, bundle in bundles:
            for feed in feeds:
                feed.tell(bundle)

    def dismiss(self, is_dismissed: Callable[[Guest], bool]) -> None:
        """End the feeds of those who lost their seat or their token."""
        for feed in [feed for feed in self._attendance.feeds if is_dismissed(feed.guest)]:
            feed.close("kicked")

    def dismiss_outsiders(self, table: Table) -> None:
        """Let those go who may look no longer: they get what they were told before, and hear why."""
        if table.status == "open" or (table.status == "playing" and table.opening.watchable):
            return  # nobody is an outsider, and there may be many of them
        insiders = (table.status, *(f"{seat.sitter} {seat.guest_id}" for seat in table.seats.values()))
        if insiders == self._insiders:
            return  # whoever came since then was let in
        self._insiders = insiders
        for feed in list(self._attendance.feeds):
            refusal = why_not_look(table, feed.guest)
            if refusal is not None:
                feed.tell((refusal.as_wire(),))
                feed.finish("private")

    def end(self, reason: FeedEnd) -> None:
        """End all feeds."""
        for feed in list(self._attendance.feeds):
            feed.close(reason)

    def reset(self) -> None:
        """Words were removed: who was told them drops them, and comes again.

        At most once in a while, or guests who delete themselves one after another would cut off all who play. In
        between those alone go who would still be told what was removed; the others go when the while is over.
        """
        now = self._now()
        if now >= self._reset_from:
            self._reset_from, self.reset_at = now + RESET_PAUSE, None
            self.end("reset")
            return
        self.reset_at = self._reset_from
        for feed in [feed for feed in self._attendance.feeds if not feed.is_idle]:
            feed.close("reset")

    def stop(self) -> None:
        """End all feeds for good, and tell nothing more."""
        self.end("stopped")
        self._presence.stop()

    def _end_feed(self, feed: Feed) -> None:
        self._attendance.remove_feed(feed)
        self._presence.remove(feed, self._colors)
        self._on_feed_end(feed)
