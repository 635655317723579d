"""Everything that is known after a fit: the columns, the split, the rules, and what is questionable about them."""

from dataclasses import dataclass
from typing import Any

from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.copies import Copies
from evoter.cli.fit.learning import LearningOptions, Learnt
from evoter.cli.fit.split import Split
from evoter.cli.fit.stability import Stability


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

    @property
    def warnings(self) -> list[str]:
        """What a person should look at, about columns and about rows, one sentence each."""
        return [*self.plan.warnings, *filter(None, [self.copies.warning])]

    @property
    def duplicates(self) -> dict[str, Any]:
        """The figures about rows that are equal."""
        unseen = self.learnt.unseen
        predictions = None if unseen is None else unseen.predictions.tolist()
        return self.copies.described(predictions, [self.plan.labels[row] for row in self.split.test.tolist()])
