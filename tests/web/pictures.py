"""Takes pictures of every page and of the table in its situations: desk and phone, light and dark.

    python -m tests.web.pictures FOLDER [NAME ...]

The folder is for people who want to look; nothing in it is kept with the project.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from . import chromium
from .browsing import DESKTOP, PHONE, Visitor
from .page_players import Person
from .situations import SITUATIONS, run_situations_server


def main(folder: Path, names: list[str]) -> int:
    """All of them, or those that are named; returns the exit code."""
    unknown = set(names) - set(SITUATIONS)
    if unknown:
        print(f"{', '.join(sorted(unknown))}: no such picture; there are {', '.join(SITUATIONS)}", file=sys.stderr)
        return 2
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


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
