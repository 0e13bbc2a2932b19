"""How quick the pages are in a real browser: `python -m bench.browser [what ...]`, over loopback, in Chromium.

- *load*: bytes of a first visit as they came over the wire, with headers and sockets, until one can press something
  and until nothing more is asked for; and the time until one can press something.
- *stream, roll, hover, drag, wheel*: frames at a table, by the browser's own tracing, while four bots play fifty
  actions a second, while one rolls the dice with all that moves then, points at places to build on, drags the enlarged
  board and zooms it.

The work of a frame is all that the page's main thread did since the frame before: script, style, layout and paint, in
the thread's own time, so that what else the machine does is not counted. At 60 frames a second it may take 16.7 ms. The
time between two frames that the page saw is given too: without a graphics card drawing takes most of it, so that says
more about the machine.
The server is the real one, in a process of its own. All stops by itself after about `--seconds` for each kind.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Error, Page, sync_playwright

from tests.host.servers import ask
from tests.web import chromium
from tests.web.browsing import Wire
from tests.web.hosts import Host

SIZE: Final = {"width": 1440, "height": 900}
BUDGET: Final = 16.7
"""Milliseconds of a frame."""
VISITS: Final = 5
"""First visits of each page; the median counts."""
DELAY: Final = 0.02
"""Seconds that bots take for an action: fifty a second, where people are shown about one."""
SETTLES: Final = 1.0
"""Seconds before anything is measured: what is compiled and cached is."""
FRAMES: Final = "disabled-by-default-devtools.timeline.frame"
CATEGORIES: Final = ["devtools.timeline", "disabled-by-default-devtools.timeline", FRAMES, "toplevel"]
PARTS: Final = {
    "script": {"FunctionCall", "EvaluateScript", "RunMicrotasks", "TimerFire", "FireAnimationFrame", "EventDispatch"},
    "style": {"UpdateLayoutTree"},
    "layout": {"Layout"},
    "paint": {"PrePaint", "Paint", "Layerize", "Commit"},
}
"""What the browser calls the kinds of work of a frame."""
COUNT: Final = """window.heard = 0;
const Plain = WebSocket;
window.WebSocket = class extends Plain {
    constructor(...more) {
        super(...more);
        this.addEventListener("message", () => (window.heard += 1));
    }
};"""
USABLE: Final = """selector => {
    const look = () => {
        if (document.querySelector(selector)) window.usable = performance.now();
        else requestAnimationFrame(look);
    };
    look();
}"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", nargs="*", help=f"any of load, {', '.join(SCENES)} (default: all)")
    parser.add_argument("--seconds", type=float, default=6.0, help="time for each kind (default 6)")
    parser.add_argument("--trace", type=Path, help="a folder for the traces, to look at in the browser's own tools")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    chosen = parser.parse_args()
    wanted = chosen.what or ["load", *SCENES]
    unknown = set(wanted) - {"load", *SCENES}
    if unknown:
        parser.error(f"no such thing to measure: {', '.join(sorted(unknown))}; there are load, {', '.join(SCENES)}")
    program = chromium.find()
    if program is None:
        print(chromium.missing(), file=sys.stderr)
        return 1
    figures: dict[str, dict[str, float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Host(Path(folder) / "h.db", "--bot-delay", str(DELAY)) as host,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=list(chromium.FLAGS)) as browser,
    ):
        _warm(host.url)
        for what in wanted:
            if what == "load":
                figures |= loads(browser, host.url)
            else:
                figures[what] = traced(browser, host.url, what, chosen.seconds, chosen.trace)
    if chosen.json:
        print(json.dumps(figures))
        return 0
    for what, found in figures.items():
        print(f"{what}:")
        for name, value in found.items():
            print(f"  {name:<46} {value:,.1f}")
    return 0


def _warm(url: str) -> None:
    """Wait until the server's compiled functions are there."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if not ask(url, "GET", "/api/statistics").json.get("warming"):
            return
        time.sleep(0.5)


# --- first visits -----------------------------------------------------------------------------------------------------


def loads(browser: Browser, url: str) -> dict[str, dict[str, float]]:
    """First visits of the start page, of that for a new table, and of a table that waits for one's first settlement."""
    table = f"/t/{_table(url, first=0)}"
    pages = {
        "first load: start": ("/", "[data-testid=play-now]:enabled"),
        "first load: new table": ("/new", "[data-testid=create]:enabled"),
        "first load: table": (table, ".spot[data-action]"),
    }
    return {name: _visits(browser, url, path, ready) for name, (path, ready) in pages.items()}


