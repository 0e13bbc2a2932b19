"""The built browser client: its files from memory, its one page at every address it knows.

The client is built from `web/` into the folder `static` beside this module, and is part of the wheel. Names under
`assets/` hold a digest of the content, so that browsers keep them for good; the page and what has a plain name are
asked for anew each time, and answered with "not modified" where nothing is new. All files are held in memory, plain and
compressed: there are few of them, and no path of a request ever reaches the disk. None holds a secret, so that
compressing them betrays nothing. Where the build left `name.br` beside a file, that is the file compressed by Brotli:
smaller, and read by browsers over TLS and on their own machine.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .. import pages
from .middleware import CONTENT_POLICY

FOLDER: Final = Path(__file__).parents[1] / "static"
INDEX: Final = "index.html"
ADDRESSES: Final = ("/", "/new", "/t/{table:str}", "/replay/{table:str}", "/rules", "/rules/{entry:str}")
"""The addresses at which the client shows something; it reads from the address what."""
MARKUP: Final = "trusted-types svelte-trusted-html hexholm-drawing"
POLICY: Final = f"{CONTENT_POLICY}; script-src 'self'; style-src 'self'; {MARKUP}"
"""The content policy of the page: scripts and styles of its own server; markup made by Svelte or drawn by the host."""
FOR_GOOD: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
BROTLI: Final = ".br"
WORTH_IT: Final = 1024
"""Files with fewer bytes are sent as they are."""
TYPES: Final = {
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
    kind: str
    tag: str
    keep: str

    @classmethod
    def read(cls, path: Path, name: str) -> File:
        """The file at `path`, known to browsers as `name`."""
        content = path.read_bytes()
        packed: dict[str, bytes] = {}
        if len(content) >= WORTH_IT:
            best = path.with_name(path.name + BROTLI)
            packed = {"br": best.read_bytes()} if best.is_file() else {}
            packed["gzip"] = gzip.compress(content, mtime=0)
        kind = TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        return cls(
            content=content,
            packed={way: smaller for way, smaller in packed.items() if len(smaller) < 0.9 * len(content)},
            kind=kind,
            tag=hashlib.sha256(content).hexdigest()[:20],
            keep=FOR_GOOD if name.startswith("assets/") else ASK_AGAIN,
        )

    def answer(self, request: Request, status: int = 200, **more: str) -> Response:
        """The file, compressed for those who can read that; or that they have it already."""
        taken = request.headers.get("accept-encoding", "")
        way = next((way for way in self.packed if takes(taken, way)), None)
        tag = f'"{self.tag}-{way}"' if way else f'"{self.tag}"'
        headers = {"Cache-Control": self.keep, "ETag": tag, **more}
        if self.packed:
            headers["Vary"] = "Accept-Encoding"
        if status == 200 and has_it(request.headers.get("if-none-match", ""), tag):
            return Response(status_code=304, headers=headers)
        if way:
            headers["Content-Encoding"] = way
        body = self.packed[way] if way else self.content
        return Response(body, status, {**headers, "Content-Type": self.kind})


class StaticFiles:
    """The files of the client; without them, a page that says how to build it."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or FOLDER
        self.files: dict[str, File] = {}
        """By the name that browsers use, without the first slash."""
        self._built = -1
        self._look()

    def _look(self) -> None:
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
        found = self.files.get("assets/" + request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        return found.answer(request)

    def elsewhere(self, request: Request) -> Response | None:
        """What else lies at an address that leads nowhere: a file with a plain name, or for a person the page."""
        if request.method not in ("GET", "HEAD"):
            return None
        found = self.files.get(request.url.path.removeprefix("/"))
        if found is not None:
            return found.answer(request)
        if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
            return self._page(request, 404)
        return None

    def _page(self, request: Request, status: int) -> Response:
        self._look()
        index = self.files.get(INDEX)
        if index is None:
            headers = {"Content-Security-Policy": pages.POLICY, "Cache-Control": ASK_AGAIN}
            return Response(pages.unbuilt(), status, headers, "text/html")
        return index.answer(request, status, **{"Content-Security-Policy": POLICY})


def takes(header: str, way: str) -> bool:
    """Whether an Accept-Encoding header allows a way to compress."""
    for one in header.lower().split(","):
        name, _, quality = one.partition(";")
        if name.strip() in (way, "*"):
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def takes_gzip(header: str) -> bool:
    """Whether an Accept-Encoding header allows gzip."""
    return takes(header, "gzip")


def has_it(header: str, tag: str) -> bool:
    """Whether an If-None-Match header names a tag."""
    named = {one.strip().removeprefix("W/") for one in header.split(",")}
    return tag in named or "*" in named
