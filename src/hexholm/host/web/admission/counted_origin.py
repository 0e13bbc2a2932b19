"""What limits count an address as."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

from ...tables.services.census import GuestOrigin


@lru_cache(maxsize=4096)
def counted_address(host: str) -> str:
    """What limits count an address as: itself, or with IPv6 its /64, of which one guest has every address."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((address.packed, 64), strict=False))


@lru_cache(maxsize=4096)
def counted_network(host: str) -> str:
    """The network of an address as limits count it: what one customer of a provider can easily have addresses of."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0].partition("/")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    bits = 24 if isinstance(address, ipaddress.IPv4Address) else 48
    return str(ipaddress.ip_network((address.packed, bits), strict=False))


def origin_of_address(address: str) -> GuestOrigin:
    """What limits count an address as."""
    return GuestOrigin(address, counted_network(address))
