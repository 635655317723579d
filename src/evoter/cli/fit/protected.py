"""`--protected`: columns whose groups are compared in the report of a fit, whether rules read them or not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evoter.cli.output import Failure
from evoter.cli.tables.files import Source, unknown_column
from evoter.tables.intake.cells import present_text, to_numbers

if TYPE_CHECKING:
    from evoter.cli.fit.column_roles import Plan
    from evoter.cli.fit.outcome import Fit


def check_protected(names: Sequence[str], source: Source, target: str | None) -> tuple[str, ...]:
    """Refuse protected columns that the table does not have, and the target."""
    for name in names:
        if name not in source.names:
            raise unknown_column(name, source.names, source.name)
        if name == target:
            raise Failure(f"{name!r} is the target and cannot be protected as well", "name another column")
    return tuple(dict.fromkeys(names))


def protected_values(fit: "Fit", rows: Sequence[int]) -> dict[str, list[Any]]:
    """Return the values of each protected column of a fit on some rows."""
    return column_values(fit.plan, fit.protected, rows)


def column_values(plan: "Plan", names: Sequence[str], rows: Sequence[int]) -> dict[str, list[Any]]:
    """Return the values of columns on some rows of a plan: as rules read them, else as numbers or text."""
    read = {view.name: view.values for view in plan.features}
    values = {}
    for name in names:
        if name in read:
            column = read[name].to_list()
            values[name] = [column[row] for row in rows]
        else:
            cells = read_column(plan.source, name)
            values[name] = [cells[plan.rows[row]] for row in rows]
    return values


def read_column(source: Source, name: str) -> list[Any]:
    """Return a column of a table as numbers, or as text if some of it is no number."""
    text = present_text(source.frame[name], source.missing)
    numbers = to_numbers(text, decimal_comma=source.decimal_comma)
    cells: list[Any] = (numbers if numbers.null_count() == text.null_count() else text).to_list()
    return cells


def described_groups(fit: "Fit") -> list[dict[str, Any]]:
    """Return what the rules do to the groups of protected columns, for the record; about test rows if there are any."""
    from evoter.analysis.group_statistics import measure_groups

    statistics = fit.learnt.unseen or fit.learnt.seen
    rows = (fit.split.test if fit.learnt.unseen else fit.split.train).tolist()
    labels = [fit.plan.labels[row] for row in rows]
    return [
        measure_groups(statistics, labels, column, values).to_dict()
        for column, values in protected_values(fit, rows).items()
    ]
