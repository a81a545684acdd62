"""Decide which hosts may be reached: allowed names and public addresses."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

# What `ipaddress` takes for global all the same.
_NOT_PUBLIC: Final = tuple(
    ip_network(network)
    for network in (
        "192.88.99.0/24",  # 6to4 relays
        "224.0.0.0/4",  # multicast
        "2001::/23",  # protocols, Teredo among them
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "3fff::/20",  # documentation
    )
)
# All that is public in IPv6 lies here; NAT64, IPv4-mapped and local addresses lie outside.
_GLOBAL_UNICAST: Final = ip_network("2000::/3")


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet: not to this machine, the local
    network, a reserved range, or a way of writing one of these in another (6to4, NAT64,
    IPv4-mapped).
    """
    try:
        ip: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return False
    # A scope, as in fe80::1%eth0, names an interface of this machine.
    if isinstance(ip, IPv6Address) and (ip.scope_id or ip not in _GLOBAL_UNICAST):
        return False
    return ip.is_global and not any(ip in network for network in _NOT_PUBLIC)


def is_allowed(host: str, allowed: Collection[str]) -> bool:
    """Return whether one of the patterns stands for this host.

    Args:
        host: a name as DNS writes it, or an IP address without brackets.
        allowed: names or addresses; `*.example.com` stands for every name below example.com, but
            not for it; `*` stands for every host. Case does not count.
    """
    host = host.lower().rstrip(".")
    for pattern in allowed:
        pattern = pattern.lower().rstrip(".")
        if pattern in {"*", host}:
            return True
        if pattern.startswith("*.") and host.endswith(pattern[1:]) and len(host) >= len(pattern):
            return True
    return False
