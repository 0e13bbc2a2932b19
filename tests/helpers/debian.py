"""Programs that tests need, installed with apt where that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence

UPDATE = ("apt-get", "update", "--quiet")
INSTALL = ("apt-get", "install", "--yes", "--quiet", "--no-install-recommends")


def may_install() -> bool:
    """Root on a Debian or one of its children."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(what: str, choices: Sequence[Sequence[str]], is_there: Callable[[], bool]) -> bool:
    """Install the first of these choices of packages that brings what is needed; whether it is there now."""
    if is_there() or not choices or not may_install():
        return is_there()
    print(f"Installing {what} ...", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    output = b""
    for command in (UPDATE, *((*INSTALL, *packages) for packages in choices)):
        process = subprocess.run(command, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        output += process.stdout
        if is_there():
            return True
    print(output.decode(errors="replace"), file=sys.stderr)
    return False
