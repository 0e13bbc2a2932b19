"""Docstrings as Markdown, for the API page: sessions become code blocks, `:class:` and its like plain code."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:mod|class|func|meth|data|attr|exc):`~?\.?([\w.]+)`")
SESSION = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)


class Markdown(griffe.Extension):
    """Griffe calls this for all that it reads."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of a module, class, function or value."""
        if obj.docstring:
            text = ROLE.sub(r"`\1`", obj.docstring.value)
            obj.docstring.value = SESSION.sub(lambda match: f"```pycon\n{match[0]}\n```", text)
