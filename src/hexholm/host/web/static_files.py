"""The built browser client: its files from memory, its one page at every address it knows.

The client is built from `web/` into the folder `static` beside this module, and is part of the wheel. Names under
`assets/` hold a digest of the content, so that browsers keep them for good; the page and what has a plain name are
asked for anew each time, and answered with "not modified" where nothing is new. All files are held in memory, plain and
compressed: there are few of them, and no path of a request ever reaches the disk. None holds a secret, so that
compressing them betrays nothing. Where the build left `name.br` beside a file, that is the file compressed by Brotli:
smaller, and read by browsers over TLS and on their own machine.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm import __version__

from .middleware import CONTENT_POLICY

FOLDER: Final = Path(__file__).parents[1] / "static"
INDEX: Final = "index.html"
ADDRESSES: Final = (
    *("/", "/new", "/me", "/ratings", "/t/{table:str}", "/replay/{table:str}"),
    *("/rules", "/rules/{entry:str}"),
)
"""The addresses at which the client shows something; it reads from the address what."""
MARKUP: Final = "trusted-types svelte-trusted-html hexholm-drawing"
POLICY: Final = f"{CONTENT_POLICY}; script-src 'self'; style-src 'self'; {MARKUP}"
"""The content policy of the page: scripts and styles of its own server; markup made by Svelte or drawn by the host."""
STYLE: Final = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "li{margin:.5rem 0}"
)
_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
UNBUILT_POLICY: Final = f"{CONTENT_POLICY}; script-src 'none'; style-src 'sha256-{_HASH}'"
"""The content policy of the page in place of the client: no script at all, and this one style."""
FOR_GOOD: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
BROTLI: Final = ".br"
WORTH_IT: Final = 1024
"""Files with fewer bytes are sent as they are."""
MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Said here, because what the operating system says differs from one machine to the next."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of the client, ready to be sent."""

    content: bytes
    packed: dict[str, bytes]
    """Compressed, by the name of the way to do so; the best first."""
    media_type: str
    tag: str
    cache_control: str

    @classmethod
    def read(cls, path: Path, name: str) -> File:
        """The file at `path`, known to browsers as `name`."""
        content = path.read_bytes()
        packed: dict[str, bytes] = {}
        if len(content) >= WORTH_IT:
            brotli = path.with_name(path.name + BROTLI)
            packed = {"br": brotli.read_bytes()} if brotli.is_file() else {}
            packed["gzip"] = gzip.compress(content, mtime=0)
        media_type = MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        return cls(
            content=content,
            packed={
                encoding: compressed for encoding, compressed in packed.items() if len(compressed) < 0.9 * len(content)
            },
            media_type=media_type,
            tag=hashlib.sha256(content).hexdigest()[:20],
            cache_control=FOR_GOOD if name.startswith("assets/") else ASK_AGAIN,
        )

    def answer(self, request: Request, status: int = 200, **more: str) -> Response:
        """The file, compressed for those who can read that; or that they have it already."""
        accepted = request.headers.get("accept-encoding", "")
        encoding = next((encoding for encoding in self.packed if accepts_encoding(accepted, encoding)), None)
        tag = f'"{self.tag}-{encoding}"' if encoding else f'"{self.tag}"'
        headers = {"Cache-Control": self.cache_control, "ETag": tag, **more}
        if self.packed:
            headers["Vary"] = "Accept-Encoding"
        if status == 200 and matches_tag(request.headers.get("if-none-match", ""), tag):
            return Response(status_code=304, headers=headers)
        if encoding:
            headers["Content-Encoding"] = encoding
        body = self.packed[encoding] if encoding else self.content
        return Response(body, status, {**headers, "Content-Type": self.media_type})


class StaticFiles:
    """The files of the client; without them, a page that says how to build it."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or FOLDER
        self.files: dict[str, File] = {}
        """By the name that browsers use, without the first slash."""
        self._built = -1
        self._read_if_built()

    def _read_if_built(self) -> None:
        """Read all files, if the client was built since we last looked."""
        try:
            built = (self.folder / INDEX).stat().st_mtime_ns
        except FileNotFoundError:
            built = 0
        if built == self._built:
            return
        paths = [path for path in sorted(self.folder.rglob("*")) if built and path.is_file() and path.suffix != BROTLI]
        names = [path.relative_to(self.folder).as_posix() for path in paths]
        self.files = {name: File.read(path, name) for name, path in zip(names, paths, strict=True)}
        self._built = built

    def routes(self) -> list[Route]:
        """The addresses of the client, and its files with a digest in their names."""
        return [
            *(Route(address, self.page) for address in ADDRESSES),
            Route("/assets/{name:path}", self.asset),
        ]

    async def page(self, request: Request) -> Response:
        """The page of the client; what it shows, it asks for itself."""
        return self._page(request, 200)

    async def asset(self, request: Request) -> Response:
        """A file whose name holds a digest; HTTPException if it is not there, as after a new build."""
        file = self.files.get("assets/" + request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        return file.answer(request)

    def fallback(self, request: Request) -> Response | None:
        """What else lies at an address that leads nowhere: a file with a plain name, or for a person the page."""
        if request.method not in ("GET", "HEAD"):
            return None
        file = self.files.get(request.url.path.removeprefix("/"))
        if file is not None:
            return file.answer(request)
        if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
            return self._page(request, 404)
        return None

    def _page(self, request: Request, status: int) -> Response:
        self._read_if_built()
        index = self.files.get(INDEX)
        if index is None:
            headers = {"Content-Security-Policy": UNBUILT_POLICY, "Cache-Control": ASK_AGAIN}
            return Response(unbuilt_page(), status, headers, "text/html")
        return index.answer(request, status, **{"Content-Security-Policy": POLICY})


def accepts_encoding(header: str, encoding: str) -> bool:
    """Whether an Accept-Encoding header allows a way to compress."""
    for part in header.lower().split(","):
        name, _, quality = part.partition(";")
        if name.strip() in (encoding, "*"):
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def accepts_gzip(header: str) -> bool:
    """Whether an Accept-Encoding header allows gzip."""
    return accepts_encoding(header, "gzip")


def matches_tag(header: str, tag: str) -> bool:
    """Whether an If-None-Match header names a tag."""
    tags = {part.strip().removeprefix("W/") for part in header.split(",")}
    return tag in tags or "*" in tags


def unbuilt_page() -> str:
    """The page in place of a client that is not built: what this is and how to build it. Plain HTML, no script."""
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
