"""`evoter check`: whether a table matches a rule file, and whether the rules are still accurate on it."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.options import Encoding, Json, Missing, NoHeader, Quiet, Rules, Sheet, Table, Target
from evoter.cli.output import ERROR, GOOD, NOTE, WARNING, ExitCode, Failure, Finding, Streams, show_findings

if TYPE_CHECKING:
    from evoter.analysis.number_statistics import NumberStatistics
    from evoter.analysis.rule_statistics import RuleStatistics
    from evoter.cli.rule_files import RuleFile
    from evoter.cli.tables.rule_tables import RuleTable


def check(
    rules: Rules,
    table: Table,
    target: Target = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    min_accuracy: Annotated[
        float | None,
        typer.Option(
            "--min-accuracy", metavar="SHARE", help="Fail below this accuracy, such as 0.9.", min=0.0, max=1.0
        ),
    ] = None,
    min_r2: Annotated[
        float | None,
        typer.Option("--min-r2", metavar="SCORE", help="Fail below this R2, for rules that predict numbers.", max=1.0),
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Check rules against a table; the exit code is 1 if the check fails.

    Missing columns, columns of another kind, an accuracy below the minimum, and rules that break a guardrail of their
    fit are errors. Unknown categories, values out of range, rules that never hold, and files of another fit beside the
    rules are warnings.
    """
    from evoter.analysis.rule_statistics import measure
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.files import ReadingOptions
    from evoter.cli.tables.rule_tables import labels_of, read_for_rules, rows_learnt_from

    streams = Streams(json_, quiet)
    loaded = load_rules(rules)
    options = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
    found = read_for_rules(loaded, table, options)
    findings = [*_about_files(rules), *_about_guardrails(rules, loaded), *_about_columns(loaded, found)]
    findings += _about_rules(loaded)
    statistics = None
    is_numeric = loaded.ruleset.schema.target is not None
    given, other = ("--min-accuracy", "--min-r2") if is_numeric else ("--min-r2", "--min-accuracy")
    if (min_accuracy if is_numeric else min_r2) is not None:
        what = "numbers" if is_numeric else "classes"
        raise Failure(f"{given} has no effect: {loaded.name} predicts {what}", f"use {other}")
    if is_numeric and not found.absent:
        findings += _about_numbers(loaded, found, target, min_r2)
    elif not found.absent:
        labelled = labels_of(loaded, found, target)
        rows = slice(None) if labelled is None else labelled[0]
        statistics = measure(loaded.ruleset, found.frame[rows], None if labelled is None else labelled[1])
        findings += [*_about_use(statistics), *_about_accuracy(statistics, min_accuracy)]
        if learnt_from := rows_learnt_from(loaded, found.source):
            findings.append(Finding(NOTE, "rows", f"{learnt_from}, so the accuracy is optimistic"))
    failed = any(each.level == ERROR or (strict and each.level == WARNING) for each in findings)
    if json_:
        accuracy = None if statistics is None else statistics.accuracy
        described = {"passed": not failed, "rows": found.n_rows, "accuracy": accuracy}
        streams.write_json(described | {"findings": [asdict(each) for each in findings]})
    else:
        title = f"{loaded.name} on {found.source.name}"
        show_findings(streams, findings, title, "check failed" if failed else "check passed", failed=failed)
    if failed:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _about_numbers(rules: "RuleFile", table: "RuleTable", target: str | None, least: float | None) -> Iterator[Finding]:
    """Yield which rules hold, and how far off the numbers are, if the true ones are known."""
    from evoter.analysis.number_statistics import measure_numbers
    from evoter.cli.tables.rule_tables import numbers_of, rows_learnt_from

    known = numbers_of(rules, table, target)
    frame = table.frame if known is None else table.frame[known[0]]
    statistics = measure_numbers(rules.ruleset, frame, None if known is None else known[1])
    yield from _about_use(statistics)
    if statistics.figures is None:
        level = NOTE if least is None else ERROR
        yield Finding(level, "R2", "not measured: name the column of true numbers, if there is one, with --target")
        return
    failed = least is not None and statistics.figures.r2 < least
    said = f"{statistics.sentence()}; the minimum is {least:g}" if failed else statistics.sentence()
    yield Finding(ERROR if failed else GOOD, "numbers", said)
    if learnt_from := rows_learnt_from(rules, table.source):
        yield Finding(NOTE, "rows", f"{learnt_from}, so the figures are optimistic")


