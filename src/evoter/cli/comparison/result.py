"""What a comparison comes to: who is right on how many rows, who agrees with whom, and on which rows they differ."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from evoter.analysis.intervals import proportion_interval
from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.verdict import MOSTLY_ONE_CLASS


@dataclass(frozen=True, slots=True)
class Contestant:
    """A rule file or a model: its name, its size in words, and its answers on the rows compared.

    One whose answer is always the same is no contestant of its own when rows are sought on which they differ.
    """

    name: str
    size: str
    answers: list[str]
    is_constant: bool = False

    def n_right(self, labels: Sequence[str]) -> int:
        """Return how many answers are right."""
        return sum(answer == label for answer, label in zip(self.answers, labels, strict=True))

    def found_on_average(self, labels: Sequence[str]) -> float:
        """Return the share of the rows of a class that are found, on average over the classes: balanced accuracy."""
        totals = Counter(labels)
        right = Counter(label for answer, label in zip(self.answers, labels, strict=True) if answer == label)
        return sum(right[label] / total for label, total in totals.items()) / len(totals)

    def agreement(self, other: "Contestant") -> float:
        """Return the share of rows on which two give the same answer."""
        same = sum(a == b for a, b in zip(self.answers, other.answers, strict=True))
        return same / len(self.answers)


class Pair(NamedTuple):
    """The first contestant against another one: on how many rows only one is right, and how likely that is by chance.

    `p_value` is that of the exact test of McNemar.
    """

    first: str
    other: str
    only_first_right: int
    only_other_right: int
    p_value: float
    agreement: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Contestants on some rows of a plan; `unseen` if these were set aside when the rules were fitted."""

    plan: Plan
    rows: list[int]
    contestants: list[Contestant]
    unseen: bool

    @property
    def labels(self) -> list[str]:
        """What is right on each row."""
        return [self.plan.labels[row] for row in self.rows]

    @property
    def mostly_one_class(self) -> bool:
        """Whether one answer is right on so many rows that accuracy says little."""
        labels = self.labels
        return max(Counter(labels).values()) >= MOSTLY_ONE_CLASS * len(labels)

    @property
    def differing(self) -> list[int]:
        """The places, among the rows compared, at which contestants give different answers."""
        judged = [each.answers for each in self.contestants if not each.is_constant]
        return [place for place, answers in enumerate(zip(*judged, strict=True)) if len(set(answers)) > 1]

    def number(self, place: int) -> int:
        """Return the number, from 1, that the row at a place has in the table."""
        return self.plan.rows[self.rows[place]] + 1

    def pairs(self) -> list[Pair]:
        """Set the first contestant against each other one."""
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

    def to_dict(self) -> dict[str, Any]:
        """Return all of it by name, ready for JSON."""
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
                    "balanced_accuracy": each.found_on_average(labels),
                    "interval": list(proportion_interval(each.n_right(labels), len(labels))),
                    "agreement": {other.name: each.agreement(other) for other in self.contestants},
                }
                for each in self.contestants
            ],
            "pairs": [pair._asdict() for pair in self.pairs()],
            "differing_rows": [
                {
                    "row": self.number(place),
                    "label": labels[place],
                    "answers": {each.name: each.answers[place] for each in self.contestants},
                }
                for place in self.differing
            ],
        }
