"""Pages in a real browser, watched: whatever they complain about, and wherever else they turn to, is a fault.

A `Visitor` is one browser of its own (own cookies, own storage) on one page. `faults` says what was seen; the fixtures
in conftest.py fail a test that leaves any behind.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route, WebSocket

from hexholm.rules.compilation import mode

ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
DESKTOP, TABLET, PHONE = (1440, 900), (820, 1180), (390, 844)
PATIENCE_MS = 15_000
OWN_SCHEMES = ("data", "blob", "about")
STILL = """() => document.getAnimations().every(
    one => one.playState !== "running" || one.effect.getComputedTiming().iterations === Infinity)"""
"""Nothing on the page moves or changes its color, but for what does so for ever."""


class Visitor:
    """One person's browser, on one page of a server."""

    def __init__(self, browser: Browser, url: str, size: tuple[int, int] = DESKTOP, **context: Any) -> None:
        self.url = url
        self.context: BrowserContext = browser.new_context(
            base_url=url, viewport={"width": size[0], "height": size[1]}, **context
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self._complaints: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        self.context.on("request", self._on_request)
        self.page: Page = self.open()

    def open(self) -> Page:
        """A further tab of the same browser, watched like the first."""
        page = self.context.new_page()
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self._complaints.append(f"error: {error}"))
        page.on("websocket", self._on_socket)
        page.on("crash", lambda _: self._complaints.append("the page crashed"))
        return page

    def expect(self, pattern: str) -> None:
        """Complaints that match this are right in this test: a server that is gone, say."""
        self._expected.append(re.compile(pattern))

    @property
    def faults(self) -> list[str]:
        """What was complained about, or asked of strangers, and not expected."""
        return [
            complaint
            for complaint in self._complaints
            if not any(pattern.search(complaint) for pattern in self._expected)
        ]

    def close(self) -> None:
        """Close the browser of this visitor."""
        self.context.close()

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            url = message.location.get("url", "")
            self._complaints.append(f"console {message.type}: {message.text} ({url})")

    def _on_request(self, request: Request) -> None:
        self._note_if_foreign(request.url)

    def _on_socket(self, socket: WebSocket) -> None:
        self._note_if_foreign(socket.url)

    def _note_if_foreign(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in OWN_SCHEMES and parts.netloc != urlsplit(self.url).netloc:
            self._complaints.append(f"a request outside: {url}")


def socket_traffic(page: Page) -> tuple[list[str], list[str]]:
    """What a page says over its sockets from now on, and what it hears."""
    sent, received = list[str](), list[str]()

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(str(frame)))
        socket.on("framereceived", lambda frame: received.append(str(frame)))

    page.on("websocket", watch)
    return sent, received


class Wire:
    """What comes to a page over the line from now on, in bytes, with all headers: `sizes` by path, sockets too."""

    def __init__(self, page: Page) -> None:
        self.sizes: Counter[str] = Counter()
        self.kinds: dict[str, str] = {}
        """What it is, by path: Document, Script, Stylesheet, Fetch, WebSocket ..."""
        self._paths: dict[str, str] = {}
        line = page.context.new_cdp_session(page)
        line.on("Network.responseReceived", self._on_response)
        line.on("Network.loadingFinished", self._on_loaded)
        line.on("Network.webSocketCreated", lambda event: self._name(event["requestId"], event["url"], "WebSocket"))
        line.on("Network.webSocketHandshakeResponseReceived", self._on_handshake)
        line.on("Network.webSocketFrameReceived", self._on_frame)
        line.send("Network.enable")

    @property
    def total(self) -> int:
        """All bytes so far."""
        return self.sizes.total()

    def _name(self, request: str, url: str, kind: str) -> None:
        path = urlsplit(url).path if urlsplit(url).scheme != "data" else "data:"
        self._paths[request], self.kinds[path] = path, kind

    def _on_response(self, event: dict[str, Any]) -> None:
        self._name(event["requestId"], event["response"]["url"], event["type"])

    def _on_loaded(self, event: dict[str, Any]) -> None:
        self.sizes[self._paths[event["requestId"]]] += int(event["encodedDataLength"])

    def _on_handshake(self, event: dict[str, Any]) -> None:
        self.sizes[self._paths[event["requestId"]]] += len(event["response"].get("headersText", ""))

    def _on_frame(self, event: dict[str, Any]) -> None:
        size = len(event["response"]["payloadData"].encode())
        frame = 2 if size < 126 else 4 if size < 65536 else 10
        self.sizes[self._paths[event["requestId"]]] += frame + size