def _visits(browser: Browser, url: str, path: str, ready: str) -> dict[str, float]:
    times: list[float] = []
    sizes: list[float] = []
    script = 0.0
    for _ in range(VISITS):
        context = browser.new_context(base_url=url, viewport=SIZE)  # type: ignore[arg-type]
        page = context.new_page()
        wire = Wire(page)
        page.add_init_script(f"({USABLE})({json.dumps(ready)})")
        page.goto(path)
        page.locator(ready).first.wait_for(state="attached")
        times.append(page.evaluate("new Promise(requestAnimationFrame).then(() => window.usable)"))
        page.wait_for_load_state("networkidle")
        sizes.append(wire.total / 1000)
        code = ("Script", "Stylesheet", "Document")
        script = sum(size for name, size in wire.sizes.items() if wire.kinds[name] in code) / 1000
        context.close()
    return {
        "page, script and style, kB over the wire": script,
        "all, with drawings, data and headers, kB": statistics.median(sizes),
        "usable after, ms (median)": statistics.median(times),
        "usable after, ms (longest)": max(times),
    }


# --- frames -----------------------------------------------------------------------------------------------------------


def _table(url: str, *, watch: bool = False, **options: Any) -> str:
    """A table that plays: the address of the seat, or of the table of bots that one watches."""
    server = ask(url, "GET", "/api/editions").json
    bot, edition = server["bots"][0]["name"], next(one for one in server["editions"] if one["name"] == "fifth")
    colors = edition["colors"][:4]
    chosen = {"edition": "fifth", "players": 4, "setup": "variable", "points_to_win": 20, **options}
    seats = dict.fromkeys(colors[0 if watch else 1 :], bot)
    wanted = {"name": "Ann", "options": chosen, "seats": seats, "sit": not watch, "begin": True}
    made = ask(url, "POST", "/api/tables", wanted if watch else {**wanted, "seat": colors[0]}).json
    return str(made["table"]["id"]) if watch else f"{made['table']['id']}#seat={made['token']}"


@dataclass(frozen=True)
class Scene:
    """Something that happens at a table."""

    watch: bool
    options: dict[str, Any]
    prepare: Callable[[Page], None]
    act: Callable[[Page, float], None]


def _until(seconds: float) -> Iterator[int]:
    """0, 1, 2 ... until so much time has passed."""
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        yield count
        count += 1


def _middle(page: Page) -> tuple[float, float]:
    box = page.get_by_role("application").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _nothing(page: Page) -> None:
    page.get_by_test_id("sentence").wait_for()


def _flows(page: Page) -> None:
    """The bots of a server that has just started take their time."""
    page.locator("[data-testid=log] p").nth(20).wait_for(state="attached", timeout=90_000)


def _stream(page: Page, seconds: float) -> None:
    page.wait_for_timeout(seconds * 1000)


def _rolls(page: Page, seconds: float) -> None:
    """Turn after turn: roll, look at what moves, end; in between three bots play."""
    for _ in _until(seconds):
        for what in ("[data-testid=roll]", "[data-testid=end-turn]", ".spot[data-action^=robber]"):
            ready = page.locator(f"{what}:not([aria-disabled])").first
            if ready.count():
                with contextlib.suppress(Error):  # it may be gone meanwhile
                    ready.click(timeout=1000)
        page.wait_for_timeout(120)


def _hover(page: Page, seconds: float) -> None:
    """Back and forth over a board on which every corner can be chosen."""
    x, y = _middle(page)
    for n in _until(seconds):
        page.mouse.move(x + (n * 23 % 400) - 200, y + (n * 11 % 360) - 180)
        page.wait_for_timeout(6)


def _enlarge(page: Page) -> None:
    page.locator(".spot[data-action]").first.wait_for()
    for _ in range(2):
        page.get_by_role("button", name="Closer").click()
    page.mouse.move(*_middle(page))


