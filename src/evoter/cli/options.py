"""Arguments and options that several commands share, how options are read, and when they are refused."""

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from evoter.cli.completion import complete_column, complete_format, complete_metric
from evoter.cli.output import Failure, nearest

COLUMNS = "Columns"
SEARCH = "Search"
READING = "Reading the table"
READING_OPTIONS = ("missing", "no_header", "sheet", "encoding")

Json = Annotated[bool, typer.Option("--json", help="Write the result to standard output as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Suppress messages.")]
Rules = Annotated[str, typer.Argument(metavar="RULES", help="A rule file, JSON or text; - reads standard input.")]
Table = Annotated[
    str,
    typer.Argument(metavar="TABLE", help="A CSV, TSV, Parquet or Excel file, gzipped or not; - reads standard input."),
]
OptionalTable = Annotated[
    str | None,
    typer.Argument(metavar="TABLE", help="A CSV, TSV, Parquet or Excel file, gzipped or not; - reads standard input."),
]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")]
Target = Annotated[
    str | None,
    typer.Option(
        "--target", "-t", metavar="COLUMN", help="The column that holds the classes.", autocompletion=complete_column
    ),
]
Identifier = Annotated[
    str | None,
    typer.Option(
        "--id",
        metavar="COLUMN",
        help="This column identifies the rows: rules do not read it, and rows with the same value are either all "
        "trained on or all tested on.",
        rich_help_panel=COLUMNS,
        autocompletion=complete_column,
    ),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="TEXT",
        help="A value that means missing, in addition to NA, ? and the like.",
        rich_help_panel=READING,
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header",
        help="The first line is data; columns are named 'column 1', 'column 2', ...",
        rich_help_panel=READING,
    ),
]
Sheet = Annotated[
    str | None, typer.Option("--sheet", metavar="NAME", help="The sheet of an Excel file.", rich_help_panel=READING)
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding", metavar="NAME", help="The encoding of a text file, such as cp1252.", rich_help_panel=READING
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="Random seed; the same seed gives the same result."),
]
Test = Annotated[float, typer.Option("--test", metavar="SHARE", help="Share of the rows held out for the test.")]
Form = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="FORMAT",
        help="text, markdown, latex, html, plain, json, leaf, python, javascript, c, sql, dmn, excel, pmml or onnx.",
        autocompletion=complete_format,
    ),
]
MetricName = Annotated[
    str | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="What to optimise: accuracy, balanced_accuracy, f1_macro, matthews, log_loss, roc_auc, average_precision, "
        "brier, or any other scikit-learn scorer (slow).",
        rich_help_panel=SEARCH,
        autocompletion=complete_metric,
    ),
]

