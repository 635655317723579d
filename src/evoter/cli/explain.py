"""`evoter explain`: why the rules decided as they did, for rows of a table or for given values."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evoter.analysis.formatting import counted
from evoter.cli.completion import complete_column
from evoter.cli.options import (
    READING_OPTIONS,
    Encoding,
    Json,
    Missing,
    NoHeader,
    Quiet,
    Rules,
    Sheet,
    refuse_ignored,
)
from evoter.cli.output import Failure, Streams, nearest, split_hint
from evoter.cli.plain_words.options import (
    Label,
    LabelFile,
    Language,
    Plain,
    Step,
    wording,
)
from evoter.cli.plain_words.writing import say_explanation, say_explanations

if TYPE_CHECKING:
    from evoter.cli.rule_files import RuleFile
    from evoter.cli.tables.rule_tables import RuleTable
    from evoter.rules.answers.changes import Counterfactuals
    from evoter.rules.values import Value


def explain(
    context: typer.Context,
    rules: Rules,
    case: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TABLE|NAME=VALUE", help="A table, values of features, or a table and values to change."
        ),
    ] = None,
    row: Annotated[
        str | None,
        typer.Option(
            "--row",
            "-r",
            metavar="N",
            help="The number of the row, from 1, or several: 2-9, all; COLUMN=VALUE; or with --id, an identifier.",
        ),
    ] = None,
    identifier: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="COLUMN",
            help="The column that identifies the rows; needs --row.",
            autocompletion=complete_column,
        ),
    ] = None,
    fixed: Annotated[
        list[str] | None,
        typer.Option("--fixed", metavar="NAME", help="A feature that must not change; may be given several times."),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="ACTION", help="Show what would have to change to get this decision.")
    ] = None,
    n_changes: Annotated[
        int, typer.Option("--changes", metavar="N", min=0, help="How many changes to show that alter the decision.")
    ] = 1,
    plain: Plain = False,
    language: Language = "en",
    labels: LabelFile = None,
    label: Label = None,
    time_step: Step = None,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Explain a decision: which rule decided, on which values, how reliable it is, and what would have to change.

    The change is the nearest one that alters the decision: of as few features as possible, then as small as possible.
    With a table and values, the row is explained as if it had these values. Several rows give a table, one line each.
    With --plain, explanations are sentences for people.
    """
    from evoter.cli.explain_json import described, described_changes
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.files import ReadingOptions
    from evoter.cli.tables.rule_tables import read_for_rules
    from evoter.rules.answers.explanations import Explanations
    from evoter.rules.explain import explain as explain_decision

    streams = Streams(json_, quiet)
    loaded = load_rules(rules)
    if json_:
        refuse_ignored(context, ["plain"], "with --json", "omit one of them")
    words = wording(context, loaded.ruleset, language, labels, label, time_step)
    path, given = _table_and_values(case or [])
    found: list[dict[str, Value]] = [{}]
    names, about, columns = [""], "the given values", []
    if path is None:
        hint = f"name a table: evoter explain {rules} data.csv --row 1"
        refuse_ignored(context, ("row", "identifier", *READING_OPTIONS), "without a table", hint)
    else:
        if row is None or "=" in row:
            why = "without --row" if row is None else f"with --row {row}, which names a column"
            refuse_ignored(context, ["identifier"], why, "give the identifier: --id COLUMN --row IDENTIFIER")
        options = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
        table = read_for_rules(loaded, path, options)
        numbers = find_rows(table, row or "1", identifier)
        found = [_row_values(table, number) for number in numbers]
        names, columns = [str(number + 1) for number in numbers], table.source.names
        about = f"row {names[0]} of {table.source.name}" if len(names) == 1 else table.source.name
    if path is None and not given:
        wanted = " ".join(f'"{name}=..."' for name in loaded.ruleset.features_used[:4])
        raise Failure("there is nothing to explain", f"name a table and --row N, or give values: {wanted}")
    by_hand = read_values(loaded, given)
    for said in _unknown_categories(loaded, by_hand):
        streams.warn(said)
    cases = [values | by_hand for values in found]
    _require(loaded, cases[0], about)
    explanations = Explanations((explain_decision(loaded.ruleset, values) for values in cases), names)
    changed = f", with {', '.join(given)}" if path is not None and given else ""
    if len(cases) > 1:
        refuse_ignored(context, ("fixed", "to", "n_changes"), "on several rows", "name one row: --row N")
        streams.remark(f"{counted(len(cases), 'row')} of {about}{changed}")
        if json_:
            told = [
                described(each, f"row {name} of {about}", values)
                for each, name, values in zip(explanations, names, cases, strict=True)
            ]
            streams.write_json({"rows": told})
        say_explanations(streams, explanations, words)
        return
    if n_changes == 0:
        refuse_ignored(context, ("fixed", "to"), "with --changes 0", "leave --changes out")
    explanation, values = explanations[0], cases[0]
    changes = _changes(loaded, values, _fixed(loaded, fixed or [], columns), to, n_changes)
    if json_:
        described_case = described(explanation, about, values)
        streams.write_json(described_case | ({} if changes is None else described_changes(changes)))
        return
    streams.remark(f"{about}{changed}")
    say_explanation(streams, explanation, changes, words)


