"""The errors of federated runs: unreadable messages, requests that a site refuses, sites that do not answer."""

from collections.abc import Iterable, Mapping


class FederationError(RuntimeError):
    """A federated run cannot go on; the message says which site is concerned and what to do."""


class FederationWarning(UserWarning):
    """What sites tell of their columns does not look like the same columns, such as ranges of different units."""


class MessageError(FederationError):
    """A message is not what it should be: damaged, too large, or made to do harm."""


class RefusedError(FederationError):
    """A site does not answer a request, for the reason given; `is_spent` tells that its privacy budget is."""

    def __init__(self, reason: str, *, is_spent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_spent = is_spent

    def __reduce__(self) -> tuple[object, ...]:
        return _remake_refusal, (self.reason, self.is_spent)


class SiteRefusalError(FederationError):
    """Sites have refused a request; `reasons` has what each of them says, and `is_spent` whether a budget is spent."""

    def __init__(self, reasons: Mapping[str, str], *, is_spent: bool = False) -> None:
        super().__init__("; ".join(f"site {name!r} refuses: {reason}" for name, reason in reasons.items()))
        self.reasons = dict(reasons)
        self.is_spent = is_spent


class SiteUnavailableError(FederationError):
    """Sites that are needed have not answered in time; `sites` has their names."""

    def __init__(self, sites: Iterable[str], remedy: str) -> None:
        self.sites = tuple(sites)
        super().__init__(f"no answer from {', '.join(map(repr, self.sites)) or 'any site'}: {remedy}")


def _remake_refusal(reason: str, is_spent: bool) -> RefusedError:
    return RefusedError(reason, is_spent=is_spent)
