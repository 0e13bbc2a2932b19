"""What the tests look for in the texts of each language, one file a language, beside what the texts themselves hold."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from hexholm.rules.language.languages import LANGUAGES

_FOLDER: Final = Path(__file__).parent
LOOKED_FOR: Final[dict[str, dict[str, Any]]] = {
    language: tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8")) for language in LANGUAGES
}
