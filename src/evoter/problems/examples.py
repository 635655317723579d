"""What rules are evaluated on: the rows of a table or the instances of a panel."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from evoter.genome.arrays import table_rows
from evoter.genome.distinct_rows import number_rows
from evoter.kernels.layout import Floats, Ints, Rows
from evoter.problems.deciding import TableDecisions, decide_rows_of
from evoter.problems.panel_rows import panel_rows
from evoter.rules.model import RuleSet
from evoter.rules.schema import Kind, Schema
from evoter.tables.panel import Panel

MAX_VALUES: Final = 20_000_000
"""The number of values that the lines of a panel may have."""


class Examples(Protocol):
    """Rows or instances that belong to a schema."""

    @property
    def values(self) -> Floats:
        """All values that conditions can read, by feature; constants of conditions lie between them."""
        ...

    def count_distinct(self, classes: Ints) -> int:
        """Count the examples that differ in a value or in their class."""
        ...

    def lines(self) -> tuple[Floats, list[bool]]:
        """Return a line of values, one per example, for each feature and lag, and whether each line has numbers."""
        ...

    def line(self, feature: str, lag: int) -> Floats:
        """Return the values of one feature at one lag."""
        ...

    def rows(self, positions: Ints | None = None) -> Rows:
        """Lay the examples out for the kernels, in the order of `positions` (see `table_rows`) or in their own."""
        ...

    def decide(self, ruleset: RuleSet) -> TableDecisions:
        """Decide on every example by a rule set over the same schema."""
        ...


@dataclass(frozen=True)
class TableExamples:
    """The rows of a table, given feature by feature."""

    schema: Schema
    values: Floats

    def count_distinct(self, classes: Ints) -> int:
        """Count the distinct rows."""
        return int(number_rows(self.values, classes).max()) + 1

    def lines(self) -> tuple[Floats, list[bool]]:
        """Return the columns."""
        return self.values, [feature.kind is Kind.NUMERIC for feature in self.schema.features]

    def line(self, feature: str, lag: int) -> Floats:
        """Return a column; rows have no history."""
        values: Floats = self.values[self.schema.position(feature)]
        return values if lag == 0 else np.full(len(values), np.nan)

    def rows(self, positions: Ints | None = None) -> Rows:
        """Lay out the rows."""
        return table_rows(self.values, self.schema, positions)

    def decide(self, ruleset: RuleSet) -> TableDecisions:
        """Decide on every row."""
        return decide_rows_of(ruleset, self._in_order, self.values.shape[1])

    @cached_property
    def _in_order(self) -> Rows:
        return self.rows()


@dataclass(frozen=True)
class PanelExamples:
    """The instances of a panel, as far back from their last steps as the lags of the schema reach."""

    schema: Schema
    panel: Panel

    @cached_property
    def values(self) -> Floats:
        """The values of the steps that some lag reaches, each step once."""
        return self.panel.select(self.schema.names).recent(self.schema.max_lag + 1).observations()

    def count_distinct(self, classes: Ints) -> int:
        """Count the distinct instances; missing steps and steps before the beginning count as the same."""
        return int(number_rows(self._lagged(range(self.schema.max_lag + 1)), classes).max()) + 1

    def lines(self) -> tuple[Floats, list[bool]]:
        """Return a line for each feature and lag, or for fewer lags, evenly spaced, where they would be too many."""
        depth = self.schema.max_lag + 1
        n_lags = max(1, min(depth, MAX_VALUES // max(len(self.panel) * len(self.schema.names), 1)))
        lags = np.unique(np.linspace(0, depth - 1, n_lags).astype(np.int64))
        lagged = np.array(list(self._lagged(lags.tolist())))
        return lagged, [True] * len(lagged)

    def line(self, feature: str, lag: int) -> Floats:
        """Return the values of a channel so many steps before the last."""
        return next(self._lagged([lag], [feature]))

    def rows(self, positions: Ints | None = None) -> Rows:
        """Lay out the instances."""
        return panel_rows(self.panel, self.schema, positions)

    def decide(self, ruleset: RuleSet) -> TableDecisions:
        """Decide on every instance at its last step."""
        return decide_rows_of(ruleset, self._in_order, len(self.panel))

    @cached_property
    def _in_order(self) -> Rows:
        return self.rows()

    def _lagged(self, lags: Iterable[int], names: Sequence[str] | None = None) -> Iterator[Floats]:
        """Yield a line of values, one per instance, for each of these lags and features, by default all of them."""
        channels = self.panel.channel_indices(self.schema.names if names is None else names)
        for lag in lags:
            known = self.panel.lengths > lag
            steps = np.where(known, self.panel.stops - 1 - lag, 0)
            for channel in channels:
                yield np.where(known, self.panel.values[channel, steps], np.nan)


def examples_of(schema: Schema, data: Floats | Panel) -> Examples:
    """Return the examples in a table, given feature by feature, or in a panel."""
    return PanelExamples(schema, data) if isinstance(data, Panel) else TableExamples(schema, data)


def positions_within(n: int, share: float, start: float) -> slice:
    """Return which of `n` rows a sample has, given the share of them that it has and the share that comes before it.

    >>> positions_within(10, 0.25, 0.0), positions_within(10, 0.25, 0.75), positions_within(3, 0.25, 0.75)
    (slice(0, 2, None), slice(7, 10, None), slice(2, 3, None))
    """
    first = int(start * n)
    return slice(first, max(first + 1, round((start + share) * n)))


def distinct_values(schema: Schema, columns: Floats) -> Callable[[str], list[float]]:
    """Return a function from the name of a feature to its different numbers in ascending order, missing ones left out.

    >>> from evoter.rules.schema import Feature
    >>> distinct_values(Schema([Feature("x")], ["a"]), np.array([[2.0, np.nan, 1.0, 2.0]]))("x")
    [1.0, 2.0]
    """

    def values(name: str) -> list[float]:
        column = columns[schema.position(name)]
        found: list[float] = np.unique(column[np.isfinite(column)]).tolist()
        return found

    return values
