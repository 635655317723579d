"""`evoter compare`: rule files beside each other and beside ordinary models, on the same rows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evoter.cli.failure import Failure
from evoter.cli.options import Encoding, Json, Missing, NoHeader, Quiet, Seed, Sheet, Target
from evoter.cli.streams import Streams

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from evoter.cli.fit_columns import Plan
    from evoter.cli.rule_files import RuleFile

NONE = "none"
_TEXT_SUFFIXES = (".txt", ".rules", "")


@dataclass(frozen=True, slots=True)
class Contestant:
    """A rule file or a model: its name, its size in words, and its answers on the rows compared."""

    name: str
    size: str
    answers: list[str]

    def n_right(self, labels: Sequence[str]) -> int:
        """Return how many answers are right."""
        return sum(answer == label for answer, label in zip(self.answers, labels, strict=True))

    def found_on_average(self, labels: Sequence[str]) -> float:
        """Return the share of the rows of a class that are found, on average over the classes: balanced accuracy."""
        totals = Counter(labels)
        right = Counter(label for answer, label in zip(self.answers, labels, strict=True) if answer == label)
        return sum(right[label] / total for label, total in totals.items()) / len(totals)

    def agreement(self, other: "Contestant") -> float:
        """Return the share of rows on which two give the same answer."""
        same = sum(a == b for a, b in zip(self.answers, other.answers, strict=True))
        return same / len(self.answers)


def compare(
    files: Annotated[list[str], typer.Argument(metavar="RULES... TABLE", help="Rule files and one table.")],
    model: Annotated[
        list[str] | None,
        typer.Option("--model", metavar="NAME", help="A fresh tree, logistic, forest or majority; none for none."),
    ] = None,
    target: Target = None,
    rows: Annotated[int, typer.Option("--rows", min=0, help="Show so many rows on which they differ.")] = 10,
    seed: Seed = 0,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Compare rule files with each other and with ordinary models: accuracy, size, agreement, rows that differ.

    On the table that rules were fitted on, only the rows set aside then are compared, and fresh models learn from the
    others. On any other table all rows are compared, and fresh models are cross-validated.
    """
    from evoter.cli.compare_models import MAJORITY, MODELS, check_models, predict_with
    from evoter.cli.rule_files import load_rules
    from evoter.cli.rule_tables import fit_to_rules, reading_options, require_columns
    from evoter.cli.table_reading import read_source

    streams = Streams(json_, quiet)
    table, rule_paths = divide_files(files)
    loaded = [load_rules(path) for path in rule_paths]
    wanted = list(model) if model else ([] if len(loaded) > 1 else list(MODELS))
    wanted = [name for name in wanted if name != NONE]
    check_models(wanted)
    options = reading_options(loaded[0], missing=missing, no_header=no_header, sheet=sheet, encoding=encoding)
    source = read_source(table, options)
    for each in loaded:
        require_columns(fit_to_rules(each, source))
    plan = _plan(loaded, source, target)
    train, test = _rows_compared(loaded, plan)
    labels = [plan.labels[row] for row in test]
    names = told_apart([each.name for each in loaded], rule_paths)
    contestants = [_rules_contestant(each, name, plan, test) for each, name in zip(loaded, names, strict=True)]
    for name in wanted:
        answers, words = predict_with(name, plan, train, test, seed)
        contestants.append(Contestant(name, words, answers))
    judged = [contestant for contestant in contestants if contestant.name != MAJORITY]  # it differs wherever it can
    differing = [place for place in range(len(labels)) if len({each.answers[place] for each in judged}) > 1]
    if json_:
        streams.write_json(_described(contestants, plan, test.tolist(), labels, differing, train is not None))
        return
    _show(streams, contestants, plan, labels, test.tolist(), differing, rows, tested=train is not None)


