"""Where the browser for the tests is; `python -m tests.web.chromium` installs one where that is allowed.

Playwright drives the Chromium of the system (CHROMIUM may name another); it downloads none of its own. The build
without windows comes first: it shows the same pages with a third less work.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tests.helpers import debian

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FONTS = "fonts-dejavu-core"
PACKAGES = ("chromium-headless-shell", "chromium")
"""One of them is enough; not every Debian has the first."""
FLAGS = (
    "--no-sandbox",  # its pages are our own, and in a container it could not build one
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP island.test 127.0.0.1",  # a name as in a local network: not a secure context
)


def find() -> str | None:
    """The program of a browser, if there is one."""
    program = os.environ.get("CHROMIUM")
    if program:
        return shutil.which(program)
    places = (shutil.which(name) for name in NAMES)
    mac = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    return next((place for place in places if place), str(mac) if mac.exists() else None)


def missing_text() -> str:
    """What to say where there is none."""
    if os.environ.get("CHROMIUM"):
        return f"CHROMIUM={os.environ['CHROMIUM']}: there is no such program; name one, or leave it out"
    return (
        "The browser tests need Chromium or Chrome. On Debian or Ubuntu:\n"
        f"  sudo apt-get update && sudo apt-get install --no-install-recommends {PACKAGES[-1]} {FONTS}\n"
        "Elsewhere install Chrome, or name one that you have: CHROMIUM=/path/to/chrome make browser"
    )


def main() -> int:
    """Make sure that there is a browser; returns the exit code."""
    choices = [] if os.environ.get("CHROMIUM") else [(FONTS, package) for package in PACKAGES]
    if debian.install("Chromium for the browser tests", choices, lambda: find() is not None):
        return 0
    print(missing_text(), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
