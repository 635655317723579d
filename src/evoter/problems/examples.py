"""What rules are evaluated on: the rows of a table or the instances of a panel."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from evoter.genome.arrays import table_rows
from evoter.kernels.layout import Floats, Ints, Rows
from evoter.problems.classification.smoothing import count_copies, number_rows, smoothed
from evoter.problems.deciding import TableDecisions, decide_rows_of
from evoter.problems.panel_rows import panel_rows
from evoter.rules.model import RuleSet
from evoter.rules.schema import Feature, Schema
from evoter.tables.panel import Panel


class Examples(Protocol):
    """Rows or instances that belong to a schema."""

    @property
    def values(self) -> Floats:
        """All values that conditions can read, by feature; constants of conditions lie between them."""
        ...

    def numbered(self, classes: Ints) -> tuple[Ints, int]:
        """Number the distinct examples, as `number_rows` does."""
        ...

    def with_copies(self, numbers: Ints, amount: float) -> tuple["Examples", Ints]:
        """Return the examples followed by noisy copies of them, and the index of the example that each one copies."""
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

    def numbered(self, classes: Ints) -> tuple[Ints, int]:
        """Number the distinct rows."""
        return number_rows(self.values, classes)

    def with_copies(self, numbers: Ints, amount: float) -> tuple[Examples, Ints]:
        """Return the rows and their copies."""
        columns, origins = smoothed(self.schema, self.values, numbers, amount)
        return TableExamples(self.schema, columns), origins

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

    def numbered(self, classes: Ints) -> tuple[Ints, int]:
        """Number the distinct instances; missing steps and steps before the beginning count as the same."""
        return number_rows(self._lagged(), classes)

    def with_copies(self, numbers: Ints, amount: float) -> tuple[Examples, Ints]:
        """Return the instances and their copies, in which every value of every step gets noise of its own."""
        depth, n = self.schema.max_lag + 1, len(self.panel)
        if amount == 0.0 or count_copies(int(numbers.max()) + 1) == 1:
            return self, np.arange(n)
        each_lag = [Feature(f"{name}[{lag}]") for name in self.schema.names for lag in reversed(range(depth))]
        lagged = np.array(list(self._lagged()))  # few instances, or there would be no copies
        columns, origins = smoothed(Schema(each_lag, self.schema.actions), lagged, numbers, amount)
        by_instance = columns.reshape(-1, depth, len(origins)).transpose(0, 2, 1)
        stops = (np.arange(len(origins)) + 1) * depth
        firsts = stops - np.minimum(self.panel.lengths[origins], depth)
        names = self.schema.names
        return PanelExamples(self.schema, Panel(names, by_instance.reshape(len(names), -1), firsts, stops)), origins

    def rows(self, positions: Ints | None = None) -> Rows:
        """Lay out the instances."""
        return panel_rows(self.panel, self.schema, positions)

    def decide(self, ruleset: RuleSet) -> TableDecisions:
        """Decide on every instance at its last step."""
        return decide_rows_of(ruleset, self._in_order, len(self.panel))

    @cached_property
    def _in_order(self) -> Rows:
        return self.rows()

    def _lagged(self) -> Iterator[Floats]:
        """Yield a line of values, one per instance, for each feature and lag, the oldest first."""
        for channel in self.panel.channel_indices(self.schema.names):
            for lag in range(self.schema.max_lag, -1, -1):
                known = self.panel.lengths > lag
                values = self.panel.values[channel, np.where(known, self.panel.stops - 1 - lag, 0)]
                yield np.where(known, values, np.nan)


def examples_of(schema: Schema, data: Floats | Panel) -> Examples:
    """Return the examples in a table, given feature by feature, or in a panel."""
    return PanelExamples(schema, data) if isinstance(data, Panel) else TableExamples(schema, data)
