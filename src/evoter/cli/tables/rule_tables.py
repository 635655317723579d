"""A table as a rule set reads it: its columns by name and kind, and what does not match the rules."""

from dataclasses import dataclass, replace

import polars as pl

from evoter.analysis.formatting import counted
from evoter.cli.fit.column_roles import read_labels
from evoter.cli.output import Failure
from evoter.cli.rule_files import RuleFile
from evoter.cli.tables.delimited_text import is_numbered
from evoter.cli.tables.files import ReadingOptions, Source, about_sheets, read_source, unknown_column
from evoter.rules.errors import did_you_mean
from evoter.rules.schema import DATE_CELLS, Feature, Kind
from evoter.tables.intake.amounts import MixedUnits, find_style
from evoter.tables.intake.cells import present_text, read_feature, to_numbers
from evoter.tables.intake.limits import MOSTLY

_EXAMPLES = 3
_ROUNDING = 1e-9
_MAX_UNREADABLE = 1 - MOSTLY
"""A column with a larger share of unreadable values, and more than one, is not what the rules read; `evoter fit` has
the same limit."""

ABSENT, UNREADABLE, MISSING = "absent", "unreadable", "missing"
UNKNOWN, OUTSIDE, BETWEEN = "unknown category", "out of range", "between steps"


@dataclass(frozen=True, slots=True)
class Misfit:
    """Something about a column that does not match the rules; `fatal` if decisions make no sense with it.

    `what` is one of the constants above, `n_rows` the number of rows that it concerns, and `source` the column of the
    table, whose name may differ from that of the feature.
    """

    column: str
    message: str
    fatal: bool
    what: str
    n_rows: int
    source: str = ""


@dataclass(frozen=True, slots=True)
class RuleTable:
    """The columns of a table that rules read, each as the kind of feature that the rules declare."""

    source: Source
    frame: pl.DataFrame
    misfits: tuple[Misfit, ...]
    absent: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.source.n_rows

    def with_absent_as_missing(self) -> "RuleTable":
        """Return the table with the columns that it lacks, in which all values are missing."""
        empty = [pl.Series(name, [None] * self.n_rows) for name in self.absent]
        kept = [column for column in self.frame if column.name]
        return replace(self, frame=pl.DataFrame([*kept, *empty]) if kept or empty else self.frame)


def read_for_rules(rules: RuleFile, path: str, options: ReadingOptions) -> RuleTable:
    """Read the columns of a table that some rule reads; it is up to the caller to refuse absent columns."""
    return fit_to_rules(rules, read_source(path, options))


def fit_to_rules(rules: RuleFile, source: Source) -> RuleTable:
    """Read the columns that some rule reads, from a table that has been read already."""
    columns, misfits, absent = [], [], []
    for name in rules.ruleset.features_used:
        feature = rules.ruleset.schema.feature(name)
        if feature.source not in source.names:
            hint = did_you_mean(feature.source, source.names)
            which = "such column" if feature.source == name else f"column {feature.source!r}"
            message = f"the table has no {which}{hint}"
            misfits.append(Misfit(name, message, True, ABSENT, source.n_rows, feature.source))
            absent.append(name)
            continue
        column = source.frame[feature.source]
        is_date = column.dtype.is_temporal() and DATE_CELLS.fullmatch(feature.cells)
        if (
            (column.dtype.is_temporal() or column.dtype.is_nested())
            and not is_date
            and feature.kind is not Kind.CATEGORICAL
        ):
            message = f"holds {column.dtype}, not {_TAKES[feature.kind]}"
            misfits.append(Misfit(name, message, True, ABSENT, source.n_rows))
            absent.append(name)
            continue
        reading = read_feature(column, feature, missing=source.missing, decimal_comma=source.decimal_comma)
        columns.append(reading.values.alias(name))
        misfits += _misfits(feature, reading.values, reading.misfits, source)
    frame = pl.DataFrame(columns) if columns else pl.DataFrame({"": [None] * source.n_rows})
    return RuleTable(source, frame, tuple(misfits), tuple(absent))


def rows_learnt_from(rules: RuleFile, source: Source) -> str:
    """Return a phrase for how many rows the rules were trained on, if it is the table of their fit, else ""."""
    record = rules.record()
    if record is None or record.data_sha256 != source.sha256:
        return ""
    return f"{record.split.train_rows:,} of these rows were used for training"


def require_columns(table: RuleTable) -> None:
    """Refuse a table that lacks columns that the rules read, or has them with another kind of values."""
    if table.absent:
        first = next(misfit for misfit in table.misfits if misfit.column == table.absent[0])
        more = f" (and {len(table.absent) - 1} more)" if len(table.absent) > 1 else ""
        if first.message.startswith("holds"):
            what = f"{table.source.name}: {first.column!r}, which the rules read{more}, {first.message}"
            raise Failure(what, "convert the column to the kind that the rules read")
        failure = unknown_column(first.source, table.source.names, table.source.name)
        near = failure.hint if failure.hint.startswith("did you mean") else ""
        if is_numbered(first.column) and table.source.options.header:
            near = "the rules were fitted on a table without column names: --no-header if this one has none either"
        hint = near or about_sheets(table.source) or failure.hint
        raise Failure(f"{failure.message}, which the rules read{more}", hint)


def require_readable(table: RuleTable) -> None:
    """Refuse a table with a column that the rules read and of which too many values cannot be read."""
    for misfit in (each for each in table.misfits if each.what == UNREADABLE):
        n_present = misfit.n_rows + table.n_rows - table.frame[misfit.column].null_count()
        if misfit.n_rows == n_present or misfit.n_rows > max(1, _MAX_UNREADABLE * n_present):
            what = f"{table.source.name}: {misfit.column!r}, which the rules read: {misfit.message}"
            raise Failure(what, "correct the column, or decide as if these values were missing: --allow-missing")


