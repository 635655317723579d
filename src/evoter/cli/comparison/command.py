"""`evoter compare`: rule files and ordinary models on the same rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.options import Encoding, Json, Missing, NoHeader, Quiet, Seed, Sheet, Target, refuse_ignored
from evoter.cli.output import Failure, Streams, heading, plain_table, size
from evoter.rules.printing.pieces import visible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.table import Table as RichTable

    from evoter.cli.comparison.result import Comparison, Contestant
    from evoter.cli.fit.column_roles import Plan
    from evoter.cli.fit_records import FitRecord
    from evoter.cli.rule_files import RuleFile
    from evoter.cli.tables.files import Source

NONE = "none"
SHOWN_ROWS = 10
MAX_CLASSES = 20
"""With more classes, only JSON has figures for each of them."""

SIGNIFICANT = 0.05
_TEXT_SUFFIXES = (".txt", ".rules", "")


def compare(
    context: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="RULES... TABLE", help="Rule files and one table.")],
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="A model to train for comparison: tree, tuned-tree, logistic, forest, majority, or none.",
        ),
    ] = None,
    target: Target = None,
    rows: Annotated[
        int | None,
        typer.Option(
            "--rows", metavar="N", min=0, help=f"Number of rows to list on which they differ ({SHOWN_ROWS}; JSON: all)."
        ),
    ] = None,
    seed: Seed = 0,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Compare rule files with each other and with ordinary models: accuracy, size, agreement, rows that differ.

    Differences from the first file are tested by accuracy, or by balanced accuracy if most rows have the same class,
    and the p-values are corrected for the number of models (Holm).

    On the table that the rules were fitted on, only its held-out rows are compared, and the models are trained on the
    others. On any other table all rows are compared, and the models are cross-validated.
    """
    from evoter.cli.comparison.models import MAJORITY, MODELS, check_models, predict_with
    from evoter.cli.comparison.result import Comparison, Contestant
    from evoter.cli.rule_files import load_rules, refuse_numbers
    from evoter.cli.tables.files import ReadingOptions, read_source
    from evoter.cli.tables.rule_tables import fit_to_rules, require_columns

    streams = Streams(json_, quiet)
    table, rule_paths = divide_files(files)
    loaded = [load_rules(path) for path in rule_paths]
    refuse_numbers(loaded, "evoter compare compares classifiers")
    wanted = list(model) if model else ([] if len(loaded) > 1 else list(MODELS))
    if NONE in wanted and len(set(wanted)) > 1:
        raise Failure("--model none has no effect beside other models", "omit it, or the others")
    wanted = [name for name in wanted if name != NONE]
    check_models(wanted)
    if not wanted:
        refuse_ignored(context, ["seed"], "without models to train", "name one with --model")
    records = [record for each in loaded if (record := each.record()) is not None]
    recorded = records[0].missing if records else ()
    options = ReadingOptions.given([*recorded, *(missing or ())], no_header=no_header, sheet=sheet, encoding=encoding)
    source = read_source(table, options)
    for each in loaded:
        require_columns(fit_to_rules(each, source))
    plan = _plan(records, source, target)
    train, test = _rows_compared(records, plan)
    names = told_apart([each.name for each in loaded], rule_paths)
    contestants = [_rules_contestant(each, name, plan, test) for each, name in zip(loaded, names, strict=True)]
    # The tuned tree is tuned for what the models are compared by.
    measure = Comparison(plan, test.tolist(), contestants, unseen=train is not None).measure.replace(" ", "_")
    for name in wanted:
        answers, words = predict_with(name, plan, train, test, seed, measure)
        contestants.append(Contestant(name, words, answers, is_constant=name == MAJORITY))
    comparison = Comparison(plan, test.tolist(), contestants, unseen=train is not None)
    if json_:
        streams.write_json(comparison.to_dict(rows))
    else:
        _show(streams, comparison, SHOWN_ROWS if rows is None else rows)


