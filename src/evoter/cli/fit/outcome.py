"""Everything that is known after a fit: the columns, the split, the rules, and what is questionable about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.copies import Copies
from evoter.cli.fit.learning import LearningOptions, Learnt
from evoter.cli.fit.split import Split
from evoter.cli.fit.stability import Stability

if TYPE_CHECKING:
    from evoter.estimators.guardrail_price import GuardrailPrice
    from evoter.problems.classification.overfitting import AccuracyComparison


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

    @property
    def warnings(self) -> list[str]:
        """What a person should look at, about columns and about rows, one sentence each."""
        return [*self.plan.warnings, *filter(None, [self.copies.warning])]

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
        counts = (seen.n_right, len(self.split.train), unseen.n_right, len(self.split.test))
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
        return self.copies.described(predictions, [self.plan.labels[row] for row in self.split.test.tolist()])
