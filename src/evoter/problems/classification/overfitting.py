"""Overfitting: whether rules are right more often on training rows than on unseen ones, beyond what chance explains."""

from dataclasses import dataclass
from typing import Any, Final

LEVEL: Final = 0.01
"""How often, at most, chance alone may raise the alarm."""

LEAST_DIFFERENCE: Final = 0.01
"""The least difference of accuracies that matters; on large tables chance explains no difference at all."""

SMALLEST_SHOWN: Final = 0.0001
"""Smaller probabilities are not written out."""


class OverfittingWarning(UserWarning):
    """Rules that are right more often on the rows they were learnt from than on others; `comparison` has the counts."""

    def __init__(self, comparison: "AccuracyComparison") -> None:
        super().__init__(comparison.sentence)
        self.comparison = comparison

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.comparison,)


@dataclass(frozen=True, slots=True)
class AccuracyComparison:
    """On how many training rows and unseen rows rules are right, and whether chance explains the difference.

    `rows_per_case` is how many rows describe one case, such as the visits of a patient: rows of a case are alike, so
    that only cases count as evidence. `parsimony` is what a condition had to gain, if that is known.

    >>> comparison = AccuracyComparison(288, 300, 71, 100)
    >>> comparison.overfitted, comparison.p_value < 1e-9
    (True, True)
    >>> AccuracyComparison(288, 300, 93, 100).overfitted
    False
    """

    train_right: int
    train_rows: int
    unseen_right: int
    unseen_rows: int
    rows_per_case: float = 1.0
    parsimony: float | None = None

    def __post_init__(self) -> None:
        for right, rows, name in (
            (self.train_right, self.train_rows, "training"),
            (self.unseen_right, self.unseen_rows, "unseen"),
        ):
            if not 0 <= right <= rows or rows == 0:
                raise ValueError(f"at least one {name} row is needed, and at most all can be right: {right} of {rows}")
        if not self.rows_per_case >= 1.0:
            raise ValueError(f"rows_per_case must be 1 or more, got {self.rows_per_case!r}")

    @property
    def difference(self) -> float:
        """By how much the accuracy on the training rows is higher."""
        return self.train_right / self.train_rows - self.unseen_right / self.unseen_rows

    @property
    def p_value(self) -> float:
        """How probable so large a difference is if rules are right equally often on both, by Fisher's exact test.

        It is one-sided, and chance alone never raises the alarm more often than its level says, however few the rows.
        """
        from scipy.stats import hypergeom

        n_train, n_unseen = self._cases(self.train_rows), self._cases(self.unseen_rows)
        right = round(self.train_right / self.train_rows * n_train)
        all_right = right + round(self.unseen_right / self.unseen_rows * n_unseen)
        return float(hypergeom.sf(right - 1, n_train + n_unseen, all_right, n_train))

    @property
    def overfitted(self) -> bool:
        """Whether the difference matters and chance does not explain it."""
        return self.difference >= LEAST_DIFFERENCE and self.p_value < LEVEL

    @property
    def sentence(self) -> str:
        """The counts, the probability of the difference, and what to do if the rules are overfitted."""
        p_value = self.p_value
        chance = f"below {SMALLEST_SHOWN}" if p_value < SMALLEST_SHOWN else f"{p_value:.2g}"
        cases = "" if self.rows_per_case == 1.0 else f", {self.rows_per_case:.3g} rows counted as one case"
        found = (
            f"the rules are right for {_share(self.train_right, self.train_rows)} of the training rows and for "
            f"{_share(self.unseen_right, self.unseen_rows)} of the unseen rows; the probability that chance alone "
            f"makes such a difference is {chance}{cases}"
        )
        if not self.overfitted:
            return f"{found}: no overfitting is found"
        before = "" if self.parsimony is None else f" (it was {self.parsimony:.2g})"
        return f"{found}, so they are overfitted: try a higher parsimony{before}, fewer features, or more rows"

    def to_dict(self) -> dict[str, Any]:
        """Return counts, difference, test and finding, ready for JSON."""
        return {
            "found": self.overfitted,
            "train": {"right": self.train_right, "rows": self.train_rows},
            "test": {"right": self.unseen_right, "rows": self.unseen_rows},
            "rows_per_case": self.rows_per_case,
            "difference": self.difference,
            "p_value": self.p_value,
            "level": LEVEL,
            "least_difference": LEAST_DIFFERENCE,
            "parsimony": self.parsimony,
        }

    def _cases(self, n_rows: int) -> int:
        return max(1, round(n_rows / self.rows_per_case))


def _share(right: int, rows: int) -> str:
    return f"{right / rows:.1%} ({right:,} of {rows:,})"
