"""Where the studio listens, and by which names browsers may call it."""

import errno
import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from evoter.rules.errors import RuleError

DEFAULT_PORT = 8765
LOOPBACK = "127.0.0.1"
_MAX_PORT = 65_535


class AddressError(RuleError):
    """The studio cannot listen there; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """A socket that is bound, the hosts and origins that requests may name, and the address that people open.

    `hosts` guards against pages elsewhere whose name is made to lead to this machine (DNS rebinding), and `origins`
    against pages elsewhere that send requests here.
    """

    listener: socket.socket
    hosts: tuple[str, ...]
    origins: tuple[str, ...]
    base: str

    @property
    def port(self) -> int:
        """The port that is listened on."""
        port: int = self.listener.getsockname()[1]
        return port


def bind(host: str = LOOPBACK, port: int | None = None, public_url: str | None = None) -> Address:
    """Listen at a host and port; port None is the usual one if it is free, and port 0 is any that is free.

    `public_url` is where a reverse proxy makes the studio known, such as https://studio.example.org.

    >>> address = bind(port=0)
    >>> address.base == f"http://127.0.0.1:{address.port}", len(address.hosts)
    (True, 2)
    >>> address.listener.close()
    """
    public = None if public_url is None else _public(public_url)
    if public is None and _is_any(host):
        raise AddressError(
            f"{host} is all addresses of this machine, and browsers call it by one; say which with --public-url, such "
            "as http://studio.example.org:8765"
        )
    listener = _listening(host, port)
    taken = listener.getsockname()[1]
    names = ["127.0.0.1", "localhost"] if is_loopback(host) and host != "::1" else [_bracketed(host)]
    hosts = [] if _is_any(host) else [f"{name}:{taken}" for name in names]
    origins = [f"http://{name}" for name in hosts]
    if public is not None:
        hosts.append(public[1])
        origins.append("://".join(public))
    base = "://".join(public) if public is not None else f"http://{_bracketed(host)}:{taken}"
    return Address(listener, tuple(hosts), tuple(origins), base)


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach a host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("192.168.1.5")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return host == ""


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _public(url: str) -> tuple[str, str]:
    """Return the scheme and the host, with its port if it has one, of a public address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
        raise AddressError(f"{url!r} is no address of a site; --public-url looks like https://studio.example.org")
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise AddressError(f"{url!r} has more than a host and a port; leave out what follows or precedes them")
    return parts.scheme, parts.netloc.lower()


def _listening(host: str, port: int | None) -> socket.socket:
    if port is not None and not 0 <= port <= _MAX_PORT:
        raise AddressError(f"port {port} is out of range; choose 1024 to {_MAX_PORT}, or 0 for any that is free")
    try:
        return _bound(host, DEFAULT_PORT if port is None else port)
    except OSError as error:
        if port is None and error.errno == errno.EADDRINUSE:
            return _bound(host, 0)
        raise AddressError(_why(error, host, port)) from None


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends what it has at once only if the protocol is named; otherwise the body of an answer waits for the
    # receipt of its headers, which browsers send 40 ms later.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if hasattr(socket, "SO_REUSEADDR") and not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            # Connections of a studio that has just ended do not keep the port; on Windows it would share it.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
        listener.set_inheritable(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _why(error: OSError, host: str, port: int | None) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken by another program, perhaps another studio; --port 0 takes one that is free"
    if error.errno == errno.EACCES:
        return f"port {port} needs rights that you do not have; choose one above 1023, or --port 0"
    return f"cannot listen at {host}: {error.strerror or error}; leave out --host, or name an address of this machine"
