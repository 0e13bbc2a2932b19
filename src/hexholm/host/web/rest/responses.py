"""How REST answers: as JSON, with a refusal, or with what stays the same for everybody and may be kept."""

from __future__ import annotations

import gzip
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...wire.host_refusals import Refusal
from ..static_files import accepts_gzip

JSON: Final = "application/json"
SVG: Final = "image/svg+xml"


def refusal_response(refusal: Refusal) -> Response:
    """A refusal in the one shape, with the time to come back where there is one."""
    response = json_response(refusal.as_rest(), refusal.status)
    if "retry_after" in refusal.values:
        response.headers["Retry-After"] = str(refusal.values["retry_after"])
    return response


def json_response(data: Any, status: int = 200) -> Response:
    """An answer as JSON."""
    return Response(msgspec.json.encode(data), status, media_type=JSON)


class PackedText(NamedTuple):
    """A text as it is sent, plain and compressed; it holds no secret, so that compressing it betrays nothing."""

    plain: bytes
    packed: bytes

    @classmethod
    def of(cls, text: str) -> PackedText:
        """A text, ready for all who ask for it."""
        plain = text.encode()
        return cls(plain, gzip.compress(plain, mtime=0))


def lasting_response(request: Request, text: PackedText, media_type: str, *, for_all: bool = True) -> Response:
    """What stays the same, compressed for those who can read that; `for_all`: a proxy may give it to others."""
    keeper = "public" if for_all else "private"
    headers = {"Content-Type": media_type, "Cache-Control": f"{keeper}, max-age=86400", "Vary": "Accept-Encoding"}
    if not accepts_gzip(request.headers.get("accept-encoding", "")):
        return Response(text.plain, headers=headers)
    return Response(text.packed, headers={**headers, "Content-Encoding": "gzip"})
