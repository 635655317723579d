"""How a project is opened with its table: rows divided as before, columns corrected, groups found."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evoter.cli.fit.learning import with_cell_reading
from evoter.cli.output import Failure
from evoter.estimators.classification.matching import with_actions
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.schema import Schema
from evoter.studio.answers.cards import EditedRules
from evoter.studio.answers.open_rows import OpenRows
from evoter.studio.project import Project, Split, row_hashes
from evoter.studio.project.state import State
from evoter.studio.table.columns import StudioTable
from evoter.studio.table.labelled_rows import Ints, LabelledRows, RowGroups
from evoter.studio.table.parts import Parts, divide_rows
from evoter.tables import infer_schema
from evoter.tables.groups import group_rows


def corrections_of(project: Project | State) -> dict[str, str]:
    """Return what a person said about columns, as the project keeps it."""
    return {name: str(each["to"]) for name, each in project.columns.items()}


def divide(
    table: StudioTable, recorded: Split | None, *, test: float, validation: float, seed: int
) -> tuple[Parts, Split]:
    """Divide the rows of a table, as a project has it; refuse a table with other rows than those of the project."""
    if recorded is not None:
        test, validation, seed = recorded.test, recorded.validation, recorded.seed
    plan = table.plan
    parts = divide_rows(plan.labels, plan.identifiers, test=test, validation=validation, seed=seed)
    frame = table.source.frame[list(plan.rows)]
    columns = {name: frame[name].to_list() for name in table.source.names}
    split = Split.of(
        row_hashes(columns),
        {"train": parts.training, "validation": parts.validation, "test": parts.test},
        seed=seed,
        validation=validation,
        test=test,
        grouped=parts.grouped,
    )
    if recorded is not None and (differing := recorded.differing_parts(split)):
        raise Failure(
            f"{table.source.name} is not the table of this project: its {' and '.join(differing)} rows are others",
            "open the project with the table that it began with, or begin another project",
        )
    return parts, split


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table as a project sees it: corrected and divided, with its classes and the rows that may be looked at."""

    table: StudioTable
    parts: Parts
    classes: tuple[str, ...]
    protected: tuple[str, ...]
    favourable: str | None
    rows: OpenRows


def open_table(whole: StudioTable, parts: Parts, project: Project | State) -> OpenTable:
    """Open a table, whose rows are divided already, for a project; refuse rules that do not fit it."""
    setup = project.setup
    assert setup is not None  # no project is opened without
    if missing := [name for name in setup.protected if name not in whole.source.names]:
        raise Failure(f"{whole.source.name} has no column {missing[0]!r}, which is protected in this project")
    table = whole.corrected(corrections_of(project))
    classes = class_names(table, [each.ruleset for each in project.versions])
    stated = project.favourable if project.favourable in classes else None
    favourable = stated or (classes[1] if len(classes) == 2 else None)
    rows = open_rows(table, parts, classes, setup.protected, favourable)
    if project.current is not None:
        rows.rows.decide(EditedRules(matched(project.current.ruleset, classes), frozenset(project.current.off)).active)
    return OpenTable(table, parts, classes, setup.protected, favourable, rows)


def class_names(table: StudioTable, rulesets: Sequence[RuleSet]) -> tuple[str, ...]:
    """Return the classes of the table in order, and after them the actions that only rules know."""
    decided = [action for each in rulesets for action in each.schema.actions]
    return tuple(dict.fromkeys([*sorted(set(table.plan.labels)), *decided]))


def matched(ruleset: RuleSet, classes: Sequence[str]) -> RuleSet:
    """Return rules that may decide all classes; refuse those that have no single decision for a row."""
    if mode_of(ruleset.mode).several_actions or ruleset.schema.target is not None:
        raise Failure("the studio edits rules that decide one class a row", "these rules decide several, or numbers")
    return ruleset if ruleset.schema.actions == tuple(classes) else with_actions(ruleset, classes)


def open_rows(
    table: StudioTable, parts: Parts, classes: tuple[str, ...], protected: Sequence[str], favourable: str | None
) -> OpenRows:
    """Return the rows that may be looked at while rules are edited."""
    rows = labelled_rows(table, parts.open, classes, protected)
    return OpenRows(table, parts, rows, offered_schema(table, rows.frame, classes), favourable)


def labelled_rows(
    table: StudioTable, positions: Ints, classes: tuple[str, ...], protected: Sequence[str]
) -> LabelledRows:
    """Return some rows with their labels and groups; groups are those of the whole table."""
    codes = {name: code for code, name in enumerate(classes)}
    labels = np.array([codes[table.plan.labels[position]] for position in positions.tolist()], np.int64)
    groups = [RowGroups.of(group_rows(name, table.values(name)), positions) for name in protected]
    return LabelledRows(table.plan.frame[positions.tolist()], positions, labels, classes, tuple(groups))


def offered_schema(table: StudioTable, frame: pl.DataFrame, classes: Sequence[str]) -> Schema:
    """Return what new rules may read: all features of the table, with the ranges of rows that may be looked at."""
    plan = table.plan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the table view shows what is doubtful
        schema = infer_schema(frame, actions=classes, categorical=plan.categorical, units=plan.units or None)
    # A rule set without rules carries the schema through the function that `evoter fit` uses for its own.
    return with_cell_reading(RuleSet((), schema.actions[0], schema), plan).schema