def told_apart(names: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return what to call files: their names, and where these are equal their whole paths.

    >>> told_apart(["m.json", "m.json", "n.json"], ["a/m.json", "b/m.json", "n.json"])
    ['a/m.json', 'b/m.json', 'n.json']
    """
    return [path if names.count(name) > 1 else name for name, path in zip(names, paths, strict=True)]


def divide_files(files: Sequence[str]) -> tuple[str, list[str]]:
    """Return the one table among the files, and the rule files."""
    tables = [path for path in files if _is_table(path)]
    rules = [path for path in files if path not in tables]
    if len(tables) != 1:
        said = "there is no table" if not tables else f"{' and '.join(tables)} are both tables"
        raise Failure(f"{said} among the files", "name rule files and one table: evoter compare a.json b.json data.csv")
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


def _plan(loaded: "Sequence[RuleFile]", source: Any, target: str | None) -> "Plan":
    """Read the columns as the fit of the first rule file that has a record did."""
    from evoter.cli.fit_columns import plan_columns, recorded_choices

    name = target or next((each.target for each in loaded if each.target), None)
    if name is None:
        raise Failure("which column says what is right?", "name it with --target")
    record = next((each.record for each in loaded if each.record and each.target == name), {})
    return plan_columns(source, recorded_choices(record, name, source.names))


def _rows_compared(loaded: "Sequence[RuleFile]", plan: "Plan") -> "tuple[NDArray[np.int64] | None, NDArray[np.int64]]":
    """Return training and test rows of the recorded split, if all records tell of the same; else no and all rows."""
    import numpy as np

    from evoter.cli.fit_split import split_rows

    everything = np.arange(len(plan.labels), dtype=np.int64)
    records = [each.record for each in loaded if each.record]
    if not records or any(record["data"]["sha256"] != plan.source.sha256 for record in records):
        return None, everything
    recorded = records[0]["split"]
    if not recorded["test_rows"] or any(record["split"]["sha256"] != recorded["sha256"] for record in records):
        return None, everything
    split = split_rows(plan.labels, plan.identifiers, float(recorded["test"]), int(recorded["seed"]))
    return (split.train, split.test) if split.sha256 == recorded["sha256"] else (None, everything)


def _rules_contestant(rules: "RuleFile", name: str, plan: "Plan", test: "NDArray[np.int64]") -> Contestant:
    from evoter.analysis.rule_statistics import measure
    from evoter.cli.headings import size
    from evoter.cli.rule_tables import fit_to_rules

    table = fit_to_rules(rules, plan.source)
    frame = table.frame[[plan.rows[row] for row in test.tolist()]]
    return Contestant(name, size(rules.ruleset), measure(rules.ruleset, frame).predictions.tolist())


def _pairs(contestants: Sequence[Contestant], labels: Sequence[str]) -> list[dict[str, Any]]:
    """Return, for the first against each other, how many rows only one gets right, and whether chance explains it."""
    from scipy.stats import binomtest

    first, described = contestants[0], []
    for other in contestants[1:]:
        triples = list(zip(first.answers, other.answers, labels, strict=True))
        n_first = sum(a == label != b for a, b, label in triples)
        n_other = sum(b == label != a for a, b, label in triples)
        p = float(binomtest(n_first, n_first + n_other).pvalue) if n_first + n_other else 1.0
        described.append({"first": first.name, "other": other.name, "only_first_right": n_first,
                          "only_other_right": n_other, "p_value": p, "agreement": first.agreement(other)})  # fmt: skip
    return described


def _described(
    contestants: Sequence[Contestant],
    plan: "Plan",
    test: Sequence[int],
    labels: Sequence[str],
    differing: Sequence[int],
    tested: bool,
) -> dict[str, object]:
    from evoter.analysis.proportions import proportion_interval

    n = len(labels)
    return {
        "table": plan.source.name,
        "target": plan.target,
        "rows": n,
        "only_unseen_rows": tested,
        "models": [
            {
                "name": each.name,
                "size": each.size,
                "accuracy": each.n_right(labels) / n,
                "balanced_accuracy": each.found_on_average(labels),
                "interval": list(proportion_interval(each.n_right(labels), n)),
                "agreement": {other.name: each.agreement(other) for other in contestants},
            }
            for each in contestants
        ],
        "pairs": _pairs(contestants, labels),
        "differing_rows": [
            {
                "row": plan.rows[test[place]] + 1,
                "label": labels[place],
                "answers": {each.name: each.answers[place] for each in contestants},
            }
            for place in differing
        ],
    }


def _show(
    streams: Streams,
    contestants: Sequence[Contestant],
    plan: "Plan",
    labels: Sequence[str],
    test: Sequence[int],
    differing: Sequence[int],
    n_shown: int,
    *,
    tested: bool,
) -> None:
    from rich.text import Text

    from evoter.analysis.counts import counted
    from evoter.analysis.percentages import percent
    from evoter.analysis.proportions import proportion_interval
    from evoter.cli.fit_verdict import MOSTLY_ONE_CLASS
    from evoter.cli.headings import heading, plain_table

    console, n = streams.console(), len(labels)
    seen = "rows set aside when the rules were fitted" if tested else "rows"
    heading(console, f"{plan.source.name}: {plan.target} on {n:,} {seen}")
    unequal = max(Counter(labels).values()) >= MOSTLY_ONE_CLASS * n
    balanced = ["found of each class"] if unequal else []
    heads = ("model", "right on", "95% interval", *balanced, "size", "agrees with the first")
    table = plain_table(*heads, right=(1, 2, 3, 5) if unequal else (1, 2, 4))
    best = max(each.n_right(labels) for each in contestants)
    for each in contestants:
        n_right = each.n_right(labels)
        low, high = proportion_interval(n_right, n)
        style = "bold" if n_right == best else ""
        table.add_row(
            Text(each.name),
            Text(percent(n_right / n), style=style),
            f"{percent(low)} to {percent(high)}",
            *([percent(each.found_on_average(labels))] if unequal else []),
            each.size,
            percent(each.agreement(contestants[0])) if each is not contestants[0] else "",
        )
    console.print(table)
    if unequal:
        streams.remark("one answer is right on most rows: judge by what is found of each class, on average")
    if not tested:
        streams.remark(
            "if rules were learnt from these rows, their figures flatter them; fresh models are cross-validated"
        )
    for pair in _pairs(contestants, labels):
        verdict = "chance explains it" if pair["p_value"] > 0.05 else "more than chance"
        streams.remark(
            f"only {pair['first']} is right on {counted(pair['only_first_right'], 'row')}, only {pair['other']} on "
            f"{pair['only_other_right']:,}: {verdict} (p = {pair['p_value']:.2g})"
        )
    if differing and n_shown:
        heading(console, f"Rows on which they differ: {min(n_shown, len(differing))} of {len(differing):,}")
        rows = plain_table("row", plan.target, *(each.name for each in contestants), right=(0,))
        for place in differing[:n_shown]:
            cells = [
                Text(each.answers[place], style="green" if each.answers[place] == labels[place] else "red")
                for each in contestants
            ]
            rows.add_row(f"{plan.rows[test[place]] + 1}", Text(labels[place], style="bold"), *cells)
        console.print(rows)
