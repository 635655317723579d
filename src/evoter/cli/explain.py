"""`evoter explain`: why the rules decided as they did, for a row of a table or for given values."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
from evoter.cli.output import Failure, Streams

if TYPE_CHECKING:
    from evoter.cli.rule_files import RuleFile
    from evoter.cli.tables.rule_tables import RuleTable
    from evoter.rules.explain import Explanation
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
            "--row", "-r", metavar="N", help="The number of the row, from 1; COLUMN=VALUE; or with --id, an identifier."
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
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Explain one decision: which rule decided, on which values, and which rules did not hold.

    With a table and values, the row is explained as if it had these values, to see what would have changed the
    decision.
    """
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.files import ReadingOptions
    from evoter.cli.tables.rule_tables import read_for_rules
    from evoter.rules.explain import explain as explain_decision

    streams = Streams(json_, quiet)
    loaded = load_rules(rules)
    path, given = _table_and_values(case or [])
    values: dict[str, Value] = {}
    about = "the given values"
    if path is None:
        hint = f"name a table: evoter explain {rules} data.csv --row 1"
        refuse_ignored(context, ("row", "identifier", *READING_OPTIONS), "without a table", hint)
    else:
        if row is None or "=" in row:
            why = "without --row" if row is None else f"with --row {row}, which names a column"
            refuse_ignored(context, ["identifier"], why, "give the identifier: --id COLUMN --row IDENTIFIER")
        options = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
        table = read_for_rules(loaded, path, options)
        number = find_row(table, row or "1", identifier)
        values = _row_values(table, number)
        about = f"row {number + 1} of {table.source.name}"
    if path is None and not given:
        wanted = " ".join(f'"{name}=..."' for name in loaded.ruleset.features_used[:4])
        raise Failure("there is nothing to explain", f"name a table and --row N, or give values: {wanted}")
    values |= (by_hand := read_values(loaded, given))
    for said in _unknown_categories(loaded, by_hand):
        streams.warn(said)
    _require(loaded, values, about)
    explanation = explain_decision(loaded.ruleset, values)
    if json_:
        streams.write_json(_described(explanation, about, values))
        return
    changed = f", with {', '.join(given)}" if path is not None and given else ""
    streams.remark(f"{about}{changed}")
    streams.show(explanation)


def _table_and_values(words: Sequence[str]) -> tuple[str | None, list[str]]:
    from pathlib import Path

    tables = [word for word in words if "=" not in word or Path(word).is_file()]
    if len(tables) > 1:
        raise Failure(f"{tables[0]!r} and {tables[1]!r} cannot both be tables", "write values as NAME=VALUE")
    return (tables[0] if tables else None), [word for word in words if word not in tables]


def find_row(table: "RuleTable", wanted: str, identifier: str | None) -> int:
    """Return the index of the row that is asked for by number, by COLUMN=VALUE or by its identifier."""
    from evoter.cli.tables.files import unknown_column
    from evoter.tables.intake.cells import present_text

    name, equals, value = wanted.partition("=")
    if identifier is not None and not equals:
        name, value = identifier, wanted
    elif not equals:
        return _row_number(wanted, table.n_rows, table.source.name)
    if name not in table.source.names:
        raise unknown_column(name, table.source.names, table.source.name)
    cells = present_text(table.source.frame[name]).to_list()
    if value.strip() not in cells:
        near = [cell for cell in dict.fromkeys(cells) if cell is not None][:5]
        hint = f"its values are {', '.join(near)}, ..." if near else f"{name} has no values"
        raise Failure(f"no row of {table.source.name} has {name}={value}", hint)
    return cells.index(value.strip())


def _row_number(text: str, n_rows: int, source: str) -> int:
    try:
        number = int(text)
    except ValueError:
        hint = "give its number from 1, COLUMN=VALUE, or --id COLUMN with an identifier"
        raise Failure(f"--row {text!r} is not the number of a row", hint) from None
    if not 1 <= number <= n_rows:
        raise Failure(f"{source} has no row {number}", f"its rows are 1 to {n_rows:,}; the header is not counted")
    return number - 1


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


def _described(explanation: "Explanation", about: str, values: "dict[str, Value]") -> dict[str, object]:
    from evoter.rules.text import print_condition

    decision, schema = explanation.decision, explanation.ruleset.schema
    return {
        "case": about,
        "values": values,
        "decision": decision.action,
        "actions": list(decision.actions),
        "certainty": decision.certainty,
        "by_default": decision.by_default,
        "rules": [
            {
                "number": outcome.number,
                "action": outcome.rule.action,
                "held": outcome.is_active,
                "decided": outcome.decided,
                "conditions": [
                    {"text": print_condition(each.condition, schema), "holds": each.holds}
                    for each in outcome.conditions
                ],
            }
            for outcome in explanation.rules
        ],
    }