def _drag(page: Page, seconds: float) -> None:
    x, y = _middle(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for n in _until(seconds):
        page.mouse.move(x + abs(n * 9 % 400 - 200) - 100, y + abs(n * 5 % 300 - 150) - 75)
        page.wait_for_timeout(6)
    page.mouse.up()


def _wheel(page: Page, seconds: float) -> None:
    page.mouse.move(*_middle(page))
    page.keyboard.down("Control")
    for n in _until(seconds):
        page.mouse.wheel(0, -20 if n // 40 % 2 == 0 else 20)
        page.wait_for_timeout(6)
    page.keyboard.up("Control")


SCENES: Final = {
    "stream": Scene(True, {}, _flows, _stream),
    "roll": Scene(False, {"setup": "fixed", "first": 0}, _nothing, _rolls),
    "hover": Scene(False, {"first": 0}, lambda page: page.locator(".spot[data-action]").first.wait_for(), _hover),
    "drag": Scene(False, {"first": 0}, _enlarge, _drag),
    "wheel": Scene(False, {"first": 0}, _enlarge, _wheel),
}


def traced(browser: Browser, url: str, what: str, seconds: float, folder: Path | None) -> dict[str, float]:
    """The frames of a scene."""
    scene = SCENES[what]
    context = browser.new_context(base_url=url, viewport=SIZE)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(COUNT)
    page.goto(f"/t/{_table(url, watch=scene.watch, **scene.options)}")
    scene.prepare(page)
    page.wait_for_timeout(SETTLES * 1000)
    page.evaluate("""() => {
        window.seen = [];
        const look = now => { window.seen.push(now); requestAnimationFrame(look); };
        requestAnimationFrame(look);
    }""")
    before = int(page.evaluate("window.heard"))
    browser.start_tracing(page=page, categories=CATEGORIES)
    scene.act(page, seconds)
    trace = browser.stop_tracing()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{what}.json").write_bytes(trace)
    seen: list[float] = page.evaluate("window.seen")
    messages = int(page.evaluate("window.heard")) - before
    context.close()
    found = frames(json.loads(trace)["traceEvents"])
    gaps = [b - a for a, b in pairwise(seen)]
    return found | {
        "messages of the table": float(messages),
        "between two frames on the screen, ms (median)": statistics.median(gaps),
        "between two frames on the screen, ms (95 %)": _share(gaps, 0.95),
    }


def frames(events: list[dict[str, Any]]) -> dict[str, float]:
    """What the main thread did in each frame, from a trace."""
    names = [one for one in events if one.get("ph") == "M" and one["name"] == "thread_name"]
    mains = {(one["pid"], one["tid"]) for one in names if one["args"]["name"] == "CrRendererMain"}
    begun = [one for one in events if one["name"] == "BeginMainThreadFrame" and (one["pid"], one["tid"]) in mains]
    where = max(
        {(one["pid"], one["tid"]) for one in begun},
        key=lambda key: sum(1 for one in begun if (one["pid"], one["tid"]) == key),
    )
    starts = sorted(one["ts"] for one in begun if (one["pid"], one["tid"]) == where)
    mine = [one for one in events if one.get("ph") == "X" and (one["pid"], one["tid"]) == where and "dur" in one]
    tasks = [one for one in mine if one["name"] == "RunTask"]
    work = [0.0] * len(starts)
    longest = 0.0
    at = 0
    for task in sorted(tasks, key=lambda one: one["ts"]):
        while at + 1 < len(starts) and task["ts"] + task["dur"] > starts[at + 1]:
            at += 1
        work[at] += _own(task)
        longest = max(longest, _own(task))
    own = _selves(mine)
    parts = {
        f"{part}, ms a frame (mean)": sum(own[kind] for kind in kinds) / len(work) for part, kinds in PARTS.items()
    }
    return {
        "frames": float(len(work)),
        "work of a frame, ms (median)": statistics.median(work),
        "work of a frame, ms (95 %)": _share(work, 0.95),
        "work of a frame, ms (99 %)": _share(work, 0.99),
        "work of a frame, ms (most)": max(work),
        f"frames over {BUDGET} ms": float(sum(one > BUDGET for one in work)),
        "longest task, ms": longest,
        **parts,
    }


def _selves(events: list[dict[str, Any]]) -> Counter[str]:
    """The time of each kind of work, without that of other kinds within it."""
    found: Counter[str] = Counter()
    within: list[dict[str, Any]] = []
    for event in sorted(events, key=lambda one: (one["ts"], -one["dur"])):
        while within and within[-1]["ts"] + within[-1]["dur"] <= event["ts"]:
            within.pop()
        found[event["name"]] += _own(event)  # type: ignore[assignment]
        if within:
            found[within[-1]["name"]] -= _own(event)  # type: ignore[assignment]
        within.append(event)
    return found


def _own(event: dict[str, Any]) -> float:
    """Milliseconds of the thread's own time; of the clock where the browser does not know that."""
    return float(event.get("tdur", event["dur"])) / 1000


def _share(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


if __name__ == "__main__":
    sys.exit(main())
