"""Counts of rules: on how many cases of which data each rule held, and decided."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import SupportsInt

from evoter.rules.errors import RuleError
from evoter.rules.schema import check_name


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """What the rules of a rule set, and last its default, did on some data.

    `data` names the data and `cases` is their number: rows, series or steps. `times_applied` counts the cases in which
    the antecedent of a rule held, in every mode; for the default, those in which no rule held. `times_decided` counts
    the cases in which its action was taken; it is empty where only the former is known. Counts inform readers and
    decide nothing.

    >>> RuleCounts("training rows", 150, (50, 61, 52), (50, 48, 52)).data
    'training rows'
    """

    data: str
    cases: int
    times_applied: tuple[int, ...]
    times_decided: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "times_applied", tuple(self.times_applied))
        object.__setattr__(self, "times_decided", tuple(self.times_decided))
        check_name("the name of counted data", self.data)
        counts = [self.cases, *self.times_applied, *self.times_decided]
        if not all(type(count) is int and 0 <= count <= self.cases for count in counts):
            raise RuleError(f"counts of rules are whole numbers from 0 to the number of cases, {self.cases!r}")
        if self.times_decided and len(self.times_decided) != len(self.times_applied):
            raise RuleError(
                f"there are {len(self.times_decided)} counts of decisions for {len(self.times_applied)} rules and "
                "default: there must be one for each"
            )


def count_rules(data: str, cases: int, applied: Iterable[SupportsInt], decided: Iterable[SupportsInt]) -> RuleCounts:
    """Return counts from numbers of any whole type, such as those of an array."""
    return RuleCounts(data, int(cases), tuple(map(int, applied)), tuple(map(int, decided)))


def check_counts(counts: RuleCounts | None, n_rules: int) -> None:
    """Refuse counts that are not one for each rule and the default."""
    if counts is not None and len(counts.times_applied) != n_rules + 1:
        raise RuleError(
            f"there are {len(counts.times_applied)} counts for {n_rules} rules: there must be one for each, and one "
            "for the default"
        )
