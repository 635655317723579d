"""The columns of the studio's table: what each was taken for, what is doubtful, and what a person has corrected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import narwhals as nw
import numpy as np
import polars as pl

from evoter.analysis.column_summary import fingerprint
from evoter.cli.fit.column_roles import FEATURE, IDENTIFIER, TARGET, Choices, Plan, plan_columns
from evoter.cli.fit.protected import column_values
from evoter.cli.output import Failure
from evoter.cli.tables.column_views import ColumnView
from evoter.cli.tables.files import Source
from evoter.rules.model import RuleSet
from evoter.rules.schema import Kind
from evoter.rules.values import category_name, plain_value
from evoter.studio.errors import StudioError

CORRECTIONS: Final = ("number", "category", "drop", "id", "auto")
"""What a person can say about a column; auto takes back what was said."""

_SHOWN_CLASSES = 5


@dataclass(frozen=True, slots=True)
class StudioTable:
    """A table with the roles of its columns; `corrections` are what a person said about columns in the studio."""

    source: Source
    choices: Choices
    plan: Plan
    corrections: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_source(cls, source: Source, choices: Choices, ruleset: RuleSet | None = None) -> "StudioTable":
        """Take a table that was read from a file; columns that rules read are taken for what the rules say."""
        named = _as_rules_read(choices, source, ruleset)
        return cls(source, named, _planned(source, named))

    @classmethod
    def from_frame(
        cls,
        X: Any,
        y: Sequence[Any],
        *,
        target: str = "target",
        name: str = "table",
        identifier: str | None = None,
        ruleset: RuleSet | None = None,
    ) -> "StudioTable":
        """Take a data frame, or an array whose columns are x0, x1, ..., with the label of each row.

        >>> table = StudioTable.from_frame([[n / 7, n % 5] for n in range(40)], [n > 20 for n in range(40)])
        >>> [column["role"] for column in table.describe()], table.plan.class_counts
        (['feature', 'feature', 'target'], {'false': 21, 'true': 19})
        """
        frame = _as_polars(X)
        if target in frame.columns:
            raise Failure(f"the table has a column {target!r}, which is the name of the target", "give target= a name")
        labels = [None if label is None else category_name(plain_value(label)) or str(label) for label in y]
        if len(labels) != len(frame):
            raise Failure(f"there are {len(frame)} rows and {len(labels)} labels", "give every row its label")
        whole = frame.with_columns(pl.Series(target, labels, dtype=pl.String))
        source = Source(name, whole, fingerprint(frame, ["" if label is None else label for label in labels]))
        return cls.from_source(source, Choices(target=target, identifier=identifier), ruleset)

    def corrected(self, corrections: Mapping[str, str]) -> "StudioTable":
        """Return the table with these corrections, and no others."""
        choices = self.choices
        for column, to in corrections.items():
            if column not in self.source.names:
                raise StudioError("unknown", f"the table has no column {column!r}")
            if to not in CORRECTIONS:
                raise StudioError("invalid", f"a column is {', '.join(CORRECTIONS)}, not {to!r}")
            if column == choices.target:
                raise StudioError("invalid", f"{column!r} is the target", "begin a project with another target")
            choices = choices.corrected("drop" if to == "auto" else to, column)
            if to == "auto":
                choices = replace(choices, dropped=tuple(name for name in choices.dropped if name != column))
        try:
            return replace(self, plan=_planned(self.source, choices), corrections=dict(corrections))
        except Failure as failure:
            raise StudioError("schema", failure.message, "choose something else for this column") from None

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The columns that rules may read."""
        return tuple(view.name for view in self.plan.features)

    def values(self, column: str) -> list[Any]:
        """Return the values of a column on the labelled rows: as rules read them, else as numbers or text."""
        if column not in self.source.names:
            raise StudioError("unknown", f"the table has no column {column!r}")
        return column_values(self.plan, [column], range(len(self.plan.rows)))[column]

    def row_number(self, position: int) -> int:
        """Return the number of a labelled row in the table, from 1."""
        return self.plan.rows[position] + 1

    def describe(self, protected: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Return what each column was taken for, ready for JSON."""
        return [self._described(view, view.name in protected) for view in self.plan.views]

    def messages(self) -> list[str]:
        """Return what a person should know about the whole table."""
        plan, said = self.plan, []
        if plan.source.header_looks_like_data:
            said.append("the first line of the file has numbers for names: is it data?")
        if plan.n_unlabelled:
            said.append(f"{plan.n_unlabelled:,} rows without a value of {plan.target!r} are not used")
        if plan.identifier is not None and plan.rows_repeat_identifiers:
            said.append(
                f"rows with the same {plan.identifier!r} are never divided between training, validation and test"
            )
        return said

    def _described(self, view: ColumnView, protected: bool) -> dict[str, Any]:
        role, report = self.plan.role(view), view.report
        is_target = role == TARGET
        chosen = self.corrections.get(view.name)
        return {
            "name": view.name,
            "kind": "target" if is_target else str(view.kind),
            "role": {TARGET: "target", IDENTIFIER: "identifier", FEATURE: "feature"}.get(role, "left out"),
            "protected": protected,
            "values": _class_text(self.plan) if is_target else report.summary,
            "missing": self.plan.n_unlabelled if is_target else report.n_missing,
            "note": "" if is_target else _note(view, role, chosen),
            "unit": self.plan.units.get(view.name, ""),
            "warnings": [
                {
                    "concern": str(each.concern),
                    "finding": each.finding,
                    "remedy": str(each).partition(f"{each.finding}: ")[2],
                }
                for each in report.warnings
            ],
            "corrections": [] if is_target or view.fields.column else list(CORRECTIONS),
            "chosen": chosen,
        }


def _planned(source: Source, choices: Choices) -> Plan:
    plan = plan_columns(source, choices)
    if plan.numbers is not None:
        hint = "split it into classes with --cut, or fit rules for numbers with evoter fit"
        raise Failure(
            f"the target {plan.target!r} has many different numbers; the studio edits rules for classes", hint
        )
    return plan


def _as_rules_read(choices: Choices, source: Source, ruleset: RuleSet | None) -> Choices:
    """Return choices by which columns that rules read have the kind that the rules expect, unless the user chose."""
    if ruleset is None:
        return choices
    taken = {
        *choices.categories,
        *choices.numbers,
        *choices.dropped,
        *choices.dates,
        choices.identifier,
        choices.target,
    }
    read = [ruleset.schema.feature(name) for name in ruleset.features_used]
    free = [each for each in read if each.name in source.names and each.name not in taken]
    return replace(
        choices,
        categories=(*choices.categories, *(each.name for each in free if each.kind is Kind.CATEGORICAL)),
        numbers=(*choices.numbers, *(each.name for each in free if each.kind is Kind.NUMERIC)),
    )


def _as_polars(X: Any) -> pl.DataFrame:
    if nw.dependencies.is_into_dataframe(X):
        frame: pl.DataFrame = nw.from_native(X, eager_only=True).to_polars()
        return frame
    array = np.asarray(X)
    if array.ndim != 2:
        raise Failure("the rows must be a data frame or an array of two dimensions", f"it has {array.ndim}")
    return pl.DataFrame({f"x{position}": column for position, column in enumerate(array.T)})


def _class_text(plan: Plan) -> str:
    counts = plan.class_counts
    shown = ", ".join(f"{name} {n:,}" for name, n in list(counts.items())[:_SHOWN_CLASSES])
    return shown + (f" + {len(counts) - _SHOWN_CLASSES} more" if len(counts) > _SHOWN_CLASSES else "")


def _note(view: ColumnView, role: str, chosen: str | None) -> str:
    said = "as you said" if chosen not in (None, "auto") else view.report.reason or view.report.note
    if role in (FEATURE, IDENTIFIER):
        return said
    return f"left out: {said}" if said else "left out"
