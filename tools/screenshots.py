"""Takes pictures of every page and of the table in its situations: desk and phone, light and dark.

    python -m tools.screenshots FOLDER [NAME ...] [--width PIXELS] [--language de]

The folder is for people who want to look; nothing in it is kept with the project.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from hexholm.rules.language.languages import LANGUAGES
from tests.web import chromium
from tests.web.page_players import Person
from tests.web.situations import SITUATIONS, run_situations_server
from tests.web.visitor import DESKTOP, PHONE, Visitor

WIDEST_PHONE = 600


def take_all(folder: Path, names: Sequence[str], widths: Sequence[int], language: str) -> int:
    """All of them, or those that are named; returns the exit code."""
    program = chromium.find()
    if program is None:
        print(chromium.missing_text(), file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with (
        run_situations_server() as url,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=list(chromium.FLAGS)) as browser,
    ):
        for name in names or SITUATIONS:
            scene = SITUATIONS[name](url)
            for width in widths:
                phone = width <= WIDEST_PHONE
                size = (width, (PHONE if phone else DESKTOP)[1])
                device = {"has_touch": phone, "is_mobile": phone, "locale": language}
                for scheme in ("light", "dark"):
                    visitor = Visitor(browser, url, size, color_scheme=scheme, **device)
                    scene.show(Person(visitor.page, "finger" if phone else "mouse"))
                    visitor.page.wait_for_timeout(600)  # what moves has come to rest
                    path = folder / f"{name}-{width}-{scheme}{'' if language == LANGUAGES[0] else f'-{language}'}.png"
                    visitor.page.screenshot(path=path, full_page=name in ("start", "new", "lobby"))
                    print(path, flush=True)
                    visitor.close()
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"only these, of {', '.join(SITUATIONS)}")
    parser.add_argument(
        "--width",
        type=int,
        action="append",
        metavar="PIXELS",
        help=f"of the window, once or more; up to {WIDEST_PHONE} it is a phone with touch"
        f" (default: {DESKTOP[0]} and {PHONE[0]})",
    )
    parser.add_argument(
        "--language", choices=LANGUAGES, default=LANGUAGES[0], help="the browser's (default: %(default)s)"
    )
    arguments = parser.parse_args(argv)
    unknown = set(arguments.names) - set(SITUATIONS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: no such picture; there are {', '.join(SITUATIONS)}")
    return take_all(arguments.folder, arguments.names, arguments.width or (DESKTOP[0], PHONE[0]), arguments.language)


if __name__ == "__main__":
    sys.exit(main())
