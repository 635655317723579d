"""Changes of a row that alter a decision, as values that print: what would have to be different, and what it gives."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from evoter.rules.condition import Constant, Term
from evoter.rules.forms.outcome import Reading, value_text
from evoter.rules.modes import Decision
from evoter.rules.printing.action_pieces import bare_text
from evoter.rules.printing.pieces import name_text, visible
from evoter.rules.schema import Feature
from evoter.rules.values import Value


@dataclass(frozen=True, slots=True)
class Change:
    """Another value of one feature; None is a missing value."""

    feature: Feature
    before: Constant | None
    after: Constant | None

    def __str__(self) -> str:
        before, after = (_said(self.feature, value) for value in (self.before, self.after))
        return f"{name_text(self.feature.name)} {after} instead of {before}"


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """Changes of a row, and the decision on the row with these changes, which is another one.

    `row` has all values that rules read, as they would be.
    """

    changes: tuple[Change, ...]
    decision: Decision
    row: dict[str, Value]

    def __str__(self) -> str:
        actions = ", ".join(map(bare_text, self.decision.actions))
        by = "the default" if self.decision.by_default else f"rule {self.decision.deciding[0] + 1}"
        return f"{actions} (by {by}) with {' and '.join(map(str, self.changes))}"


@dataclass(frozen=True, slots=True)
class Counterfactuals(Sequence[Counterfactual]):
    """The nearest changes that alter a decision, the nearest first; empty where there are none.

    `complete` says whether all possibilities were tried; if not, there may be changes of more features, or nearer ones.
    `to` is the action that was asked for, None for any other one.
    """

    found: tuple[Counterfactual, ...]
    complete: bool = True
    to: str | None = None

    @overload
    def __getitem__(self, number: int) -> Counterfactual: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Counterfactual, ...]: ...
    def __getitem__(self, number: int | slice) -> Counterfactual | tuple[Counterfactual, ...]:
        return self.found[number]

    def __len__(self) -> int:
        return len(self.found)

    def lines(self) -> Iterator[str]:
        """Yield a line for each of them, or one that says that there is none."""
        if not self.found:
            alters = "alters the decision" if self.to is None else f"leads to {bare_text(self.to)}"
            yield (
                f"no change of the features that may change {alters}"
                if self.complete
                else f"no change that {alters} was found; it would take several features at once"
            )
        for each in self.found:
            yield f"it would be {each}"

    def to_text(self) -> str:
        """Print each of them on a line."""
        return "\n".join(self.lines())

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{html.escape(visible(line))}</li>" for line in self.lines())
        return f'<ul class="evoter-counterfactuals">{items}</ul>'


def _said(feature: Feature, value: Constant | None) -> str:
    return "missing" if value is None else value_text(Reading(Term(feature.name), value), feature, None)