RuleFile = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="The rule file to write; the other files are named after it."),
]
Export = Annotated[
    list[str] | None,
    typer.Option(
        "--export", metavar="FORMAT", help="Also export the rules in this format.", autocompletion=complete_format
    ),
]
Force = Annotated[
    bool,
    typer.Option("--force", help="Replace the files of an earlier fit instead of keeping them under numbered names."),
]
Category = Annotated[
    list[str] | None,
    typer.Option(
        "--category",
        "-c",
        metavar="COLUMN",
        help="Read this column as categories, even if it holds numbers.",
        rich_help_panel=COLUMNS,
        autocompletion=complete_column,
    ),
]
NumericColumn = Annotated[
    list[str] | None,
    typer.Option(
        "--numeric",
        metavar="COLUMN",
        help="Read this column as numbers; anything else in it counts as missing.",
        rich_help_panel=COLUMNS,
        autocompletion=complete_column,
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        "--drop",
        metavar="COLUMN",
        help="Leave this column out.",
        rich_help_panel=COLUMNS,
        autocompletion=complete_column,
    ),
]
Generations = Annotated[
    int | None,
    typer.Option(
        "--generations",
        metavar="N",
        min=1,
        help="Maximum number of generations ({generations} by default).",
        rich_help_panel=SEARCH,
    ),
]
MaxRules = Annotated[
    int | None,
    typer.Option("--max-rules", metavar="N", min=1, rich_help_panel=SEARCH, help="Maximum number of rules."),
]
MaxConditions = Annotated[
    int | None,
    typer.Option(
        "--max-conditions",
        metavar="N",
        min=1,
        rich_help_panel=SEARCH,
        help="Maximum number of conditions in a rule.",
    ),
]
Population = Annotated[
    int | None,
    typer.Option(
        "--population", metavar="N", min=2, rich_help_panel=SEARCH, help="Number of rule sets in a generation."
    ),
]
Islands = Annotated[
    int | None,
    typer.Option(
        "--islands",
        metavar="N",
        min=1,
        rich_help_panel=SEARCH,
        help="Number of populations that evolve apart and exchange their best rule sets now and then; the work grows "
        "with it.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        metavar="N",
        help="Number of threads, -1 for all cores; the rules do not depend on it.",
        rich_help_panel=SEARCH,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Evaluate on a Ray cluster: auto for the one of this machine, local for workers on this machine alone, or "
        "the address of its head, such as 10.0.0.1:6379; the rules do not depend on it.",
        rich_help_panel=SEARCH,
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


class FitCommand(Command):
    """A command whose help names defaults of the classifier: `{patience}` in a help text is its default patience.

    They are read when the help is shown, because other commands have no need to load the classifier.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        import inspect

        from evoter.estimators.classifier import EvoterClassifier

        for param in self.params:
            for name, parameter in inspect.signature(EvoterClassifier).parameters.items():
                if getattr(param, "help", None):
                    param.help = param.help.replace(f"{{{name}}}", str(parameter.default))  # type: ignore[attr-defined]
        super().format_help(ctx, formatter)


def refuse_ignored(context: typer.Context, names: Iterable[str], why: str, hint: str) -> None:
    """Refuse options, by the names of their parameters, that were given although they have no effect here."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            parameter = next(each for each in context.command.params if each.name == name)
            raise Failure(f"{parameter.opts[0]} has no effect {why}", hint)


def named_numbers(pairs: Sequence[str], option: str) -> dict[str, float]:
    """Read options such as `complexity=8`.

    >>> named_numbers(["complexity=8"], "--limit")
    {'complexity': 8.0}
    """
    read = named_values(pairs, option)
    for name, value in read.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Failure(f"{option} {name}={value} is not a number", f"write {option} {name}=NUMBER")
    return {name: float(value) for name, value in read.items()}  # type: ignore[arg-type]


def named_values(pairs: Sequence[str], option: str) -> dict[str, object]:
    """Read options such as `soft_targets=0` or `operators=[1,1,1,1,1,1]`; anything that is not JSON is text."""
    read: dict[str, object] = {}
    for pair in pairs:
        name, equals, text = (part.strip() for part in pair.partition("="))
        if not equals or not name:
            raise Failure(f"{option} {pair!r} is not of the form NAME=VALUE", f"write {option} NAME=VALUE")
        if name in read:
            raise Failure(f"{option} sets {name!r} twice", "give it once")
        try:
            read[name] = json.loads(text)
        except ValueError:
            read[name] = text
    return read


def named_texts(pairs: Sequence[str], option: str, known: Sequence[str], what: str) -> dict[str, str]:
    """Read options such as `age=years`, of which the first part is one of some known names.

    >>> named_texts(["a=b=years"], "--unit", ["a=b"], "column")
    {'a=b': 'years'}
    """
    read: dict[str, str] = {}
    for pair in pairs:
        splits = [(pair[:at].strip(), pair[at + 1 :].strip()) for at, sign in enumerate(pair) if sign == "="]
        if not splits:
            raise Failure(f"{option} {pair!r} is not of the form NAME=VALUE", f"write {option} NAME=VALUE")
        name, text = next((split for split in splits if split[0] in known), splits[0])
        if name not in known:
            raise Failure(f"{option}: there is no {what} {name!r}", nearest(name, known, f"known: {', '.join(known)}"))
        if name in read:
            raise Failure(f"{option} names {name!r} twice", "give it once")
        if not text:
            raise Failure(f"{option} {pair!r} has nothing after '='", f"write {option} {name}=NAME")
        read[name] = text
    return read