def _fixed(rules: "RuleFile", names: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return the fixed features that rules read; a column that they do not read is fixed anyway."""
    used = rules.ruleset.features_used
    for name in names:
        if name not in used and name not in columns:
            raise Failure(
                f"--fixed: the rules do not read {name!r}", nearest(name, used, f"they read {', '.join(used)}")
            )
    return [name for name in names if name in used]


def _changes(
    rules: "RuleFile", values: "dict[str, Value]", fixed: Sequence[str], to: str | None, n: int
) -> "Counterfactuals | None":
    """Return what would change the decision, or None if it is not to be shown."""
    from evoter.rules.answers.counterfactuals import counterfactuals

    if n == 0:
        return None
    try:
        return counterfactuals(rules.ruleset, values, fixed=fixed, to=to, n=n)
    except ValueError as error:  # of --to
        message, hint = split_hint(str(error))
        raise Failure(f"--{message}", hint) from None


def _table_and_values(words: Sequence[str]) -> tuple[str | None, list[str]]:
    from pathlib import Path

    tables = [word for word in words if "=" not in word or Path(word).is_file()]
    if len(tables) > 1:
        raise Failure(f"{tables[0]!r} and {tables[1]!r} cannot both be tables", "write values as NAME=VALUE")
    return (tables[0] if tables else None), [word for word in words if word not in tables]


def find_rows(table: "RuleTable", wanted: str, identifier: str | None) -> list[int]:
    """Return the indices of the rows that are asked for by number, by COLUMN=VALUE or by identifier."""
    from evoter.cli.tables.files import unknown_column
    from evoter.tables.intake.cells import present_text

    name, equals, value = wanted.partition("=")
    if identifier is not None and not equals:
        name, value = identifier, wanted
    elif not equals:
        return _row_numbers(wanted, table.n_rows, table.source.name)
    if name not in table.source.names:
        raise unknown_column(name, table.source.names, table.source.name)
    cells = present_text(table.source.frame[name]).to_list()
    if value.strip() not in cells:
        near = [cell for cell in dict.fromkeys(cells) if cell is not None][:5]
        hint = f"its values are {', '.join(near)}, ..." if near else f"{name} has no values"
        raise Failure(f"no row of {table.source.name} has {name}={value}", hint)
    return [index for index, cell in enumerate(cells) if cell == value.strip()]


def _row_numbers(text: str, n_rows: int, source: str) -> list[int]:
    """Read the number of a row, from 1, the first and last of several (2-9), or all."""
    if text == "all":
        return list(range(n_rows))
    match = re.fullmatch(r"\s*([0-9]{1,12})\s*(?:-\s*([0-9]{1,12})\s*)?", text)
    if match is None:
        hint = "give its number from 1, several as 2-9 or all, COLUMN=VALUE, or --id COLUMN with an identifier"
        raise Failure(f"--row {text!r} is not the number of a row", hint)
    first, last = int(match[1]), int(match[2] or match[1])
    for number in (first, last):
        if not 1 <= number <= n_rows:
            raise Failure(f"{source} has no row {number}", f"its rows are 1 to {n_rows:,}; the header is not counted")
    if last < first:
        raise Failure(f"--row {text}: the first row comes after the last", f"write --row {last}-{first}")
    return list(range(first - 1, last))


def _row_values(table: "RuleTable", number: int) -> "dict[str, Value]":
    row: dict[str, Any] = table.frame.row(number, named=True)
    return {name: value for name, value in row.items() if name}


def read_values(rules: "RuleFile", pairs: Sequence[str]) -> "dict[str, Value]":
    """Read values such as `age=50`, each as the kind of its feature; an empty value is missing."""
    import polars as pl

    from evoter.cli.tables.files import unknown_column
    from evoter.rules.schema import DATE_CELLS
    from evoter.tables.intake.cells import read_feature

    values: dict[str, Value] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        name = name.strip()
        if name not in rules.ruleset.features_used:
            failure = unknown_column(name, rules.ruleset.features_used, rules.name)
            raise Failure(f"the rules do not read {name!r}", failure.hint.replace("its columns are", "they read"))
        feature = rules.ruleset.schema.feature(name)
        given = replace(feature, cells="") if DATE_CELLS.fullmatch(feature.cells) else feature  # a part, not a date
        reading = read_feature(pl.Series([text]), given)
        if len(reading.misfits):
            raise Failure(
                f"{name} is {feature.kind} and cannot be {text!r}",
                f"write {name}=NUMBER" if feature.kind == "numeric" else "",
            )
        values[name] = reading.values[0]
    return values


def _unknown_categories(rules: "RuleFile", values: "dict[str, Value]") -> Iterator[str]:
    from evoter.rules.errors import did_you_mean
    from evoter.rules.schema import Kind

    for name, value in values.items():
        feature = rules.ruleset.schema.feature(name)
        if feature.kind is Kind.CATEGORICAL and value is not None and not feature.has_category(str(value)):
            hint = did_you_mean(str(value), feature.categories)
            yield f"{value!r} is not a category of {name} that the rules know{hint}"


def _require(rules: "RuleFile", values: "dict[str, Value]", about: str) -> None:
    absent = [name for name in rules.ruleset.features_used if name not in values]
    if absent:
        wanted = " ".join(f'"{name}=..."' for name in absent[:6])
        verb = "lack" if about.endswith("values") else "lacks"
        raise Failure(f"{about} {verb} {', '.join(absent[:6])}", f"add {wanted}; an empty value means missing")
