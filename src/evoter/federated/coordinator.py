"""Coordinator: asks all sites the same, adds up what they answer, and knows what to do when one does not."""

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from evoter.federated.errors import FederationError, MessageError, SiteRefusalError, SiteUnavailableError
from evoter.federated.messages import (
    MAX_CELLS,
    Agreement,
    Answer,
    Counted,
    Describe,
    Moves,
    Refusal,
    Sketch,
    Tables,
    n_bins,
    n_counts,
    read_answer,
    write_request,
)
from evoter.federated.populations import CodedRuleSets
from evoter.federated.protection.masks import unmasked
from evoter.federated.summaries import Summary
from evoter.federated.sums import Sums
from evoter.federated.transport import Transport
from evoter.kernels.layout import Floats, Ints
from evoter.rules.schema import Schema

MOST_ROWS: Final = 2**48
"""No site has more rows; larger counts are no counts."""

PAUSE: Final = 0.5
"""Seconds between two attempts to reach a site."""


@dataclass(frozen=True, slots=True)
class Sum:
    """The sums of the counts of some sites, and which sites these were."""

    counts: Ints
    sites: tuple[str, ...]


class Coordinator:
    """One side of a federated run: it sees summaries and counts of sites, or with secure aggregation only their sums.

    All sites that answer at first take part. If one does not answer later, it is asked again for `retry_seconds`; then
    the run ends with an error. With `min_sites`, the others go on without it, if they are as many, and it takes part
    again as soon as it answers.
    """

    def __init__(self, transport: Transport, *, min_sites: int | None = None, retry_seconds: float = 60.0) -> None:
        self._transport = transport
        self._min_sites = min_sites
        self._retry_seconds = retry_seconds
        self._names: dict[str, str] = {}
        self.summaries: dict[str, Summary] = {}
        self.agreement: Agreement | None = None
        self.n_tables_left: int | None = None
        self.n_rounds = 0
        self.describe()

    @property
    def sites(self) -> tuple[str, ...]:
        """The names of all sites that take part, also of those that do not answer at present."""
        return tuple(sorted(self.summaries))

    @property
    def is_secure(self) -> bool:
        """Whether counts come masked."""
        return any(summary.public_key for summary in self.summaries.values())

    @property
    def is_noisy(self) -> bool:
        """Whether some site adds noise."""
        return any(summary.noisy for summary in self.summaries.values())

    @property
    def min_cell_count(self) -> int:
        """The largest of the counts below which some site suppresses."""
        return max(1 if summary.grouped else summary.min_cell_count for summary in self.summaries.values())

    @property
    def group_size(self) -> int:
        """How many rows a group has at least, where some site counts groups; 1 where none does."""
        return max(summary.min_cell_count if summary.grouped else 1 for summary in self.summaries.values())

    def describe(self) -> None:
        """Ask all sites for their summaries."""
        found = self._summaries(self._transport.addresses())
        if not found:
            raise SiteUnavailableError((), "start the sites first, and look at what they say")
        if self._min_sites is not None and not 1 <= self._min_sites <= len(found):
            raise ValueError(f"min_sites must be 1 to {len(found)}, the number of sites, got {self._min_sites!r}")
        self.summaries = {name: summary for summary, name in found.values()}
        if len(self.summaries) < len(found):
            raise FederationError(f"sites must have different names, got {sorted(name for _, name in found.values())}")
        self._names = {address: name for address, (_, name) in found.items()}
        if self.is_secure and not all(summary.public_key for summary in self.summaries.values()):
            plain = [name for name, summary in self.summaries.items() if not summary.public_key]
            raise FederationError(
                f"{plain[0]!r} does not mask its counts and others do: let all sites mask them, or none"
            )
        budgets = [each.n_tables_left for each in self.summaries.values() if each.n_tables_left is not None]
        self.n_tables_left = min(budgets, default=None)

    def agree(self, schema: Schema) -> None:
        """Say by which schema the sites count from now on."""
        self.agreement = Agreement(schema)

    def sketch(self, edges: tuple[Floats, ...]) -> list[Ints]:
        """Return how many rows lie between the edges of each numeric feature, and how many are missing."""
        total = self._add_up(lambda agreement: Sketch(agreement, edges)).counts
        return np.split(total, np.cumsum([len(some) + 2 for some in edges])[:-1])

    def tables(self, population: CodedRuleSets) -> tuple[list[Ints], tuple[str, ...]]:
        """Return the rows of each class that the rules of each rule set decide [rule, class], and by which sites."""
        total = self._add_up(lambda agreement: Tables(agreement, population))
        n_classes = len(self._agreed.schema.actions)
        parts = np.split(total.counts.reshape(-1, n_classes), np.cumsum(population.n_rules + 1)[:-1])
        return parts, total.sites

    def moves(
        self, cuts: tuple[Floats, ...], population: CodedRuleSets, contexts: Ints, sums: Sums | None = None
    ) -> Ints:
        """Return histograms [context, bin, class, following action]; the bins of features and sums are in a row."""
        n_classes, total = len(self._agreed.schema.actions), sum(n_bins(self._agreed.schema, cuts))
        size = max(1, MAX_CELLS // (total * n_classes**2))
        parts = [np.empty((0, total, n_classes, n_classes), np.int64)]
        for first in range(0, len(contexts), size):
            some = contexts[first : first + size]
            make = partial(Moves, cuts=cuts, population=population, contexts=some, sums=sums or Sums.none())
            parts.append(self._add_up(make).counts.reshape(-1, total, n_classes, n_classes))
        return np.concatenate(parts)

    @property
    def _agreed(self) -> Agreement:
        assert self.agreement is not None
        return self.agreement

    def _add_up(self, make: Callable[[Agreement], Sketch | Tables | Moves]) -> Sum:
        """Ask for counts until all sites that are needed have answered the same request, and add them up."""
        self.n_rounds += 1
        deadline = time.monotonic() + self._retry_seconds
        wanted = self._expected()
        while True:
            request = make(self._with_keys(wanted))
            message, expected = write_request(request), n_counts(request)
            found: dict[str, Counted] = {}
            while len(found) < len(wanted):
                missing = [name for name in wanted if name not in found]
                found |= self._counted(message, missing, expected)
                missing = [name for name in wanted if name not in found]
                if not missing or self._may_leave_out(found):
                    break
                self._wait(deadline, missing)
            if len(found) == len(wanted) or not self.is_secure:
                return self._sum(found)
            # Masks cancel out in the sum over all participants only: the others are asked again without the missing.
            wanted = tuple(sorted(found))

    def _expected(self) -> tuple[str, ...]:
        """Return the sites to ask: all, or those that can be reached if they suffice."""
        if self._min_sites is None:
            return self.sites
        reached = tuple(sorted(self._present().values()))
        return reached if len(reached) >= self._min_sites else self.sites

    def _may_leave_out(self, found: Mapping[str, Counted]) -> bool:
        return self._min_sites is not None and len(found) >= self._min_sites

    def _wait(self, deadline: float, missing: Sequence[str]) -> None:
        if time.monotonic() >= deadline:
            remedy = "start them again and resume from the checkpoint"
            if self._min_sites is None:
                remedy += ", or allow the others to go on without them (min_sites)"
            raise SiteUnavailableError(missing, remedy)
        time.sleep(min(PAUSE, max(0.0, deadline - time.monotonic())))

    def _with_keys(self, sites: Sequence[str]) -> Agreement:
        if not self.is_secure:
            return self._agreed
        return replace(self._agreed, keys={name: self.summaries[name].public_key for name in sites})

    def _counted(self, message: bytes, sites: Sequence[str], expected: int) -> dict[str, Counted]:
        """Ask some sites for counts; a refusal is an error."""
        present = self._present()
        asked = {address: name for address, name in present.items() if name in sites}
        answers = self._transport.ask(message, tuple(asked)) if asked else {}
        found: dict[str, Counted] = {}
        refused: dict[str, Refusal] = {}
        for address, name in asked.items():
            if address not in answers:
                continue
            answer = self._read(answers[address], name)
            if isinstance(answer, Refusal):
                refused[name] = answer
            elif isinstance(answer, Counted):
                self._check_counts(answer, name, expected)
                found[name] = answer
            else:
                raise FederationError(f"site {name!r} answers a request for counts with something else")
        if refused:
            reasons = {name: refusal.reason for name, refusal in refused.items()}
            raise SiteRefusalError(reasons, is_spent=any(refusal.is_spent for refusal in refused.values()))
        return found

    def _present(self) -> dict[str, str]:
        """Return the sites that can be reached, by address; addresses that are new are asked for their names first."""
        addresses = self._transport.addresses()
        unknown = [address for address in addresses if address not in self._names]
        for address, (summary, name) in self._summaries(unknown).items():
            if name not in self.summaries:
                warnings.warn(f"the site {name!r} is not one of those that the run began with: left out", stacklevel=2)
            elif summary.public_key != self.summaries[name].public_key:
                raise FederationError(
                    f"site {name!r} has come back with another key: give it a file to keep its key in "
                    "(PairwiseMasks(path=...)), and begin again"
                )
            else:
                self._names = {old: known for old, known in self._names.items() if known != name}
                self._names[address] = name
        return {address: self._names[address] for address in addresses if address in self._names}

    def _summaries(self, addresses: Sequence[str]) -> dict[str, tuple[Summary, str]]:
        if not addresses:
            return {}
        answers = self._transport.ask(write_request(Describe()), addresses)
        found = {}
        for address in addresses:
            if address not in answers:
                continue
            answer = self._read(answers[address], address)
            if isinstance(answer, Refusal):
                raise SiteRefusalError({address: answer.reason}, is_spent=answer.is_spent)
            if not isinstance(answer, Summary):
                raise FederationError(f"the site at {address!r} answers a request for its summary with something else")
            found[address] = (answer, answer.site)
        return found

    def _read(self, message: bytes, site: str) -> Answer:
        try:
            return read_answer(message)
        except MessageError as error:
            raise FederationError(f"the answer of site {site!r} cannot be used: {error}") from None

    def _check_counts(self, answer: Counted, site: str, expected: int) -> None:
        """Refuse counts that no rows can have; what is masked or noisy cannot be told from nonsense."""
        counts = answer.counts
        if len(counts) != expected or counts.dtype.kind != ("u" if self.is_secure else "i"):
            raise FederationError(f"site {site!r} gives {len(counts)} counts where {expected} were asked for")
        noisy = self.summaries[site].noisy
        if not self.is_secure and counts.size and (counts.max() > MOST_ROWS or counts.min() < -MOST_ROWS * noisy):
            raise FederationError(f"site {site!r} gives counts that no rows can have")
        if answer.n_tables_left is not None:
            left = self.n_tables_left
            self.n_tables_left = answer.n_tables_left if left is None else min(left, answer.n_tables_left)

    def _sum(self, found: Mapping[str, Counted]) -> Sum:
        parts = [found[name].counts for name in sorted(found)]
        if not self.is_secure:
            return Sum(np.sum(parts, axis=0, dtype=np.int64), tuple(sorted(found)))
        counts = unmasked(parts)  # type: ignore[arg-type]
        limit = MOST_ROWS * len(parts)
        if counts.size and (counts.max() > limit or counts.min() < -limit * self.is_noisy):
            raise FederationError("the sum of masked counts is no count: the masks of some sites do not cancel out")
        return Sum(counts, tuple(sorted(found)))
