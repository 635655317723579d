"""Arguments and options that several commands share."""

from typing import Annotated

import typer

from evoter.cli.completion import complete_column, complete_format, complete_metric

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
