"""Who somebody is: a guest by a signed cookie, a seat by its token. There are no accounts and no passwords.

The cookie holds a random name and its signature, nothing else; the key of the signatures lies in a file beside the
database that only its owner may read, or within a database on a server. Tokens of seats are made and kept (hashed) by
the hall; how they travel is in :mod:`hexholm.host.wire.links`.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import re
import secrets
import stat
import sys
from pathlib import Path
from typing import Final

from hexholm.rules.errors import BadInput

from ...storage import Storage
from ...wire.api import COOKIE, HOST_COOKIE

KEY_BYTES: Final = 32
KEY_IN_DATABASE: Final = "cookie_key"
LONGEST_COOKIES: Final = 16_384
"""Characters of a Cookie header that is read; all programs on this machine share it in a browser."""
YEAR: Final = 365 * 24 * 3600
COOKIE_VERSION: Final = "1"
_COOKIE: Final = re.compile(COOKIE_VERSION + r"\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})")
_BEARER: Final = re.compile(r"Bearer ([\x21-\x7e]{1,200})", re.IGNORECASE)
_SHARE: Final = re.compile(r"Share ([\x21-\x7e]{1,200})", re.IGNORECASE)


class BadSecret(BadInput):
    """The file with the key cannot be used; the message says what would do."""


class Identity:
    """Makes guests and knows them again."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = secrets.token_bytes(KEY_BYTES) if key is None else key

    def new_guest_id(self) -> str:
        """A guest nobody has seen before: 128 random bits."""
        return secrets.token_urlsafe(16)

    def cookie_of(self, guest_id: str) -> str:
        """The value of the guest's cookie."""
        return f"{COOKIE_VERSION}.{guest_id}.{self._signature(guest_id)}"

    def guest_id_of_cookie(self, value: str | None) -> str | None:
        """The guest of a cookie; None if there is none or it was not signed here."""
        match = _COOKIE.fullmatch(value or "")
        if match is None or not hmac.compare_digest(self._signature(match[1]), match[2]):
            return None
        return match[1]

    def set_cookie(self, guest_id: str, *, secure: bool) -> str:
        """The header that gives a guest its cookie: no script can read it, no foreign page can use it."""
        name, more = (HOST_COOKIE, "; Secure") if secure else (COOKIE, "")
        return f"{name}={self.cookie_of(guest_id)}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{more}"

    def guest_id_of_key(self, key: str) -> str:
        """The new guest who brings a key of its own: the same one when it asks again before it has its cookie."""
        return base64.urlsafe_b64encode(self.derive("guest", key)[:16]).decode().rstrip("=")

    def derive(self, *words: str) -> bytes:
        """32 bytes that follow from some words; without our key nobody can tell them."""
        return hmac.digest(self._key, "\n".join(("derived", *words)).encode(errors="replace"), hashlib.sha256)

    def _signature(self, guest_id: str) -> str:
        digest = hmac.digest(self._key, f"guest {COOKIE_VERSION} {guest_id}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def cookie_value(header: str | None, *, secure: bool) -> str | None:
    """Our cookie in a Cookie header.

    Over TLS it is the one that only this very host can have set, and never the plain one: a neighbor under the same
    domain could have planted that, and be the guest whom somebody plays as from then on. Read by hand: the library's
    reader takes time that grows with the square of a header of backslashes.
    """
    if not header or len(header) > LONGEST_COOKIES:
        return None
    cookies: dict[str, str] = {}
    for pair in header.split(";"):
        name, _, value = pair.partition("=")
        cookies.setdefault(name.strip(), value.strip().strip('"'))
    return cookies.get(HOST_COOKIE if secure else COOKIE)


def bearer_token(header: str | None) -> str | None:
    """The token in an Authorization header."""
    match = _BEARER.fullmatch((header or "").strip())
    return None if match is None else match[1]


def share_secret(header: str | None) -> str | None:
    """The secret of a shown game in an Authorization header."""
    match = _SHARE.fullmatch((header or "").strip())
    return None if match is None else match[1]


async def read_key(storage: Storage) -> bytes:
    """The key of a storage: beside its file, or in a database on a server, which has no file beside it."""
    if storage.path is not None:
        return read_key_beside(storage.path)
    text = await storage.meta(KEY_IN_DATABASE)
    if text is None:  # there is one server for a database: nobody else makes one meanwhile
        text = secrets.token_hex(KEY_BYTES)
        await storage.set_meta(KEY_IN_DATABASE, text)
    return bytes.fromhex(text)


def read_key_beside(database: str | Path) -> bytes:
    """The key in `DATABASE.secret`; made if it is missing, readable by its owner only."""
    path = key_path(Path(database).expanduser())
    if not path.exists():  # on a full disk a key that is there must do
        with contextlib.suppress(FileExistsError):
            _write_key(path)
    try:
        key = path.read_bytes()
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError as error:
        raise BadSecret(f"{path}: the key of the guests' cookies cannot be read: {error.strerror}") from error
    if len(key) < KEY_BYTES:
        raise BadSecret(f"{path}: this is no key; delete it, and a new one is made (guests then are strangers again)")
    if sys.platform != "win32" and mode & 0o077:
        raise BadSecret(f"{path}: others may read the key (mode {mode:03o}); say: chmod 600 {path}")
    return key


def key_path(database: Path) -> Path:
    """Where the key of a database file lies: beside it."""
    return database.with_name(database.name + ".secret")


def bring_key(backup: Path, database: Path) -> str:
    """After a restore: the key that lies beside a backup goes beside a database that has none. What to know of it."""
    path, brought = key_path(database), key_path(backup)
    try:
        if path.exists():
            if not brought.exists():
                return f"{path}, the key of the guests' cookies, is as it was: it must be the one of the backup"
            if path.read_bytes() == brought.read_bytes():
                return f"{path}, the key of the guests' cookies, is that of the backup"
            return (
                f"{path}, the key of the guests' cookies, is as it was, and not that of the backup ({brought}): "
                "guests of the backup are strangers unless you put that in its place"
            )
        if not brought.exists():
            return (
                f"there is no {path}: put the one there that belongs to the backup, for its owner alone (chmod 600), "
                "else the server makes a new one, and all guests are strangers; links of seats go on working"
            )
        _write_key(path, brought.read_bytes())
    except OSError as error:
        raise BadSecret(f"{brought}: the key of the guests' cookies cannot be read: {error.strerror}") from error
    return f"{path}, the key of the guests' cookies, is that of the backup"


def _write_key(path: Path, key: bytes | None = None) -> None:
    """Write a key, a new one unless it is given, whole or not at all: a file that is there is complete."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES) if key is None else key)
            file.flush()
            os.fsync(file.fileno())
        if sys.platform == "win32":
            draft.rename(path)
        else:
            path.hardlink_to(draft)  # unlike a rename it never replaces the key of somebody who was quicker
    except FileExistsError:
        raise
    except OSError as error:
        raise BadSecret(f"{path}: the key of the guests' cookies cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
