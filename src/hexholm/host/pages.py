"""The page a browser gets where the client is not built: what this is and how to build it. Plain HTML, no script."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import Final

from hexholm import __version__

from .web.middleware import CONTENT_POLICY

STYLE: Final = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "li{margin:.5rem 0}"
)
_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY: Final = f"{CONTENT_POLICY}; script-src 'none'; style-src 'sha256-{_HASH}'"
"""The content policy of this page: no script at all, and this one style."""


def unbuilt() -> str:
    """The page in place of the client."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Hexholm</title><style>{STYLE}</style></head><body><main><h1>Hexholm</h1>"
        "<p>The host runs, but the part of it for browsers has not been built yet. In a checkout, "
        "<code>make web</code> builds it; then load this page again.</p>"
        "<p>Meanwhile <code>hexholm play</code> plays in the terminal, <code>hexholm watch</code> follows a table "
        "there, and programs find:</p>"
        '<ul><li><a href="/openapi.json">REST, as OpenAPI</a></li>'
        '<li><a href="/api/tables">the tables as JSON</a></li><li><a href="/api/editions">the editions</a></li></ul>'
        f"<p>Hexholm {escape(__version__)}</p></main></body></html>"
    )
