"""Which columns of a table a fit learns from, which one it predicts, and what is left out and why."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from evoter.analysis.formatting import counted
from evoter.cli.failure import Failure
from evoter.cli.tables.cells import TRUTHS, present_text, to_numbers
from evoter.cli.tables.column_kinds import ColumnView, Found, as_category, as_number, view_column
from evoter.cli.tables.column_warnings import about_classes, with_doubts
from evoter.cli.tables.files import Source, about_sheets, unknown_column
from evoter.rules.printing.pieces import number_text

MAX_CLASSES = 100
MAX_NUMBER_CLASSES = 20
"""A target of more different numbers is taken for an amount."""

TARGET = "target"
IDENTIFIER = "id"
FEATURE = "feature"
LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user says about the columns."""

    target: str | None = None
    categories: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    identifier: str | None = None
    cuts: tuple[float, ...] = ()

    def corrected(self, verb: str, column: str) -> "Choices":
        """Return the choices after a correction such as ("category", "zip"); the newest word about a column counts."""
        without = replace(
            self,
            categories=tuple(name for name in self.categories if name != column),
            numbers=tuple(name for name in self.numbers if name != column),
            dropped=tuple(name for name in self.dropped if name != column),
            identifier=None if self.identifier == column else self.identifier,
        )
        if verb == "id":
            return replace(without, identifier=column)
        if verb == "target":
            return replace(without, target=column)
        if verb == "category":
            return replace(without, categories=(*without.categories, column))
        if verb == "number":
            return replace(without, numbers=(*without.numbers, column))
        return replace(without, dropped=(*without.dropped, column))


@dataclass(frozen=True, slots=True)
class Plan:
    """The columns of a table with their parts in a fit, without the rows that have no label."""

    source: Source
    choices: Choices
    target: str
    labels: tuple[str, ...]
    views: tuple[ColumnView, ...]
    rows: tuple[int, ...]

    @property
    def class_counts(self) -> dict[str, int]:
        """The number of rows of each class, the most frequent first."""
        return dict(Counter(self.labels).most_common())

    @property
    def n_unlabelled(self) -> int:
        """The number of rows that are left out because their label is missing."""
        return self.source.n_rows - len(self.rows)

    @property
    def features(self) -> list[ColumnView]:
        """The columns that rules may read."""
        return [view for view in self.views if self.part(view) == FEATURE]

    @property
    def categorical(self) -> list[str]:
        """The names of the columns of categories."""
        return [view.name for view in self.features if view.found is Found.CATEGORY]

    @property
    def frame(self) -> pl.DataFrame:
        """The columns that rules may read, as they read them."""
        return pl.DataFrame([view.values for view in self.features])

    @property
    def rows_repeat_identifiers(self) -> bool:
        """Whether several rows are about the same person or thing."""
        identifiers = self.identifiers
        return identifiers is not None and len(set(identifiers)) < len(identifiers)

    @property
    def identifiers(self) -> list[str] | None:
        """The identifier of each row, where there is one."""
        name = self.choices.identifier
        if name is None:
            return None
        cells = present_text(self.source.frame[name], self.source.missing).to_list()
        return [f"row {row + 1}" if cells[row] is None else cells[row] for row in self.rows]

    def part(self, view: ColumnView) -> str:
        """Return the part that a column has."""
        if view.name == self.target:
            return TARGET
        if view.name == self.choices.identifier:
            return IDENTIFIER
        return FEATURE if view.is_feature else LEFT_OUT

    @property
    def doubts(self) -> list[str]:
        """What a person should look at, one sentence each."""
        about_target = about_classes(self.class_counts, self.target)
        return [*(f"{view.name!r} {view.doubt}" for view in self.views if view.doubt), *filter(None, [about_target])]


def plan_columns(source: Source, choices: Choices) -> Plan:
    """Find out what the columns are, with the user's word over what they look like."""
    target = _checked(source, choices)
    labels = read_labels(source, target, choices.cuts)
    rows = tuple(row for row, label in enumerate(labels) if label is not None)
    present = tuple(label for label in labels if label is not None)
    _check_classes(target, present, source.decimal_comma and not choices.cuts)
    # Constant, unique and so on are judged on the rows that are learnt from.
    frame = source.frame if len(rows) == source.n_rows else source.frame[list(rows)]
    views = [_view(frame[name], source, choices) for name in source.names if name != target]
    doubted = iter(with_doubts(views, present, target))
    target_view = ColumnView(target, Found.CATEGORY, pl.Series(target, present))
    plan = Plan(
        source,
        choices,
        target,
        present,
        tuple(target_view if name == target else next(doubted) for name in source.names),
        rows,
    )
    if not plan.features:
        raise Failure(f"{source.name} has no column to learn from", "read one with --numeric or --category")
    for view in plan.features:
        _check_finite(view, plan)
    return plan


def _check_finite(view: ColumnView, plan: Plan) -> None:
    """Refuse infinite numbers, which give a column no range."""
    if view.found is not Found.NUMBER:
        return
    infinite = view.values.is_infinite().fill_null(False)
    if infinite.any():
        row = plan.rows[infinite.arg_max() or 0]
        cell = str(plan.source.frame[view.name][row]).strip()
        hint = f"--missing {cell} takes it for missing, --drop {shlex.quote(view.name)} leaves the column out"
        if plan.source.frame[view.name].dtype != pl.String:
            hint = f"make it missing in the table, or leave the column out: --drop {shlex.quote(view.name)}"
        raise Failure(f"{view.name!r} is {cell} in row {row + 1}, and rules need a range of numbers", hint)


