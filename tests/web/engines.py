"""Pages in other engines than Chromium: WebKit, which iPhones and Safari have, and Firefox.

Playwright drives neither of those that Debian has, so they are driven here by the protocols of the W3C: WebKit by
WebDriver, on a screen of its own that nobody sees, and Firefox by WebDriver BiDi. An `EnginePage` speaks as much of
Playwright's `Page` as a `Person` needs, so that the same people play in every engine. `python -m tests.web.engines`
installs what is missing where that is allowed.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Error
from selenium import webdriver
from selenium.webdriver.remote.command import Command
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service
from websockets.sync.client import ClientConnection, connect

from tests.helpers import debian

from .visitor import PATIENCE_MS

PACKAGES = ("webkit2gtk-driver", "xvfb", "firefox-esr")
MISSING = (
    "The tests in other engines need WebKitGTK's driver, a virtual screen and Firefox. On Debian or Ubuntu:\n"
    f"  sudo apt-get update && sudo apt-get install --no-install-recommends {' '.join(PACKAGES)}"
)
WATCH = """() => {
    if (window.complaints) return;
    window.complaints = [];
    addEventListener("error", (event) => window.complaints.push(event.message));
    addEventListener("unhandledrejection", (event) => window.complaints.push(String(event.reason)));
}"""
MIDDLE = """css => {
    const one = [...document.querySelectorAll(css)].find((each) => each.checkVisibility());
    if (!one) return null;
    one.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const met = document.elementFromPoint(x, y);
    return met !== null && (one.contains(met) || met.contains(one)) ? [x, y] : null;
}"""
"""Where a press meets what is shown there; null while something lies over it."""


def mini_browser() -> Path | None:
    """WebKitGTK's browser for tests, the newest there is."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    return found[-1] if found else None


def are_there() -> bool:
    """All programs are installed."""
    return mini_browser() is not None and all(map(shutil.which, ("WebKitWebDriver", "Xvfb", "firefox-esr")))


class EnginePage(ABC):
    """One page in another engine."""

    def __init__(self, url: str) -> None:
        self.url = url

    @abstractmethod
    def run(self, expression: str) -> Any:
        """The value of an expression in the page, which JSON can hold."""

    @abstractmethod
    def open(self, url: str) -> None:
        """Go to an address and wait until it is loaded."""

    @abstractmethod
    def press_at(self, x: float, y: float) -> None:
        """Move the pointer there and press."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Make the page so large."""

    def goto(self, address: str) -> None:
        """Go to an address of the server, always with a new page."""
        self.open("about:blank")
        self.open(self.url + address)
        self.evaluate(WATCH)

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """What a function in the page returns, which is written as for Playwright."""
        return self.run(f"({function})({json.dumps(argument)})")

    def complaints(self) -> list[str]:
        """Errors that nobody in the page caught, from when it was loaded."""
        return [str(each) for each in self.run("window.complaints ?? []")]

    def wait_for_timeout(self, milliseconds: float) -> None:
        """Wait."""
        time.sleep(milliseconds / 1000)

    def locator(self, css: str) -> Part:
        """What these selectors find."""
        return Part(self, css)

    def get_by_test_id(self, name: str) -> Part:
        """A part by its name."""
        return Part(self, f"[data-testid='{name}']")


class Part:
    """A part of a page, looked for anew with each use."""

    def __init__(self, page: EnginePage, css: str) -> None:
        self._page, self._css = page, css

    def is_visible(self) -> bool:
        """Whether it is shown."""
        shown = "css => [...document.querySelectorAll(css)].some((one) => one.checkVisibility())"
        return bool(self._page.evaluate(shown, self._css))

    def wait_for(self, timeout: float = PATIENCE_MS) -> None:
        """Wait until it is shown."""
        self._wait(self.is_visible, timeout)

    def click(self, timeout: float = PATIENCE_MS) -> None:
        """Press it as soon as nothing lies over it."""
        self._page.press_at(*self._wait(lambda: self._page.evaluate(MIDDLE, self._css), timeout))

    def _wait(self, look: Callable[[], Any], timeout: float) -> Any:
        deadline = time.monotonic() + timeout / 1000
        while not (seen := look()):
            if time.monotonic() > deadline:
                said = self._page.run("document.body.innerText")
                raise Error(f"{self._css} did not come within {timeout / 1000:g} s; the page says {said[:500]!r}")
            time.sleep(0.02)
        return seen