def first_visit(page: Page, address: str, ready: str) -> Wire:
    """What a first visit brings until the page can be used, and what it asks for right after."""
    wire = Wire(page)
    page.goto(address)
    page.locator(ready).first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    return wire


def axe_faults(page: Page, *, impacts: tuple[str, ...] = ("serious", "critical")) -> list[str]:
    """What axe finds wrong with a page for people who do not see it or use no mouse; only what weighs `impacts`.

    Colors that are on their way to others are waited for.
    """
    page.wait_for_function(STILL)
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = page.evaluate("async () => (await axe.run()).violations")
    faults = []
    for violation in violations:
        if violation["impact"] in impacts:
            nodes = json.dumps([node["html"][:120] for node in violation["nodes"][:3]])
            faults.append(f"{violation['impact']} {violation['id']}: {violation['help']}: {nodes}")
    return faults


def overflow_pixels(page: Page) -> int:
    """By how many pixels a page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def outside_window(page: Page) -> list[str]:
    """What can be pressed or filled in, and lies outside the window to the left or right."""
    elements: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("a[href], button, input, select, summary, [role=button]")]
            .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen"))
            .filter(one => {
                const { left, right, width } = one.getBoundingClientRect();
                return width > 0 && (left < -1 || right > document.documentElement.clientWidth + 1);
            })
            .map(one => one.outerHTML.slice(0, 120))"""
    )
    return elements


def small_targets(page: Page, least: int) -> list[str]:
    """What can be pressed and is smaller than so many pixels; what belongs to a label counts with it.

    Places of the board are not looked at: a press beside them means them too. Nor are the lines of a list that is one
    control, nor links within a sentence.
    """
    elements: list[str] = page.evaluate(
        """least => [...document.querySelectorAll("a[href], button, input, select, summary")]
            .filter(one => one.checkVisibility({ visibilityProperty: true }))
            .filter(one => !one.closest(".unseen, [data-testid=steps]"))
            .filter(one => one.tagName !== "A" || getComputedStyle(one).display !== "inline")
            .map(one => [one, (one.closest("label") ?? one).getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.width < least || box.height < least))
            .map(([one, { width, height }]) => `${width | 0}x${height | 0} ${one.outerHTML.slice(0, 120)}`)""",
        least,
    )
    return elements


def far_side(page: Page) -> tuple[float, float]:
    """Where the south-eastern side of a hex in the south is in the window; not of the desert, which has no disc."""
    page.locator(".raised").first.wait_for(state="attached")
    place = next(name for name in ("E1", "E2") if page.locator(f".raised[data-place='{name}']").count())
    point: list[float] = page.evaluate(
        """place => {
            const { a, e, f } = document.querySelector(`.raised[data-place="${place}"]`).getScreenCTM();
            return [e + 43 * a, f + 75 * a];
        }""",
        place,
    )
    return point[0], point[1]


class WarmingHost:
    """A host in this process that warms up, as a page sees it: greeted so, and told how far it is."""

    def __init__(self, page: Page, monkeypatch: pytest.MonkeyPatch, compiled: float) -> None:
        self._monkeypatch = monkeypatch
        self.looks = 0
        """How often the page has looked how far it is."""
        self.lost_looks = 0
        """So many looks do not reach the host."""
        self.set(compiled)
        page.route("**/api/statistics", self._answer)

    def set(self, compiled: float) -> None:
        """So much is compiled."""
        self.compiled = compiled
        self._monkeypatch.setattr(mode.process_mode, "compilers_at_work", compiled < 1)

    def _answer(self, route: Route) -> None:
        self.looks += 1
        if self.looks <= self.lost_looks:
            route.abort()
        else:
            route.fulfill(json={**route.fetch().json(), "warming": self.compiled < 1, "compiled": self.compiled})
