"""The role of each column in a fit: target, identifier, feature, or left out."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from evoter.analysis.formatting import counted
from evoter.cli.fit.date_columns import DateParts, date_views, read_words
from evoter.cli.fit_records import FitRecord
from evoter.cli.options import named_texts
from evoter.cli.output import Failure
from evoter.cli.tables.column_views import (
    CellReadingFields,
    ColumnView,
    as_category,
    as_number,
    cell_reading,
    class_warning,
    not_read,
    view_column,
    with_target_warnings,
)
from evoter.cli.tables.files import Source, about_sheets, unknown_column
from evoter.rules.printing.pieces import number_text
from evoter.rules.schema import Kind
from evoter.tables import ColumnKind, ColumnReport
from evoter.tables.intake.cells import present_text, to_numbers
from evoter.tables.intake.limits import BOOLEAN_TEXTS

MAX_CLASSES = 100
MAX_NUMBER_CLASSES = 20
"""A target with more different numbers is an amount, not a class."""

AUTO, CLASSES, NUMBERS = "auto", "classes", "numbers"
TASKS = (AUTO, CLASSES, NUMBERS)
"""What is predicted: classes, numbers, or whichever the target looks like."""

TARGET = "target"
IDENTIFIER = "id"
FEATURE = "feature"
LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Choices:
    """The roles and kinds of columns that the user has chosen; units and names of classes as in `age=years`."""

    target: str | None = None
    categories: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    identifier: str | None = None
    cuts: tuple[float, ...] = ()
    dates: Mapping[str, DateParts] = field(default_factory=dict)
    units: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    task: str = AUTO

    def corrected(self, verb: str, column: str) -> "Choices":
        """Return the choices after a correction such as ("category", "zip"), which replaces earlier ones."""
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
    """The columns of a table with their roles in a fit, without the rows that have no label.

    `identifier` is the column that says which rows belong together: the one that the user named, or one that was
    recognised because its values repeat.
    """

    source: Source
    choices: Choices
    target: str
    labels: tuple[str, ...]
    views: tuple[ColumnView, ...]
    rows: tuple[int, ...]
    class_names: Mapping[str, str]
    identifier: str | None = None
    numbers: tuple[float, ...] | None = None
    """The target as numbers, one for each row, where numbers are predicted."""

    @property
    def task(self) -> str:
        """The task that was chosen, and why, in a sentence; empty where the target leaves no choice."""
        asked = "as you said" if self.choices.task != AUTO or self.choices.cuts else ""
        if self.numbers is None:
            if not asked and not all(map(_is_number, self.class_counts)):
                return ""
            reason = asked or f"it has {counted(len(self.class_counts), 'different value')}"
            return f"task: predict classes of {self.target!r} ({reason}; --task numbers predicts numbers)"
        reason = asked or f"it has {len(set(self.numbers)):,} different numbers"
        return f"task: predict numbers, {self.target!r} ({reason}; --task classes, or --cut NUMBER, predicts classes)"

    @property
    def class_counts(self) -> dict[str, int]:
        """The number of rows of each class, the most frequent first."""
        return dict(Counter(self.labels).most_common())

    @property
    def n_unlabelled(self) -> int:
        """The number of rows without a label, which are left out."""
        return self.source.n_rows - len(self.rows)

    @property
    def features(self) -> list[ColumnView]:
        """The columns that rules may read."""
        return [view for view in self.views if self.role(view) == FEATURE]

    @property
    def categorical(self) -> list[str]:
        """The names of the columns of categories."""
        return [view.name for view in self.features if view.kind is ColumnKind.CATEGORICAL]

    @property
    def units(self) -> dict[str, str]:
        """The units of columns by name, from their cells and from the user."""
        in_cells = {view.name: view.fields.unit for view in self.features if view.fields.unit}
        names = [*self.source.names, *(view.name for view in self.features if view.fields.column)]
        return in_cells | named_texts(self.choices.units, "--unit", names, "column")

    @property
    def frame(self) -> pl.DataFrame:
        """The columns that rules may read, with their types."""
        return pl.DataFrame([view.values for view in self.features])

    @property
    def rows_repeat_identifiers(self) -> bool:
        """Whether several rows have the same identifier."""
        identifiers = self.identifiers
        return identifiers is not None and len(set(identifiers)) < len(identifiers)

    @property
    def identifiers(self) -> list[str] | None:
        """The identifier of each row, if there is a column for it."""
        name = self.identifier
        if name is None:
            return None
        cells = present_text(self.source.frame[name], self.source.missing).to_list()
        return [f"row {row + 1}" if cells[row] is None else cells[row] for row in self.rows]

    def role(self, view: ColumnView) -> str:
        """Return the role of a column."""
        if view.name == self.target:
            return TARGET
        if view.name == self.identifier:
            return IDENTIFIER
        return FEATURE if view.kind.is_feature else LEFT_OUT

    def cell_reading(self, view: ColumnView) -> CellReadingFields:
        """Return how the cells of a column were read, as a feature declares it."""
        return cell_reading(view, self.source)

    @property
    def warnings(self) -> list[str]:
        """What a person should look at, one sentence each."""
        about_columns = [f"{view.name!r} {each}" for view in self.views for each in view.warnings]
        about_classes = "" if self.numbers is not None else class_warning(self.class_counts, self.target)
        return [*self.about_identifiers, *about_columns, *filter(None, [about_classes])]

    @property
    def about_identifiers(self) -> list[str]:
        """Which identifiers were recognised whose values repeat, and what was done about them."""
        found = [view for view in self.views if view.repeats and self.role(view) in (IDENTIFIER, LEFT_OUT)]
        said = []
        for view in found:
            options = "--numeric or --category" if view.report.read_as is Kind.NUMERIC else "--category"
            override = f"{options} lets rules read it"
            reason = f"{view.name!r} looks like an identifier ({view.report.reason}): rules do not read it"
            if view.name == self.identifier:
                said.append(f"{reason}, and its rows are either all trained on or all tested on; {override}")
            else:
                said.append(f"{reason}; {override}")
        return said


def check_task(task: str) -> None:
    """Refuse a task that does not exist."""
    if task not in TASKS:
        raise Failure(f"there is no task {task!r}", f"known: {', '.join(TASKS)}")


def plan_columns(source: Source, choices: Choices) -> Plan:
    """Assign a role to each column: the one that the user chose, or the one that fits its kind."""
    target = _checked(source, choices)
    labels = read_labels(source, target, choices.cuts)
    rows = tuple(row for row, label in enumerate(labels) if label is not None)
    present = tuple(label for label in labels if label is not None)
    numbers = _target_numbers(target, present, source, choices)
    if numbers is None:
        _check_classes(target, present, source.decimal_comma and not choices.cuts)
    elif choices.labels:
        raise Failure("--label names classes, and numbers are predicted here", "omit it, or add --task classes")
    class_names = read_class_names(choices.labels, present) if numbers is None else {}
    present = tuple(class_names.get(label, label) for label in present)
    # Only rows with a label count when columns are judged to be constant, unique and so on.
    frame = source.frame if len(rows) == source.n_rows else source.frame[list(rows)]
    views = [view for name in source.names if name != target for view in _views(frame[name], source, choices)]
    warned = with_target_warnings(views, present, target) if numbers is None else views
    kind = ColumnKind.CATEGORICAL if numbers is None else ColumnKind.NUMERIC
    target_view = ColumnView(ColumnReport(target, kind), pl.Series(target, present))
    before = [view for view in warned if _position(view, source) < source.names.index(target)]
    everything = (*before, target_view, *warned[len(before) :])
    identifier = choices.identifier or shared_identifier(views)
    plan = Plan(source, choices, target, present, everything, rows, class_names, identifier, numbers)
    if not plan.features:
        raise Failure(f"{source.name} has no column to learn from", "keep one with --numeric or --category")
    for view in plan.features:
        _check_finite(view, plan)
    _check_units(plan)
    return plan


def _target_numbers(target: str, labels: Sequence[str], source: Source, choices: Choices) -> tuple[float, ...] | None:
    """Return the target as numbers where these are predicted: as the user said, or because it has so many of them."""
    if choices.task == CLASSES or choices.cuts:
        if choices.task == NUMBERS:
            raise Failure("--cut splits a target into classes, and --task numbers predicts numbers", "omit one of them")
        return None
    numbers = to_numbers(pl.Series(list(labels), dtype=pl.String), decimal_comma=source.decimal_comma)
    if numbers.null_count() or not numbers.is_finite().all():
        if choices.task == NUMBERS:
            odd = next((text for text, number in zip(labels, numbers.to_list(), strict=True) if number is None), "inf")
            raise Failure(f"the target {target!r} holds {odd!r}, which is no number", "omit --task numbers")
        return None
    if choices.task == AUTO and numbers.n_unique() <= MAX_NUMBER_CLASSES:
        return None
    if numbers.n_unique() < 2:
        raise Failure(
            f"the target {target!r} is always the same", "there is nothing to predict; choose another --target"
        )
    return tuple(map(float, numbers.to_list()))


def read_class_names(pairs: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """Return the new names of classes by their labels, from options such as `1=dies`.

    >>> read_class_names(["1=dies"], ["0", "1", "1"])
    {'1': 'dies'}
    """
    known = sorted(set(labels))
    # A table with types has 1.0 where a person writes 1.
    aliases = {label.removesuffix(".0"): label for label in known if label.removesuffix(".0") not in known}
    given = named_texts(pairs, "--label", [*known, *aliases], "class")
    names = {aliases.get(label, label): name for label, name in given.items()}
    counts = Counter(names.get(label, label) for label in known)
    for name, times in counts.items():
        if times > 1:
            raise Failure(f"--label gives {times} classes the name {name!r}", "classes have different names")
    return names


def _check_units(plan: Plan) -> None:
    numbers = [view.name for view in plan.features if view.kind is ColumnKind.NUMERIC]
    in_cells = {view.name: view.fields.unit for view in plan.features}
    for name, unit in plan.units.items():
        if in_cells.get(name) not in ("", None, unit):
            raise Failure(f"--unit: the cells of {name!r} are in {in_cells[name]}, not in {unit}", "omit its unit")
        if name not in numbers:
            hint = f"read it as numbers with --numeric {shlex.quote(name)}, or omit its unit"
            raise Failure(f"--unit: {name!r} is not a numeric column that rules read", hint)


def _check_finite(view: ColumnView, plan: Plan) -> None:
    """Refuse infinite numbers, because features need a finite range."""
    if view.report.infinite_row is not None:
        row = plan.rows[view.report.infinite_row]
        cell = str(plan.source.frame[view.name][row]).strip()
        hint = f"--missing {cell} counts it as missing, --drop {shlex.quote(view.name)} leaves the column out"
        if plan.source.frame[view.name].dtype != pl.String:
            hint = f"make it missing in the table, or leave the column out: --drop {shlex.quote(view.name)}"
        raise Failure(f"{view.name!r} is {cell} in row {row + 1}, but rules need finite numbers", hint)


def _checked(source: Source, choices: Choices) -> str:
    if choices.target is None:
        names = ", ".join(source.names[-8:])
        raise Failure("no column to predict was given", f"name it with --target; the last columns are {names}")
    identifiers = (choices.identifier,) if choices.identifier else ()
    asked = (choices.categories, choices.numbers, choices.dropped, identifiers, tuple(choices.dates))
    for name in (choices.target, *(name for group in asked for name in group)):
        if name not in source.names:
            failure = unknown_column(name, source.names, source.name)
            if source.header_looks_like_data:
                failure.hint = (
                    "the first line looks like data: with --no-header the columns are named 'column 1', 'column 2', ..."
                )
            if not failure.hint.startswith("did you mean"):
                failure.hint = about_sheets(source) or failure.hint
            raise failure
    for name, times in Counter([choices.target, *(name for group in asked for name in set(group))]).items():
        if times > 1:
            raise Failure(
                f"{name!r} was given two roles",
                "a column is the target, an id, a category, a number, a date or dropped",
            )
    return choices.target


def _position(view: ColumnView, source: Source) -> int:
    return source.names.index(view.fields.column or view.name)


def shared_identifier(views: Sequence[ColumnView]) -> str | None:
    """Return the recognised identifier that most rows share: patients rather than their visits."""
    found = [view for view in views if view.repeats]
    return min(found, key=lambda view: view.report.n_distinct or 0).name if found else None


def _views(column: pl.Series, source: Source, choices: Choices) -> Iterator[ColumnView]:
    """Yield a column, and after a column of dates the parts of it that rules are to read."""
    asked = choices.dates.get(column.name)
    if asked is None:
        yield _view(column, source, choices)
        return
    parts = list(date_views(column, source, asked, source.names))
    note = f"left out: read as {', '.join(repr(part.name) for part in parts)}"
    yield not_read(column, source, ColumnKind.DATE, note)
    yield from parts


def _view(column: pl.Series, source: Source, choices: Choices) -> ColumnView:
    name = column.name
    if name == choices.identifier:
        return not_read(column, source, ColumnKind.IDENTIFIER, "names the rows; not read by rules")
    if name in choices.dropped:
        return not_read(column, source, ColumnKind.OTHER, "left out: as you said")
    if name in choices.categories:
        return _with_values(as_category(column, source))
    if name in choices.numbers:
        return _with_values(as_number(column, source))
    return view_column(column, source)


def _with_values(view: ColumnView) -> ColumnView:
    if view.report.n_missing == len(view.values):
        wanted = "numbers" if view.kind is ColumnKind.NUMERIC else "values"
        example = f", such as {view.placeholders[0]!r}" if view.placeholders else ""
        raise Failure(f"{view.name!r} has no {wanted}{example}", "leave it out with --drop")
    return view


def read_labels(source: Source, target: str, cuts: Sequence[float]) -> list[str | None]:
    """Return the class of each row, None if it is missing; `cuts` split numbers into classes."""
    text = present_text(source.frame[target], source.missing)
    if cuts:
        numbers = to_numbers(text, decimal_comma=source.decimal_comma)
        if numbers.null_count() > text.null_count():
            raise Failure(f"--cut needs numbers, but the target {target!r} also holds text", "omit --cut")
        return [None if number is None else _cut_label(number, sorted(cuts)) for number in numbers.to_list()]
    if set(text.drop_nulls().str.to_lowercase().unique().to_list()) <= set(BOOLEAN_TEXTS):
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
            f"the target {target!r} is always {only!r}", "there is nothing to predict; choose another --target"
        )
    numbers = to_numbers(pl.Series(list(counts)), decimal_comma=decimal_comma)
    if numbers.null_count() == 0 and len(counts) > MAX_NUMBER_CLASSES:
        found = f"the target {target!r} has {len(counts):,} different numbers and looks like an amount"
        amounts = to_numbers(pl.Series(list(labels)), decimal_comma=decimal_comma)
        middle = float(amounts.median() or 0.0)  # type: ignore[arg-type]
        hint = f"predict numbers with --task numbers, or split it, for example with --cut {number_text(middle)}"
        raise Failure(found, hint)
    if len(counts) == len(labels) or len(counts) > MAX_CLASSES:
        found = f"the target {target!r} has {len(counts):,} different values in {counted(len(labels), 'row')}"
        raise Failure(found, "rules predict a few classes; choose a column whose values repeat")


def recorded_choices(record: FitRecord | None, target: str, names: Sequence[str]) -> Choices:
    """Return the choices that give the columns of a table the roles they had in a recorded fit, if there is one."""
    if record is None:
        return Choices(target=target)
    columns = [each for each in record.columns if each.name in names and each.name != target]
    known = {each.name for each in columns}

    def those(part: str, kind: str = "") -> tuple[str, ...]:
        return tuple(each.name for each in columns if each.part == part and kind in ("", each.kind))

    identifier = next(iter(those(IDENTIFIER)), None)
    return Choices(
        target=target,
        categories=those(FEATURE, ColumnKind.CATEGORICAL),
        numbers=those(FEATURE, ColumnKind.NUMERIC),
        dropped=tuple(
            name
            for name in (*those(LEFT_OUT), *(name for name in names if name not in known and name != target))
            if name not in record.dates
        ),
        identifier=identifier,
        cuts=record.cuts,
        dates={column: read_words(words) for column, words in record.dates.items() if column in names},
        units=tuple(f"{name}={unit}" for name, unit in record.units.items() if name in known),
        labels=tuple(f"{label}={name}" for label, name in record.labels.items()),
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
