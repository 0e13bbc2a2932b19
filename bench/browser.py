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
from tests.web.host_process import Host
from tests.web.visitor import Wire

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
    arguments = parser.parse_args()
    names = arguments.what or ["load", *SCENES]
    unknown = set(names) - {"load", *SCENES}
    if unknown:
        parser.error(f"no such thing to measure: {', '.join(sorted(unknown))}; there are load, {', '.join(SCENES)}")
    program = chromium.find()
    if program is None:
        print(chromium.missing_text(), file=sys.stderr)
        return 1
    figures: dict[str, dict[str, float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Host(Path(folder) / "h.db", "--bot-delay", str(DELAY)) as host,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=list(chromium.FLAGS)) as browser,
    ):
        _warm(host.url)
        for name in names:
            if name == "load":
                figures |= visit_figures(browser, host.url)
            else:
                figures[name] = scene_figures(browser, host.url, name, arguments.seconds, arguments.trace)
    if arguments.json:
        print(json.dumps(figures))
        return 0
    for name, values in figures.items():
        print(f"{name}:")
        for figure, value in values.items():
            print(f"  {figure:<46} {value:,.1f}")
    return 0


def _warm(url: str) -> None:
    """Wait until the server's compiled functions are there."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if not ask(url, "GET", "/api/statistics").json.get("warming"):
            return
        time.sleep(0.5)


# --- first visits -----------------------------------------------------------------------------------------------------


def visit_figures(browser: Browser, url: str) -> dict[str, dict[str, float]]:
    """First visits of the start page, of that for a new table, and of a table that waits for one's first settlement."""
    table = f"/t/{_open_table(url, first=0)}"
    pages = {
        "first load: start": ("/", "[data-testid=play-now]:enabled"),
        "first load: new table": ("/new", "[data-testid=create]:enabled"),
        "first load: table": (table, ".spot[data-action]"),
    }
    return {name: _measure_visits(browser, url, path, selector) for name, (path, selector) in pages.items()}


def _measure_visits(browser: Browser, url: str, path: str, selector: str) -> dict[str, float]:
    times: list[float] = []
    sizes: list[float] = []
    script_size = 0.0
    for _ in range(VISITS):
        context = browser.new_context(base_url=url, viewport=SIZE)  # type: ignore[arg-type]
        page = context.new_page()
        wire = Wire(page)
        page.add_init_script(f"({USABLE})({json.dumps(selector)})")
        page.goto(path)
        page.locator(selector).first.wait_for(state="attached")
        times.append(page.evaluate("new Promise(requestAnimationFrame).then(() => window.usable)"))
        page.wait_for_load_state("networkidle")
        sizes.append(wire.total / 1000)
        code = ("Script", "Stylesheet", "Document")
        script_size = sum(size for name, size in wire.sizes.items() if wire.kinds[name] in code) / 1000
        context.close()
    return {
        "page, script and style, kB over the wire": script_size,
        "all, with drawings, data and headers, kB": statistics.median(sizes),
        "usable after, ms (median)": statistics.median(times),
        "usable after, ms (longest)": max(times),
    }


# --- frames -----------------------------------------------------------------------------------------------------------


def _open_table(url: str, *, watch: bool = False, **options: Any) -> str:
    """A table that plays: the address of the seat, or of the table of bots that one watches."""
    server = ask(url, "GET", "/api/editions").json
    bot, edition = server["bots"][0]["name"], next(row for row in server["editions"] if row["name"] == "fifth")
    colors = edition["colors"][:4]
    options_sent = {"edition": "fifth", "players": 4, "setup": "variable", "points_to_win": 20, **options}
    seats = dict.fromkeys(colors[0 if watch else 1 :], bot)
    request = {"name": "Ann", "options": options_sent, "seats": seats, "sit": not watch, "begin": True}
    reply = ask(url, "POST", "/api/tables", request if watch else {**request, "seat": colors[0]}).json
    return str(reply["table"]["id"]) if watch else f"{reply['table']['id']}#seat={reply['token']}"


@dataclass(frozen=True)
class Scene:
    """Something that happens at a table."""

    watch: bool
    options: dict[str, Any]
    prepare: Callable[[Page], None]
    act: Callable[[Page, float], None]


def _count_for(seconds: float) -> Iterator[int]:
    """0, 1, 2 ... until so much time has passed."""
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        yield count
        count += 1


def _middle_of(page: Page) -> tuple[float, float]:
    box = page.get_by_role("application").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _wait_for_sentence(page: Page) -> None:
    page.get_by_test_id("sentence").wait_for()


def _flows(page: Page) -> None:
    """The bots of a server that has just started take their time."""
    page.locator("[data-testid=log] p").nth(20).wait_for(state="attached", timeout=90_000)


def _stream(page: Page, seconds: float) -> None:
    page.wait_for_timeout(seconds * 1000)


def _rolls(page: Page, seconds: float) -> None:
    """Turn after turn: roll, look at what moves, end; in between three bots play."""
    for _ in _count_for(seconds):
        for selector in ("[data-testid=roll]", "[data-testid=end-turn]", ".spot[data-action^=robber]"):
            control = page.locator(f"{selector}:not([aria-disabled])").first
            if control.count():
                with contextlib.suppress(Error):  # it may be gone meanwhile
                    control.click(timeout=1000)
        page.wait_for_timeout(120)


def _hover(page: Page, seconds: float) -> None:
    """Back and forth over a board on which every corner can be chosen."""
    x, y = _middle_of(page)
    for n in _count_for(seconds):
        page.mouse.move(x + (n * 23 % 400) - 200, y + (n * 11 % 360) - 180)
        page.wait_for_timeout(6)


