"""Which address a request comes from: what the brake on guessing passwords counts."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest

SUBSCRIBER = 64  # bits of an IPv6 address that a provider gives one subscriber (RFC 6177); the rest is the subscriber's


def client_address(request: HttpRequest) -> str:
    """Return the address of who asks, as `address_of` its environment."""
    return address_of(request.META)


def address_of(environ: Mapping[str, Any]) -> str:
    """Return the address from which a request comes, for IPv6 that of the subscriber's network.

    Behind a proxy it is the last one of X-Forwarded-For: the proxy itself adds it, those before it are whatever the
    client sends. Without a proxy of ours the header is not looked at.
    """
    own = str(environ.get("REMOTE_ADDR", ""))
    forwarded = str(environ.get("HTTP_X_FORWARDED_FOR", "")) if settings.CONFIGURATION.behind_proxy else ""
    return _network(_without_port(forwarded.rpartition(",")[2].strip())) or _network(own) or own


def asker(request: HttpRequest) -> str:
    """Return the account that asks, else the address."""
    if request.user.is_authenticated:
        return f"account {request.user.pk}"
    return f"address {client_address(request)}"


def _without_port(text: str) -> str:
    """Return an address that some proxies write with its port, as `192.0.2.1:443` and `[2001:db8::1]:443`."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _network(text: str) -> str:
    """Return what counts as one address; empty for text that is none."""
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), SUBSCRIBER), strict=False).network_address)
    return str(address)
