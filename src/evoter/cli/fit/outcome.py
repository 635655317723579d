"""Everything that is known after a fit: the columns, the split, the rules, and what is questionable about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.copies import Copies
from evoter.cli.fit.learning import LearningOptions, Learnt
from evoter.cli.fit.split import Ints, Split
from evoter.cli.fit.stability import Stability

if TYPE_CHECKING:
    from evoter.estimators.guardrail_price import GuardrailPrice
    from evoter.problems.classification.overfitting import AccuracyComparison


@dataclass(frozen=True, slots=True, eq=False)
class LargeFit:
    """What is known about all rows of a table that is read in batches, where the plan is about a sample of them.

    `train` and `test` are the rows of the split, and `sampled` those of the plan, all by position in the table.
    """

    n_rows: int
    n_unlabelled: int
    class_counts: Mapping[str, int]
    train: Ints
    test: Ints
    sampled: Ints

    @property
    def warning(self) -> str:
        """What the report is about."""
        n_sampled = len(self.sampled)
        if n_sampled == self.n_rows:
            return ""
        return (
            f"the kinds of columns were found on {n_sampled:,} of {self.n_rows:,} rows, drawn at random, and the "
            "report is about these; the rule file, the record and the terminal have the figures of all rows"
        )

    def to_record(self, split: Split) -> dict[str, Any]:
        """Return what a record says about all rows."""
        whole = Split(self.train, self.test, split.share, split.seed, split.grouped)
        return {"classes": dict(self.class_counts), "rows_without_label": self.n_unlabelled, "split": whole.to_dict()}


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A fit, for those who show it and write it to files."""

    plan: Plan
    split: Split
    options: LearningOptions
    learnt: Learnt
    copies: Copies
    stability: Stability | None = None
    protected: tuple[str, ...] = ()
    price: "GuardrailPrice | None" = None
    distillation: Mapping[str, Any] | None = None
    """What is known about a twin, for its record."""
    large: LargeFit | None = None
    """What is known about all rows, if the plan and the split have a sample of them."""

    @property
    def warnings(self) -> list[str]:
        """What a person should look at, about columns and about rows, one sentence each."""
        sampled = "" if self.large is None else self.large.warning
        return [*self.plan.warnings, *filter(None, [self.copies.warning, sampled])]

    @property
    def rows_per_case(self) -> float:
        """How many rows have the same identifier on average; 1 without identifiers."""
        identifiers = self.plan.identifiers
        return 1.0 if identifiers is None else len(identifiers) / len(set(identifiers))

    @property
    def overfitting(self) -> "AccuracyComparison | None":
        """The accuracy on the training rows compared with that on the test rows; None without test rows."""
        from evoter.problems.classification.overfitting import AccuracyComparison

        seen, unseen = self.learnt.seen.confusion, None if self.learnt.unseen is None else self.learnt.unseen.confusion
        if seen is None or unseen is None:
            return None
        assert self.learnt.unseen is not None
        counts = (seen.n_right, self.learnt.seen.n_rows, unseen.n_right, self.learnt.unseen.n_rows)
        return AccuracyComparison(*counts, self.rows_per_case, self.learnt.model.parsimony_)

    @property
    def overfitting_warning(self) -> str:
        """What to say about overfitting; "" if there is none."""
        comparison = self.overfitting
        return comparison.sentence if comparison is not None and comparison.overfitted else ""

    @property
    def duplicates(self) -> dict[str, Any]:
        """The figures about rows that are equal."""
        unseen = self.learnt.unseen
        predictions = None if unseen is None else unseen.predictions.tolist()
        if self.large is not None and unseen is not None:
            predictions = self.learnt.model.predict(self.plan.frame[self.split.test.tolist()]).tolist()
        return self.copies.described(predictions, [self.plan.labels[row] for row in self.split.test.tolist()])