def labels_of(rules: RuleFile, table: RuleTable, target: str | None) -> tuple[list[int], list[str]] | None:
    """Return the rows that have a label, and their labels; None if the table has none and `target` was not given."""
    record = rules.record()
    name = _target_column(rules, table, target)
    if name is None:
        return None
    labels = read_labels(table.source, name, record.cuts if record else ())
    actions = set(rules.ruleset.schema.actions)
    rows = [row for row, label in enumerate(labels) if label is not None]
    if not rows and target is not None:
        raise Failure(f"the column {name!r} of {table.source.name} has no values", "omit --target")
    if not rows:
        return None
    names = record.labels if record else {}
    found = [str(labels[row]) for row in rows]
    return rows, [_as_action(names.get(label, label), actions) for label in found]


def _target_column(rules: RuleFile, table: RuleTable, target: str | None) -> str | None:
    """Return the column of true labels or numbers: the one given, or that of the fit, if the table has it."""
    record = rules.record()
    name = target or (record.target if record else None)
    if name is None or (target is None and name not in table.source.names):
        return None
    if name not in table.source.names:
        raise unknown_column(name, table.source.names, table.source.name)
    return name


def numbers_of(rules: RuleFile, table: RuleTable, target: str | None) -> tuple[list[int], list[float]] | None:
    """Return the rows that have a true number, and these numbers; None without a column of them."""
    name = _target_column(rules, table, target)
    if name is None:
        return None
    text = present_text(table.source.frame[name], table.source.missing)
    numbers = to_numbers(text, decimal_comma=table.source.decimal_comma)
    if numbers.null_count() > text.null_count():
        raise Failure(f"the column {name!r} of {table.source.name} also holds text", "name a column of numbers")
    found = [(row, float(number)) for row, number in enumerate(numbers.to_list()) if number is not None]
    return ([row for row, _ in found], [number for _, number in found]) if found else None


def _as_action(label: str, actions: set[str]) -> str:
    """Return a label in the spelling of the actions: 1.0 is the action 1."""
    whole = label.removesuffix(".0")
    return whole if label not in actions and whole in actions else label


def _misfits(feature: Feature, values: pl.Series, odd: pl.Series, source: Source) -> list[Misfit]:
    found = []
    if len(odd):
        verb = "is not a" if len(odd) == 1 else "are not"
        what = _ONE[feature.kind] if len(odd) == 1 else _TAKES[feature.kind]
        message = f"{len(odd):,} of {counted(len(values), 'value')} {verb} {what}, such as {_some(odd)}"
        message += _about_spelling(feature, odd, source)
        found.append(Misfit(feature.name, message, True, UNREADABLE, len(odd)))
    present = values.drop_nulls()
    if values.null_count() > len(odd) and not feature.missing:
        n_missing = values.null_count() - len(odd)
        message = f"missing in {counted(n_missing, 'row')}, but in none when the rules were fitted"
        found.append(Misfit(feature.name, message, False, MISSING, n_missing))
    if feature.kind is Kind.CATEGORICAL:
        unknown = present.filter(~present.is_in(list(feature.categories)))
        if len(unknown):
            message = f"{counted(len(unknown), 'row')} with categories unknown to the rules: {_some(unknown)}"
            found.append(Misfit(feature.name, message, False, UNKNOWN, len(unknown)))
    if feature.kind is Kind.NUMERIC:
        low, high = feature.bounds
        outside = present.filter((present < low) | (present > high))
        if len(outside):
            message = f"{counted(len(outside), 'row')} outside [{low:g}..{high:g}], such as {outside[0]:g}"
            found.append(Misfit(feature.name, message, False, OUTSIDE, len(outside)))
        if feature.step is not None:
            steps = present / feature.step
            between = present.filter((steps - steps.round()).abs() > _ROUNDING * steps.abs().clip(1.0))
            if len(between):
                what = f"not a multiple of the step {feature.step:g}"
                message = f"{counted(len(between), 'row')} with a value that is {what}, such as {between[0]:g}"
                found.append(Misfit(feature.name, message, False, BETWEEN, len(between)))
    return found


def _about_spelling(feature: Feature, odd: pl.Series, source: Source) -> str:
    """Return why numbers cannot be read, if it is how they are written."""
    style = (
        None
        if feature.kind is not Kind.NUMERIC or DATE_CELLS.fullmatch(feature.cells)
        else (find_style(odd, decimal_comma=source.decimal_comma))
    )
    if isinstance(style, MixedUnits):
        return f" (in {', '.join(style.units)}; the rules read {feature.unit or 'plain numbers'})"
    if style is None:
        return ""
    if style.unit != feature.unit:
        return f" (in {style.unit}; the rules read {feature.unit or 'plain numbers'})"
    return " (a comma is their decimal mark, but here it separates columns)" if style.decimal_comma else ""


def _some(values: pl.Series) -> str:
    names = values.unique(maintain_order=True).to_list()
    more = f" and {len(names) - _EXAMPLES} more" if len(names) > _EXAMPLES else ""
    return ", ".join(repr(name) for name in names[:_EXAMPLES]) + more


_TAKES = {Kind.NUMERIC: "numbers", Kind.CATEGORICAL: "categories", Kind.BOOLEAN: "truth values"}
_ONE = {Kind.NUMERIC: "number", Kind.CATEGORICAL: "category", Kind.BOOLEAN: "truth value"}