def press_of_mouse(x: float, y: float) -> dict[str, Any]:
    """The mouse goes there and presses, as both protocols say it."""
    moves = [
        {"type": "pointerMove", "x": round(x), "y": round(y)},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}


class WebKitPage(EnginePage):
    """A page in WebKitGTK."""

    def __init__(self, url: str, driver: webdriver.WebKitGTK) -> None:
        super().__init__(url)
        self._driver = driver

    def run(self, expression: str) -> Any:
        return self._driver.execute_script(f"return {expression}")

    def open(self, url: str) -> None:
        self._driver.get(url)

    def press_at(self, x: float, y: float) -> None:
        self._driver.execute(Command.W3C_ACTIONS, {"actions": [press_of_mouse(x, y)]})

    def resize(self, width: int, height: int) -> None:
        self._driver.set_window_size(width, height)  # with the bar of the browser, which is wanted by nobody
        lacking = height - int(self.run("innerHeight")), width - int(self.run("innerWidth"))
        self._driver.set_window_size(width + lacking[1], height + lacking[0])


class FirefoxPage(EnginePage):
    """A page in Firefox."""

    def __init__(self, url: str, line: ClientConnection) -> None:
        super().__init__(url)
        self._line, self._last = line, 0
        self._order("session.new", {"capabilities": {}})
        self._context = self._order("browsingContext.getTree", {})["contexts"][0]["context"]

    def run(self, expression: str) -> Any:
        asked = {
            "expression": f"JSON.stringify({expression})",
            "awaitPromise": False,
            "target": {"context": self._context},
        }
        answer = self._order("script.evaluate", asked)
        if answer["type"] == "exception":
            raise Error(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"]) if "value" in answer["result"] else None

    def open(self, url: str) -> None:
        self._order("browsingContext.navigate", {"context": self._context, "url": url, "wait": "complete"})

    def press_at(self, x: float, y: float) -> None:
        self._order("input.performActions", {"context": self._context, "actions": [press_of_mouse(x, y)]})

    def resize(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self._order("browsingContext.setViewport", {"context": self._context, "viewport": viewport})

    def _order(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._last += 1
        self._line.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            answer = json.loads(self._line.recv(timeout=60))
            if answer.get("id") == self._last:
                if answer["type"] == "error":
                    raise Error(f"{method}: {answer['error']}: {answer['message']}")
                result: dict[str, Any] = answer["result"]
                return result


@contextlib.contextmanager
def _screen() -> Iterator[str]:
    """The name of a screen that nobody sees."""
    numbers, given = os.pipe()
    command = ["Xvfb", "-displayfd", str(given), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[given], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        os.close(given)
        with os.fdopen(numbers, encoding="ascii") as pipe:
            yield ":" + pipe.readline().strip()
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def run_webkit(url: str) -> Iterator[EnginePage]:
    """A page of this server in WebKit."""
    browser = mini_browser()
    assert browser is not None, MISSING
    with _screen() as screen, tempfile.TemporaryDirectory() as home:
        options = Options()
        options.binary_location = str(browser)
        options.add_argument("--automation")
        own = {**os.environ, "DISPLAY": screen, "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "HOME": home}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of selenium about selenium
            driver = webdriver.WebKitGTK(options=options, service=Service(shutil.which("WebKitWebDriver"), env=own))
        try:
            yield WebKitPage(url, driver)
        finally:
            driver.quit()


@contextlib.contextmanager
def run_firefox(url: str) -> Iterator[EnginePage]:
    """A page of this server in Firefox."""
    program = shutil.which("firefox-esr")
    assert program is not None, MISSING
    with tempfile.TemporaryDirectory() as home:
        command = [
            program,
            "--headless",
            "--no-remote",
            "--profile",
            home,
            "--remote-debugging-port",
            "0",
            "about:blank",
        ]
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": home}
        )
        assert process.stderr is not None
        try:
            listening = (re.search(r"BiDi listening on (ws://\S+)", line) for line in process.stderr)
            address = next(found[1] for found in listening if found)
            with connect(f"{address}/session", max_size=None, proxy=None, origin=None) as line:
                yield FirefoxPage(url, line)
        finally:
            process.terminate()
            process.wait(60)
            process.stderr.close()


ENGINES: Mapping[str, Callable[[str], contextlib.AbstractContextManager[EnginePage]]] = {
    "webkit": run_webkit,
    "firefox": run_firefox,
}


def main() -> int:
    """Make sure that there are the programs; returns the exit code."""
    if debian.install("WebKit and Firefox for the browser tests", [PACKAGES], are_there):
        return 0
    print(MISSING, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
