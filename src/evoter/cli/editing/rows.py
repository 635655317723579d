"""The rows of a table on which edits are judged, and the columns that new rules may read."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from evoter.analysis.edit_effects import Judged, judge
from evoter.cli.rule_files import RuleFile
from evoter.cli.tables.column_views import cell_reading, view_column
from evoter.cli.tables.files import Source
from evoter.cli.tables.rule_tables import fit_to_rules, labels_of, numbers_of, require_columns, rows_learnt_from
from evoter.rules.errors import SchemaError
from evoter.rules.model import RuleSet
from evoter.rules.schema import Feature, Schema
from evoter.tables import infer_schema

MAX_OFFERED = 50
"""The most other columns that are described to somebody who edits rules as text."""


@dataclass(frozen=True, slots=True)
class JudgingRows:
    """A table with the label of each row, None where it has none; `labels` is None without labels at all.

    `target` is the column of the labels, and `learnt_from` says how many rows the rules were trained on.
    """

    rules: RuleFile
    source: Source
    labels: list[Any] | None
    target: str | None
    learnt_from: str

    @classmethod
    def read(cls, rules: RuleFile, source: Source, target: str | None) -> "JudgingRows":
        """Find the labels of a table that has been read: in the column `target`, or that of the fit of the rules."""
        find = labels_of if rules.ruleset.schema.target is None else numbers_of
        labelled = find(rules, fit_to_rules(rules, source), target)
        labels: list[Any] | None = None
        if labelled is not None:
            labels = [None] * source.n_rows
            for row, label in zip(*labelled, strict=True):
                labels[row] = label
        record = rules.record()
        known = target or (None if record is None else record.target)
        return cls(rules, source, labels, known, rows_learnt_from(rules, source))

    def judge(self, ruleset: RuleSet) -> Judged:
        """Decide on the rows by a rule set; refuse a table that lacks columns that it reads."""
        found = fit_to_rules(replace(self.rules, ruleset=ruleset), self.source)
        require_columns(found)
        return judge(ruleset, found.frame, self.labels)

    def offered(self, schema: Schema, texts: Iterable[str]) -> Schema:
        """Return a schema with the other columns that some texts mention, described as `evoter fit` does."""
        joined = "\n".join(texts)
        found = self._described(name for name in self._others(schema) if name in joined)
        return schema.over([*schema.features, *found])

    def other_columns(self, schema: Schema) -> list[Feature]:
        """Return the other columns that rules could read, but not too many of them."""
        return self._described(self._others(schema)[:MAX_OFFERED])

    def _others(self, schema: Schema) -> list[str]:
        taken = {feature.source for feature in schema.features} | {*schema.names, self.target}
        return [name for name in self.source.names if name not in taken]

    def _described(self, names: Iterable[str]) -> list[Feature]:
        return [feature for name in names if (feature := describe(name, self.source)) is not None]


def describe(name: str, source: Source) -> Feature | None:
    """Return what rules would read in a column of a table; None if they cannot."""
    view = view_column(source.frame[name], source)
    if not view.kind.is_feature:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is the user who chooses the column
        try:
            schema = infer_schema(pl.DataFrame([view.values]), actions=["any"], zero_one_as_boolean=True)
        except SchemaError:
            return None
    (feature,) = schema.features
    fields = cell_reading(view, source)
    fields["unit"] = fields["unit"] or feature.unit
    return replace(feature, **fields)
