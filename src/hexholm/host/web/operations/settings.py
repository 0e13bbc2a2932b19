"""How a server is set up: where it listens, whom it answers, how much it lets one guest do."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from hexholm.rules.errors import BadInput

from ..admission.limits import Limits

LOCAL: Final = "127.0.0.1"
PORT: Final = 8000
NAMES_OF_HERE: Final = ("localhost", LOCAL, "::1")


class BadSettings(BadInput):
    """A server cannot be set up like this; the message says what would do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator has chosen."""

    host: str = LOCAL
    port: int = PORT
    public_url: str | None = None
    """What guests type, where a proxy stands before the server: https://play.example.org."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may use this server."""
    hosts: tuple[str, ...] = ()
    """Other names under which this server is reached."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies that are believed when they say for whom they ask."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """Refuse what cannot work, and spell addresses in the one way they are compared in."""
        if self.public_url is not None:
            parts = urlsplit(self.public_url)
            if parts.path not in ("", "/") or parts.query or parts.fragment:
                raise BadSettings(
                    f"public URL {self.public_url}: name only scheme and host, as in https://play.example.org;"
                    " the server has a site of its own"
                )
            object.__setattr__(self, "public_url", origin_of(self.public_url, "public URL"))
        object.__setattr__(self, "origins", tuple(origin_of(text, "allowed origin") for text in self.origins))
        object.__setattr__(self, "hosts", tuple(text.strip().lower().rstrip(".") for text in self.hosts))

    @property
    def secure(self) -> bool:
        """Whether guests come over TLS."""
        return self.public_url is not None and self.public_url.startswith("https://")

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)

    def known_hosts(self) -> frozenset[str]:
        """The names this server answers to; addresses are answered to always (see :mod:`..middleware`)."""
        names = {*NAMES_OF_HERE, self.host.lower(), *self.hosts}
        if self.public_url is not None:
            names.add(urlsplit(self.public_url).hostname or "")
        if not self.local:
            name = socket.gethostname().lower()
            names |= {name, f"{name.partition('.')[0]}.local"}
        return frozenset(names - {""})


def origin_of(url: str, label: str) -> str:
    """The origin of an address as browsers send it: scheme, host, and the port where it is not the usual one."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise BadSettings(f"{label} {url!r}: write it as in https://play.example.org")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}")


def is_address(host: str) -> bool:
    """Whether a host is given as an address and not by a name; one with a zone, which may be any text, is none."""
    if "%" in host:
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether an address or name stays on this machine."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def is_everywhere(host: str) -> bool:
    """Whether it stands for all addresses of this machine."""
    return is_address(host) and ipaddress.ip_address(host).is_unspecified


def lan_address() -> str | None:
    """The address under which others on the local network reach this machine, if there is one. Nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address of no machine (RFC 5737); it only picks the way out
            address = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if is_loopback(address) or is_everywhere(address) else address


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is reached."""

    here: str
    """On this machine."""
    network: str | None
    """On the local network, if it can be reached from there."""
    public: str | None

    @property
    def best(self) -> str:
        """The one to give to others."""
        return self.public or self.network or self.here


def server_address(settings: Settings) -> Address:
    """Where a server with these settings is reached."""

    def url(host: str) -> str:
        return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"

    everywhere = is_everywhere(settings.host)
    here = url("127.0.0.1" if everywhere else settings.host)
    lan = lan_address() if everywhere else settings.host
    return Address(here, None if settings.local or lan is None else url(lan), settings.public_url)


def outside_address(settings: Settings) -> str | None:
    """Where others reach the server; None: only this machine does."""
    where = server_address(settings)
    return where.public or where.network