def _enlarge(page: Page) -> None:
    page.locator(".spot[data-action]").first.wait_for()
    for _ in range(2):
        page.get_by_role("button", name="Closer").click()
    page.mouse.move(*_middle_of(page))


def _drag(page: Page, seconds: float) -> None:
    x, y = _middle_of(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for n in _count_for(seconds):
        page.mouse.move(x + abs(n * 9 % 400 - 200) - 100, y + abs(n * 5 % 300 - 150) - 75)
        page.wait_for_timeout(6)
    page.mouse.up()


def _wheel(page: Page, seconds: float) -> None:
    page.mouse.move(*_middle_of(page))
    page.keyboard.down("Control")
    for n in _count_for(seconds):
        page.mouse.wheel(0, -20 if n // 40 % 2 == 0 else 20)
        page.wait_for_timeout(6)
    page.keyboard.up("Control")


SCENES: Final = {
    "stream": Scene(True, {}, _flows, _stream),
    "roll": Scene(False, {"setup": "fixed", "first": 0}, _wait_for_sentence, _rolls),
    "hover": Scene(False, {"first": 0}, lambda page: page.locator(".spot[data-action]").first.wait_for(), _hover),
    "drag": Scene(False, {"first": 0}, _enlarge, _drag),
    "wheel": Scene(False, {"first": 0}, _enlarge, _wheel),
}


def scene_figures(browser: Browser, url: str, scene_name: str, seconds: float, folder: Path | None) -> dict[str, float]:
    """The frames of a scene."""
    scene = SCENES[scene_name]
    context = browser.new_context(base_url=url, viewport=SIZE)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(COUNT)
    page.goto(f"/t/{_open_table(url, watch=scene.watch, **scene.options)}")
    scene.prepare(page)
    page.wait_for_timeout(SETTLES * 1000)
    page.evaluate("""() => {
        window.seen = [];
        const look = now => { window.seen.push(now); requestAnimationFrame(look); };
        requestAnimationFrame(look);
    }""")
    heard_before = int(page.evaluate("window.heard"))
    browser.start_tracing(page=page, categories=CATEGORIES)
    scene.act(page, seconds)
    trace = browser.stop_tracing()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{scene_name}.json").write_bytes(trace)
    frame_times: list[float] = page.evaluate("window.seen")
    messages = int(page.evaluate("window.heard")) - heard_before
    context.close()
    figures = frames(json.loads(trace)["traceEvents"])
    gaps = [b - a for a, b in pairwise(frame_times)]
    return figures | {
        "messages of the table": float(messages),
        "between two frames on the screen, ms (median)": statistics.median(gaps),
        "between two frames on the screen, ms (95 %)": _quantile(gaps, 0.95),
    }


def frames(events: list[dict[str, Any]]) -> dict[str, float]:
    """What the main thread did in each frame, from a trace."""
    names = [event for event in events if event.get("ph") == "M" and event["name"] == "thread_name"]
    main_threads = {(event["pid"], event["tid"]) for event in names if event["args"]["name"] == "CrRendererMain"}
    frame_events = [
        event
        for event in events
        if event["name"] == "BeginMainThreadFrame" and (event["pid"], event["tid"]) in main_threads
    ]
    main_thread = max(
        {(event["pid"], event["tid"]) for event in frame_events},
        key=lambda key: sum(1 for event in frame_events if (event["pid"], event["tid"]) == key),
    )
    starts = sorted(event["ts"] for event in frame_events if (event["pid"], event["tid"]) == main_thread)
    own_events = [
        event
        for event in events
        if event.get("ph") == "X" and (event["pid"], event["tid"]) == main_thread and "dur" in event
    ]
    tasks = [event for event in own_events if event["name"] == "RunTask"]
    work = [0.0] * len(starts)
    longest = 0.0
    frame = 0
    for task in sorted(tasks, key=lambda event: event["ts"]):
        while frame + 1 < len(starts) and task["ts"] + task["dur"] > starts[frame + 1]:
            frame += 1
        work[frame] += _own_time(task)
        longest = max(longest, _own_time(task))
    own_times = _times_without_children(own_events)
    parts = {
        f"{part}, ms a frame (mean)": sum(own_times[kind] for kind in kinds) / len(work)
        for part, kinds in PARTS.items()
    }
    return {
        "frames": float(len(work)),
        "work of a frame, ms (median)": statistics.median(work),
        "work of a frame, ms (95 %)": _quantile(work, 0.95),
        "work of a frame, ms (99 %)": _quantile(work, 0.99),
        "work of a frame, ms (most)": max(work),
        f"frames over {BUDGET} ms": float(sum(milliseconds > BUDGET for milliseconds in work)),
        "longest task, ms": longest,
        **parts,
    }


def _times_without_children(events: list[dict[str, Any]]) -> Counter[str]:
    """The time of each kind of work, without that of other kinds within it."""
    own_times: Counter[str] = Counter()
    open_events: list[dict[str, Any]] = []
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        while open_events and open_events[-1]["ts"] + open_events[-1]["dur"] <= event["ts"]:
            open_events.pop()
        own_times[event["name"]] += _own_time(event)  # type: ignore[assignment]
        if open_events:
            own_times[open_events[-1]["name"]] -= _own_time(event)  # type: ignore[assignment]
        open_events.append(event)
    return own_times


def _own_time(event: dict[str, Any]) -> float:
    """Milliseconds of the thread's own time; of the clock where the browser does not know that."""
    return float(event.get("tdur", event["dur"])) / 1000


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


if __name__ == "__main__":
    sys.exit(main())
