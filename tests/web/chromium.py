"""Where the browser for the tests is; `python -m tests.web.chromium` installs one where that is allowed.

Playwright drives the Chromium of the system (CHROMIUM may name another); it downloads none of its own. The build
without windows comes first: it shows the same pages with a third less work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FONTS = "fonts-dejavu-core"
PACKAGES = ("chromium-headless-shell", "chromium")
"""One of them is enough; not every Debian has the first."""
UPDATE = ("apt-get", "update", "--quiet")
INSTALL = ("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", FONTS)
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
    may_install = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None
    if find() is None and may_install and not os.environ.get("CHROMIUM"):
        print("Installing Chromium for the browser tests ...", flush=True)
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        output = b""
        for command in (UPDATE, *((*INSTALL, package) for package in PACKAGES)):
            process = subprocess.run(command, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            output += process.stdout
            if find():
                break
        else:
            print(output.decode(errors="replace"), file=sys.stderr)
    if find() is None:
        print(missing_text(), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
