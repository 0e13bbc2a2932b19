"""Takes pictures of every page and of the table in its situations: desk and phone, light and dark.

    python -m tools.screenshots FOLDER [NAME ...]

The folder is for people who want to look; nothing in it is kept with the project.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.web import chromium
from tests.web.browsing import DESKTOP, PHONE, Visitor
from tests.web.page_players import Person
from tests.web.situations import SITUATIONS, run_situations_server


def take_all(folder: Path, names: Sequence[str]) -> int:
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
            for size in (DESKTOP, PHONE):
                phone = size == PHONE
                for scheme in ("light", "dark"):
                    visitor = Visitor(browser, url, size, color_scheme=scheme, has_touch=phone, is_mobile=phone)
                    scene.show(Person(visitor.page, "finger" if phone else "mouse"))
                    visitor.page.wait_for_timeout(600)  # what moves has come to rest
                    path = folder / f"{name}-{size[0]}-{scheme}.png"
                    visitor.page.screenshot(path=path, full_page=name in ("start", "new", "lobby"))
                    print(path, flush=True)
                    visitor.close()
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"only these, of {', '.join(SITUATIONS)}")
    arguments = parser.parse_args(argv)
    unknown = set(arguments.names) - set(SITUATIONS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: no such picture; there are {', '.join(SITUATIONS)}")
    return take_all(arguments.folder, arguments.names)


if __name__ == "__main__":
    sys.exit(main())