def told_apart(names: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return names for files: their own, or their whole paths if names are equal.

    >>> told_apart(["m.json", "m.json", "n.json"], ["a/m.json", "b/m.json", "n.json"])
    ['a/m.json', 'b/m.json', 'n.json']
    """
    return [path if names.count(name) > 1 else name for name, path in zip(names, paths, strict=True)]


def divide_files(files: Sequence[str]) -> tuple[str, list[str]]:
    """Return the one table among the files, and the rule files."""
    tables = [path for path in files if _is_table(path)]
    rules = [path for path in files if path not in tables]
    if len(tables) != 1:
        problem = "there is no table among the files" if not tables else f"{' and '.join(tables)} are all tables"
        raise Failure(problem, "name rule files and one table: evoter compare a.json b.json data.csv")
    if not rules:
        raise Failure("there is no rule file among the files", f"evoter compare rules.json {tables[0]}")
    return tables[0], rules


def _is_table(path: str) -> bool:
    if path == "-":
        return True
    suffix = Path(path).suffix.lower()
    if suffix in _TEXT_SUFFIXES and Path(path).is_file():
        with Path(path).open("rb") as file:
            return b"->" not in file.read(65_536)
    return suffix not in (*_TEXT_SUFFIXES, ".json")


def _plan(records: "Sequence[FitRecord]", source: "Source", target: str | None) -> "Plan":
    """Read the columns like the first fit that has a record."""
    from evoter.cli.fit.column_roles import plan_columns, recorded_choices

    name = target or next((record.target for record in records), None)
    if name is None:
        raise Failure("the column of correct labels is unknown", "name it with --target")
    record = next((record for record in records if record.target == name), None)
    return plan_columns(source, recorded_choices(record, name, source.names))


def _rows_compared(
    records: "Sequence[FitRecord]", plan: "Plan"
) -> "tuple[NDArray[np.int64] | None, NDArray[np.int64]]":
    """Return training and test rows of the recorded split if all records have the same, else None and all rows."""
    import numpy as np

    from evoter.cli.fit.split import split_rows

    everything = np.arange(len(plan.labels), dtype=np.int64)
    if not records or any(record.data_sha256 != plan.source.sha256 for record in records):
        return None, everything
    recorded = records[0].split
    if not recorded.test_rows or any(record.split.sha256 != recorded.sha256 for record in records):
        return None, everything
    split = split_rows(plan.labels, plan.identifiers, recorded.share, recorded.seed)
    return (split.train, split.test) if split.sha256 == recorded.sha256 else (None, everything)


def _rules_contestant(rules: "RuleFile", name: str, plan: "Plan", test: "NDArray[np.int64]") -> "Contestant":
    from evoter.analysis.rule_statistics import measure
    from evoter.cli.comparison.result import Contestant
    from evoter.cli.tables.rule_tables import fit_to_rules

    table = fit_to_rules(rules, plan.source)
    frame = table.frame[[plan.rows[row] for row in test.tolist()]]
    return Contestant(name, size(rules.ruleset), measure(rules.ruleset, frame).predictions.tolist())


def _show(streams: Streams, comparison: "Comparison", n_shown: int) -> None:
    from evoter.analysis.formatting import counted

    console, plan = streams.console(), comparison.plan
    seen = "rows held out when the rules were fitted" if comparison.unseen else "rows"
    heading(console, f"{plan.source.name}: {plan.target} on {len(comparison.rows):,} {seen}")
    console.print(_figures(comparison))
    if comparison.mostly_one_class:
        streams.remark("most rows have the same class: compare the balanced accuracy")
    if not comparison.unseen:
        streams.remark("if rules were trained on these rows, their accuracy is optimistic; models are cross-validated")
    if comparison.has_rare_classes and len(set(comparison.labels)) <= MAX_CLASSES:
        heading(console, "Class by class: rows found (and the share of such answers that is correct)")
        console.print(_classes(comparison))
    pairs = comparison.pairs()
    for pair in pairs:
        verdict = "not significant" if pair.p_holm > SIGNIFICANT else "significant"
        by = f"{100 * pair.difference:+.1f} points of balanced accuracy, " if comparison.mostly_one_class else ""
        streams.remark(
            f"only {pair.first} is correct for {counted(pair.only_first_right, 'row')}, only {pair.other} for "
            f"{pair.only_other_right:,}: {by}{verdict} (p = {pair.p_holm:.2g})"
        )
    if len(pairs) > 1:
        streams.remark(f"p-values are those of the {comparison.measure}, corrected for {len(pairs)} comparisons (Holm)")
    differing = comparison.differing
    if differing and n_shown:
        heading(console, f"Rows on which they differ: {min(n_shown, len(differing))} of {len(differing):,}")
        console.print(_answers(comparison, differing[:n_shown]))


def _figures(comparison: "Comparison") -> "RichTable":
    """Return the accuracy and size of each contestant, and its agreement with the first."""
    from rich.text import Text

    from evoter.analysis.formatting import percent
    from evoter.analysis.intervals import proportion_interval

    labels, first = comparison.labels, comparison.contestants[0]
    balanced = ["balanced accuracy"] if comparison.mostly_one_class else []
    heads = ("model", "accuracy", "95% interval", *balanced, "size", "agrees with the first")
    table = plain_table(*heads, right=(1, 2, 3, 5) if balanced else (1, 2, 4))
    best = max(each.n_right(labels) for each in comparison.contestants)
    for each in comparison.contestants:
        n_right = each.n_right(labels)
        low, high = proportion_interval(n_right, len(labels))
        table.add_row(
            Text(visible(each.name)),
            Text(percent(n_right / len(labels)), style="bold" if n_right == best else ""),
            f"{percent(low)} to {percent(high)}",
            *([percent(each.balanced_accuracy(labels))] if balanced else []),
            each.size,
            "" if each is first else percent(each.agreement(first)),
        )
    return table


def _classes(comparison: "Comparison") -> "RichTable":
    """Return how much of each class each contestant finds, and how often it is correct when it says so."""
    from rich.text import Text

    from evoter.analysis.formatting import percent

    names = [each.name for each in comparison.contestants]
    table = plain_table("class", "rows", *names, right=tuple(range(1, len(names) + 2)))
    for each in comparison.recalls():
        cells = [
            f"{found:,} ({percent(found / answered, 0) if answered else '-'})"
            for found, answered in zip(each.n_found, each.n_answered, strict=True)
        ]
        table.add_row(Text(visible(each.label)), f"{each.n_rows:,}", *cells)
    return table


def _answers(comparison: "Comparison", indices: Sequence[int]) -> "RichTable":
    """Return the answers of each contestant for some of the compared rows, correct ones in green."""
    from rich.text import Text

    names = [each.name for each in comparison.contestants]
    table, labels = plain_table("row", comparison.plan.target, *names, right=(0,)), comparison.labels
    for index in indices:
        answers = [each.answers[index] for each in comparison.contestants]
        cells = [Text(visible(answer), style="green" if answer == labels[index] else "red") for answer in answers]
        table.add_row(f"{comparison.number(index)}", Text(visible(labels[index]), style="bold"), *cells)
    return table