def _checked(source: Source, choices: Choices) -> str:
    if choices.target is None:
        names = ", ".join(source.names[-8:])
        raise Failure("which column is to be predicted?", f"say it with --target; the last columns are {names}")
    asked = (choices.categories, choices.numbers, choices.dropped, (choices.identifier,) if choices.identifier else ())
    for name in (choices.target, *(name for group in asked for name in group)):
        if name not in source.names:
            failure = unknown_column(name, source.names, source.name)
            if source.header_looks_like_data:
                failure.hint = (
                    "the first line looks like data: --no-header calls the columns 'column 1', 'column 2', ..."
                )
            if not failure.hint.startswith("did you mean"):
                failure.hint = about_sheets(source) or failure.hint
            raise failure
    for name, times in Counter([choices.target, *(name for group in asked for name in set(group))]).items():
        if times > 1:
            raise Failure(
                f"{name!r} was given two parts", "a column is the target, an id, a category, a number or dropped"
            )
    return choices.target


def _view(column: pl.Series, source: Source, choices: Choices) -> ColumnView:
    name = column.name
    if name == choices.identifier:
        text = present_text(column, source.missing)
        return ColumnView(name, Found.IDENTIFIER, text, note="names the rows; not read by rules")
    if name in choices.dropped:
        return ColumnView(name, Found.OTHER, present_text(column, source.missing), note="left out: as you said")
    if name in choices.categories:
        return _with_values(as_category(column, source))
    if name in choices.numbers:
        return _with_values(as_number(column, source))
    return view_column(column, source)


def _with_values(view: ColumnView) -> ColumnView:
    if view.n_missing == len(view.values):
        wanted = "numbers" if view.found is Found.NUMBER else "values"
        example = f", such as {view.placeholders[0]!r}" if view.placeholders else ""
        raise Failure(f"{view.name!r} has no {wanted}{example}", "leave it out with --drop")
    return view


def read_labels(source: Source, target: str, cuts: Sequence[float]) -> list[str | None]:
    """Return the class of each row, None where it is missing; numbers are cut into classes on request."""
    text = present_text(source.frame[target], source.missing)
    if cuts:
        numbers = to_numbers(text, decimal_comma=source.decimal_comma)
        if numbers.null_count() > text.null_count():
            raise Failure(f"--cut needs numbers, and the target {target!r} holds other text", "leave --cut out")
        return [None if number is None else _cut_label(number, sorted(cuts)) for number in numbers.to_list()]
    if set(text.drop_nulls().str.to_lowercase().unique().to_list()) <= set(TRUTHS):
        text = text.str.to_lowercase()
    return text.to_list()


def _cut_label(number: float, cuts: Sequence[float]) -> str:
    below = [number_text(cut) for cut in cuts if cut < number]
    above = [number_text(cut) for cut in cuts if cut >= number]
    if not below:
        return f"<= {above[0]}"
    return f"> {below[-1]}" if not above else f"{below[-1]} to {above[0]}"


def _check_classes(target: str, labels: Sequence[str], decimal_comma: bool) -> None:
    counts = Counter(labels)
    if not counts:
        raise Failure(f"the target {target!r} has no values", "choose another column with --target")
    if len(counts) == 1:
        only = next(iter(counts))
        raise Failure(
            f"the target {target!r} is always {only!r}", "there is nothing to tell apart; choose another --target"
        )
    numbers = to_numbers(pl.Series(list(counts)), decimal_comma=decimal_comma)
    if numbers.null_count() == 0 and len(counts) > MAX_NUMBER_CLASSES:
        found = f"the target {target!r} has {len(counts):,} different numbers and looks like an amount"
        amounts = to_numbers(pl.Series(list(labels)), decimal_comma=decimal_comma)
        middle = float(amounts.median() or 0.0)  # type: ignore[arg-type]
        raise Failure(found, f"rules decide between classes: cut it into some, such as --cut {number_text(middle)}")
    if len(counts) == len(labels) or len(counts) > MAX_CLASSES:
        found = f"the target {target!r} has {len(counts):,} different values in {counted(len(labels), 'row')}"
        raise Failure(found, "rules decide between a few classes; choose a column that repeats its values")


def recorded_choices(record: Mapping[str, Any], target: str, names: Sequence[str]) -> Choices:
    """Return the choices that make the columns of a table what they were in a recorded fit."""
    columns = [each for each in record.get("columns", ()) if each["name"] in names and each["name"] != target]
    known = {each["name"] for each in columns}

    def those(part: str, kind: str = "") -> tuple[str, ...]:
        return tuple(each["name"] for each in columns if each["part"] == part and kind in ("", each["kind"]))

    identifier = next(iter(those(IDENTIFIER)), None)
    return Choices(
        target=target,
        categories=those(FEATURE, Found.CATEGORY),
        numbers=those(FEATURE, Found.NUMBER),
        dropped=(*those(LEFT_OUT), *(name for name in names if record and name not in known and name != target)),
        identifier=identifier,
        cuts=tuple(record.get("cuts", ())),
    )
