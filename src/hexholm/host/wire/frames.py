"""Messages as the bytes that go over a socket."""

from __future__ import annotations

from typing import Final

import msgspec

from .api import Outgoing

encode: Final = msgspec.json.Encoder().encode


def frame_messages(messages: tuple[Outgoing, ...]) -> bytes:
    """Messages as the frames of a socket (RFC 6455): from a server they are not masked."""
    parts: list[bytes] = []
    for message in messages:
        text = encode(message)
        size = len(text)
        if size < 126:
            head = bytes((0x81, size))
        elif size < 65_536:
            head = b"\x81\x7e" + size.to_bytes(2)
        else:
            head = b"\x81\x7f" + size.to_bytes(8)
        parts += (head, text)
    return b"".join(parts)
