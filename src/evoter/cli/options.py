"""Arguments and options that several commands share."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from evoter.cli.completion import complete_column, complete_format, complete_metric
from evoter.cli.output import Failure

COLUMNS = "What the columns are"
SEARCH = "How rules are searched for"
READING = "How the table is read"

Json = Annotated[bool, typer.Option("--json", help="Write the result as JSON on standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on the side.")]
Rules = Annotated[str, typer.Argument(metavar="RULES", help="A rule file, JSON or text; - is standard input.")]
Table = Annotated[
    str, typer.Argument(metavar="TABLE", help="CSV, TSV, Parquet or Excel, also gzipped; - is standard input.")
]
OptionalTable = Annotated[
    str | None, typer.Argument(metavar="TABLE", help="CSV, TSV, Parquet or Excel, also gzipped; - is standard input.")
]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")]
Target = Annotated[
    str | None,
    typer.Option("--target", "-t", metavar="COLUMN", help="The column of classes.", autocompletion=complete_column),
]
Identifier = Annotated[
    str | None,
    typer.Option(
        "--id",
        metavar="COLUMN",
        help="It names the rows: not read by rules, and rows of one name stay on one side of the test.",
        rich_help_panel=COLUMNS,
        autocompletion=complete_column,
    ),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing", metavar="TEXT", help="A text that means missing, beside NA, ? and such.", rich_help_panel=READING
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header",
        help="The first line is data; columns are called 'column 1', 'column 2', ...",
        rich_help_panel=READING,
    ),
]
Sheet = Annotated[
    str | None, typer.Option("--sheet", metavar="NAME", help="The sheet of an Excel file.", rich_help_panel=READING)
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", metavar="NAME", help="The encoding, such as cp1252.", rich_help_panel=READING),
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="The same seed gives the same rules.")
]
Test = Annotated[float, typer.Option("--test", metavar="SHARE", help="The share of rows set aside for the test.")]
Form = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="FORMAT",
        help="text, markdown, latex, html, json, leaf, python, sql, pmml or onnx.",
        autocompletion=complete_format,
    ),
]
MetricName = Annotated[
    str | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="What is optimised: accuracy, balanced_accuracy, f1_macro, matthews, log_loss or any scikit-learn scorer.",
        rich_help_panel=SEARCH,
        autocompletion=complete_metric,
    ),
]


class _PlainFlags:
    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters; a flag takes no value, so its help names none."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""
        return params


class Command(_PlainFlags, TyperCommand):
    """A command."""


class Group(_PlainFlags, TyperGroup):
    """A command that has others."""


def named_numbers(pairs: Sequence[str], option: str) -> dict[str, float]:
    """Read options such as `complexity=8`.

    >>> named_numbers(["complexity=8"], "--limit")
    {'complexity': 8.0}
    """
    read = named_values(pairs, option)
    for name, value in read.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Failure(f"{option} {name}={value} is no number", f"write {option} {name}=NUMBER")
    return {name: float(value) for name, value in read.items()}  # type: ignore[arg-type]


def named_values(pairs: Sequence[str], option: str) -> dict[str, object]:
    """Read options such as `smoothing=0` or `operators=[1,1,1,1,1,1]`; what is no JSON is text."""
    read: dict[str, object] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.strip():
            raise Failure(f"{option} {pair!r} does not say what is set", f"write {option} NAME=VALUE")
        try:
            read[name.strip()] = json.loads(text)
        except ValueError:
            read[name.strip()] = text.strip()
    return read
