"""The result of a comparison: accuracy, agreement, and the rows with different answers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from evoter.analysis.intervals import proportion_interval
from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.verdict import MOSTLY_ONE_CLASS


@dataclass(frozen=True, slots=True)
class Contestant:
    """A rule file or a model: its name, its size in words, and its answers on the compared rows.

    One with `is_constant` always gives the same answer and is ignored when rows with different answers are listed.
    """

    name: str
    size: str
    answers: list[str]
    is_constant: bool = False

    def n_right(self, labels: Sequence[str]) -> int:
        """Return the number of correct answers."""
        return sum(answer == label for answer, label in zip(self.answers, labels, strict=True))

    def balanced_accuracy(self, labels: Sequence[str]) -> float:
        """Return the share of correct answers in each class, averaged over the classes."""
        totals = Counter(labels)
        right = Counter(label for answer, label in zip(self.answers, labels, strict=True) if answer == label)
        return sum(right[label] / total for label, total in totals.items()) / len(totals)

    def agreement(self, other: "Contestant") -> float:
        """Return the share of rows for which two contestants give the same answer."""
        same = sum(a == b for a, b in zip(self.answers, other.answers, strict=True))
        return same / len(self.answers)


class Pair(NamedTuple):
    """The first contestant and another one: the numbers of rows for which only one of them is correct.

    `p_value` is that of McNemar's exact test.
    """

    first: str
    other: str
    only_first_right: int
    only_other_right: int
    p_value: float
    agreement: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Contestants on some rows of a plan; `unseen` if these were held out when the rules were fitted."""

    plan: Plan
    rows: list[int]
    contestants: list[Contestant]
    unseen: bool

    @property
    def labels(self) -> list[str]:
        """The correct label of each compared row."""
        return [self.plan.labels[row] for row in self.rows]

    @property
    def mostly_one_class(self) -> bool:
        """Whether so many rows have the same class that accuracy says little."""
        labels = self.labels
        return max(Counter(labels).values()) >= MOSTLY_ONE_CLASS * len(labels)

    @property
    def differing(self) -> list[int]:
        """The indices, among the compared rows, at which contestants give different answers."""
        judged = [each.answers for each in self.contestants if not each.is_constant]
        return [index for index, answers in enumerate(zip(*judged, strict=True)) if len(set(answers)) > 1]

    def number(self, index: int) -> int:
        """Return the number, from 1, that a compared row has in the table."""
        return self.plan.rows[self.rows[index]] + 1

    def pairs(self) -> list[Pair]:
        """Compare the first contestant with each other one."""
        from scipy.stats import binomtest

        (first, *others), labels = self.contestants, self.labels
        pairs = []
        for other in others:
            triples = list(zip(first.answers, other.answers, labels, strict=True))
            n_first = sum(a == label != b for a, b, label in triples)
            n_other = sum(b == label != a for a, b, label in triples)
            p_value = float(binomtest(n_first, n_first + n_other).pvalue) if n_first + n_other else 1.0
            pairs.append(Pair(first.name, other.name, n_first, n_other, p_value, first.agreement(other)))
        return pairs

    def to_dict(self, n_rows: int | None = None) -> dict[str, Any]:
        """Return everything by name, ready for JSON, with all or the first `n_rows` of the rows that differ."""
        labels = self.labels
        return {
            "table": self.plan.source.name,
            "target": self.plan.target,
            "rows": len(labels),
            "only_unseen_rows": self.unseen,
            "models": [
                {
                    "name": each.name,
                    "size": each.size,
                    "accuracy": each.n_right(labels) / len(labels),
                    "balanced_accuracy": each.balanced_accuracy(labels),
                    "interval": list(proportion_interval(each.n_right(labels), len(labels))),
                    "agreement": {other.name: each.agreement(other) for other in self.contestants},
                }
                for each in self.contestants
            ],
            "pairs": [pair._asdict() for pair in self.pairs()],
            "differing_rows": [
                {
                    "row": self.number(index),
                    "label": labels[index],
                    "answers": {each.name: each.answers[index] for each in self.contestants},
                }
                for index in self.differing[:n_rows]
            ],
        }
