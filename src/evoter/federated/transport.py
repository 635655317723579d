"""Transports: how requests get to sites and answers back, within one process or by whatever connects them."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Answering(Protocol):
    """Something that answers requests under a name, as a `Site` does."""

    @property
    def name(self) -> str:
        """What the others call it."""
        ...

    def answer(self, request: bytes) -> bytes:
        """Answer a request."""
        ...


class Transport(Protocol):
    """Carries bytes between the coordinator and sites; it need not look into them.

    An address is any text that stays the same while a site is connected; a site that returns may have another one.
    """

    def addresses(self) -> Sequence[str]:
        """Return the addresses of the sites that can be reached now."""
        ...

    def ask(self, request: bytes, addresses: Sequence[str]) -> Mapping[str, bytes]:
        """Send a request to some sites and return the answers by address; sites that do not answer are left out."""
        ...


class InProcess:
    """A transport to sites that are objects of this process, for trials, tests and simulations."""

    def __init__(self, sites: Sequence[Answering]) -> None:
        self._sites = {site.name: site for site in sites}
        if len(self._sites) < len(sites):
            raise ValueError(f"sites must have different names, got {[site.name for site in sites]}")

    def addresses(self) -> Sequence[str]:
        """Return the names of all sites."""
        return tuple(self._sites)

    def ask(self, request: bytes, addresses: Sequence[str]) -> Mapping[str, bytes]:
        """Ask one site after the other."""
        return {address: self._sites[address].answer(request) for address in addresses}
