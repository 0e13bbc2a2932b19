"""What is logged of an error that nobody foresaw."""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from typing import Any


def error_fields(error: BaseException) -> dict[str, Any]:
    """An unforeseen error for the log: its kind and its last steps."""
    steps = traceback.extract_tb(error.__traceback__)[-6:]
    fields = {
        "error": type(error).__name__,
        "at": " < ".join(f"{Path(step.filename).name}:{step.lineno} {step.name}" for step in reversed(steps)),
    }
    if os.environ.get("HEXHOLM_DEBUG"):
        fields["message"] = str(error)
    return fields