def _about_files(rules: str) -> Iterator[Finding]:
    """Yield whether the files beside the rules are all of the same fit."""
    from evoter.cli.fit.manifest import find_files

    files = None if rules == "-" else find_files(Path(rules).expanduser())
    if files is None:
        return
    for name in files.others:
        yield Finding(WARNING, name, f"is not as {files.record} describes it: of another fit, or changed since")
    if not files.others:
        yield Finding(GOOD, "files", f"the {len(files.fitting)} beside {files.record} are as it describes them")


def _about_guardrails(rules: str, loaded: "RuleFile") -> Iterator[Finding]:
    """Yield whether the rules keep the guardrails of their fit, which an edit may have broken."""
    from evoter.cli.fit_records import recorded_guardrails

    rails = None if rules == "-" else recorded_guardrails(Path(rules).expanduser(), loaded.ruleset)
    if not rails:
        return
    broken = rails.violations(loaded.ruleset)
    for each in broken:
        yield Finding(ERROR, "guardrails", str(each))
    if not broken:
        kept = "; ".join(rails.sentences())
        yield Finding(GOOD, "guardrails", f"kept on every input, by the rules alone: {kept}")


def _about_columns(rules: "RuleFile", table: "RuleTable") -> Iterator[Finding]:
    used = rules.ruleset.features_used
    bad = {misfit.column for misfit in table.misfits}
    if fitting := len(used) - len(bad):
        yield Finding(GOOD, "columns", f"{fitting} of the {len(used)} that the rules read are as expected")
    for misfit in table.misfits:
        yield Finding(ERROR if misfit.fatal else WARNING, misfit.column, misfit.message)


def _about_rules(rules: "RuleFile") -> Iterator[Finding]:
    """Yield what can be proved about the rules without the table."""
    from evoter.rules.simplify import simplify

    simple = simplify(rules.ruleset)
    saved = rules.ruleset.n_conditions - simple.n_conditions
    if saved > 0:
        share = f"{saved} of {rules.ruleset.n_conditions} conditions"
        text = f"{share} can be removed without changing any decision: evoter simplify"
        yield Finding(WARNING, "rules", text)


def _about_use(statistics: "RuleStatistics | NumberStatistics") -> Iterator[Finding]:
    idle = [rule for rule in statistics.rules[:-1] if rule.held == 0]
    for rule in idle:
        yield Finding(WARNING, f"rule {rule.number}", f"never holds on these rows: {rule.text}")
    if n_used := len(statistics.rules) - 1 - len(idle):
        yield Finding(
            GOOD, "rules", f"{n_used} of {len(statistics.rules) - 1} hold on some of the {statistics.n_rows:,} rows"
        )
    shadowed = [rule for rule in statistics.rules[:-1] if rule.held and not rule.decided]
    for rule in shadowed:
        yield Finding(WARNING, f"rule {rule.number}", f"holds on some of these rows but never decides: {rule.text}")


def _about_accuracy(statistics: "RuleStatistics", least: float | None) -> Iterator[Finding]:
    from evoter.analysis.formatting import percent

    if statistics.confusion is None or statistics.accuracy is None:
        if least is not None:
            yield Finding(ERROR, "accuracy", "is unknown: the table has no column of labels; name it with --target")
        else:
            yield Finding(
                NOTE, "accuracy", "not measured: name the column of correct labels, if there is one, with --target"
            )
        return
    actions = statistics.ruleset.schema.actions
    unknown = [label for label in statistics.confusion.labels if label not in actions]
    if unknown:
        yield Finding(WARNING, "labels", f"that are not actions of the rules: {', '.join(map(repr, unknown[:5]))}")
    low, high = statistics.confusion.interval
    text = (
        f"{percent(statistics.accuracy)} (95% interval {percent(low)} to {percent(high)}; most frequent "
        f"class: {percent(statistics.baseline)})"
    )
    if least is not None and statistics.accuracy < least:
        yield Finding(ERROR, "accuracy", f"{text} is below {percent(least)}")
    else:
        yield Finding(GOOD, "accuracy", text)
