"""The result of a comparison: accuracy, agreement, tests of differences, and the rows with different answers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from evoter.analysis.intervals import proportion_interval
from evoter.cli.comparison.significance import Discordant, balanced_p_value, holm, mcnemar_p_value
from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.verdict import MOSTLY_ONE_CLASS

RARE = 0.1
"""A class with a smaller share of the rows is rare: the comparison then shows classes one by one."""


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

    `difference` is by how much the first is better in the `measure` that is advised, accuracy or balanced accuracy.
    `p_value` is that of a test of this measure, for accuracy McNemar's exact test, and `p_holm` the same corrected for
    the number of pairs.
    """

    first: str
    other: str
    only_first_right: int
    only_other_right: int
    measure: str
    difference: float
    p_value: float
    p_holm: float
    agreement: float


class ClassRecall(NamedTuple):
    """One class: its rows, how many of them each contestant finds, and how often each gives it as its answer."""

    label: str
    n_rows: int
    n_found: tuple[int, ...]
    n_answered: tuple[int, ...]


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
    def measure(self) -> str:
        """The measure that contestants should be compared by."""
        return "balanced accuracy" if self.mostly_one_class else "accuracy"

    @property
    def has_rare_classes(self) -> bool:
        """Whether some class has so few of the rows that the accuracy hardly depends on it."""
        labels = self.labels
        return self.mostly_one_class or min(Counter(labels).values()) < RARE * len(labels)

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
        (first, *others), labels = self.contestants, self.labels
        totals = Counter(labels)
        test = balanced_p_value if self.mostly_one_class else mcnemar_p_value
        tested = []
        for other in others:
            triples = list(zip(first.answers, other.answers, labels, strict=True))
            wins = Counter(label for a, b, label in triples if a == label != b)
            losses = Counter(label for a, b, label in triples if b == label != a)
            counts = [Discordant(total, wins[label], losses[label]) for label, total in totals.items()]
            tested.append((other, counts, test(counts)))
        return [
            Pair(
                first=first.name,
                other=other.name,
                only_first_right=sum(each.n_wins for each in counts),
                only_other_right=sum(each.n_losses for each in counts),
                measure=self.measure,
                difference=self._score(first) - self._score(other),
                p_value=p_value,
                p_holm=p_holm,
                agreement=first.agreement(other),
            )
            for (other, counts, p_value), p_holm in zip(
                tested, holm([p_value for _, _, p_value in tested]), strict=True
            )
        ]

    def _score(self, contestant: Contestant) -> float:
        labels = self.labels
        if self.mostly_one_class:
            return contestant.balanced_accuracy(labels)
        return contestant.n_right(labels) / len(labels)

    def recalls(self) -> list[ClassRecall]:
        """Return how much of each class each contestant finds, the rarest class first."""
        labels = self.labels
        totals = Counter(labels)
        rows = []
        for label in sorted(totals, key=lambda each: (totals[each], each)):
            found = [
                sum(own == label == answer for answer, own in zip(each.answers, labels, strict=True))
                for each in self.contestants
            ]
            answered = [each.answers.count(label) for each in self.contestants]
            rows.append(ClassRecall(label, totals[label], tuple(found), tuple(answered)))
        return rows

    def to_dict(self, n_rows: int | None = None) -> dict[str, Any]:
        """Return everything by name, ready for JSON, with all or the first `n_rows` of the rows that differ."""
        labels, names = self.labels, [each.name for each in self.contestants]
        return {
            "table": self.plan.source.name,
            "target": self.plan.target,
            "rows": len(labels),
            "only_unseen_rows": self.unseen,
            "measure": self.measure,
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
            "classes": [
                {
                    "label": each.label,
                    "rows": each.n_rows,
                    "found": dict(zip(names, each.n_found, strict=True)),
                    "answered": dict(zip(names, each.n_answered, strict=True)),
                }
                for each in self.recalls()
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
