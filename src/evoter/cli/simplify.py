"""`evoter simplify`: the same decisions with fewer rules and conditions."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.options import (
    READING_OPTIONS,
    Encoding,
    Json,
    Missing,
    NoHeader,
    OptionalTable,
    Output,
    Quiet,
    Rules,
    Sheet,
    refuse_ignored,
)
from evoter.cli.output import Failure, Streams, size, writable

if TYPE_CHECKING:
    from evoter.rules.guardrails.guardrails import Guardrails
    from evoter.rules.model import RuleSet


def simplify(
    context: typer.Context,
    rules: Rules,
    table: OptionalTable = None,
    output: Output = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Also remove rules that never decide on the rows of the table.")
    ] = False,
    shorten: Annotated[
        bool,
        typer.Option("--shorten", help="Also shorten numbers as far as no decision on the rows of the table changes."),
    ] = False,
    prove: Annotated[
        bool,
        typer.Option(
            "--prove",
            help="Also remove rules and conditions that together with others make no difference, with proof: slower, "
            "and needs the solver z3.",
        ),
    ] = False,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Simplify rules without changing any decision within the ranges that they declare.

    Numbers become as short as the steps of the features allow. With a table, the decisions before and after are
    compared on its rows. --prune and --shorten go further and may change the decisions on other rows. The guardrails
    of the fit, if it had any, stay in force also beyond the ranges.
    """
    from evoter.analysis.rule_statistics import measure
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.files import ReadingOptions
    from evoter.cli.tables.rule_tables import read_for_rules, require_columns
    from evoter.rules.json_codec import dumps
    from evoter.rules.shorten import Guarantee
    from evoter.rules.shorten import shorten as shortened
    from evoter.rules.simplify import prune_inactive
    from evoter.tables import rows

    streams = Streams(json_, quiet)
    path = None if output is None else writable(output)
    loaded = load_rules(rules)
    before = loaded.ruleset
    if table is None:
        hint = f"name a table: evoter simplify {rules} data.csv"
        refuse_ignored(context, ("prune", "shorten", *READING_OPTIONS), "without a table", hint)
    rails = _kept_guardrails(rules, before, streams)
    simplified = partial(_simplified, rails=rails)
    after = _with_proofs(before, streams) if prove else simplified(before)
    _check_kept(after, rails, "--prove")
    still_long = shortened(after).still_long
    same: dict[str, object] = {}
    if table is not None:
        options = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
        found = read_for_rules(loaded, table, options)
        require_columns(found)
        if prune:
            decided = [rule.decided for rule in measure(after, found.frame).rules[:-1]]
            after = simplified(prune_inactive(after, decided))
            still_long = shortened(after).still_long
        if shorten:
            read = before.schema.over([before.schema.feature(name) for name in before.features_used], 0)
            shorter = shortened(after, rows(found.frame, read))
            after, still_long = shorter.ruleset, shorter.still_long
            _check_kept(after, rails, "--shorten")
        decisions = [measure(each, found.frame).predictions for each in (before, after)]
        n_same = int((decisions[0] == decisions[1]).sum())
        same = {"rows": found.n_rows, "same_decision": n_same}
        streams.remark(f"same decision for {n_same:,} of {found.n_rows:,} rows of {found.source.name}")
    streams.remark(f"{size(before)}  ->  {size(after)}")
    if before.records and not after.records:
        streams.remark("the figures from training are left out, because they are about the rules before")
    if prune or shorten:
        streams.remark("decisions are the same on these rows; on others they may differ")
    for sentence in still_long:
        streams.remark(f"kept all digits of {sentence}")
    if path is not None:
        write_rules(after, path)
        streams.remark(f"wrote {output}")
    if json_:
        import json

        described = {
            "before": _described(before),
            "after": _described(after),
            "guarantee": Guarantee.ON_THESE_ROWS if prune or shorten else Guarantee.EVERYWHERE,
            "still_long": list(still_long),
            **same,
            "rules": json.loads(dumps(after)),
        }
        streams.write_json(described)
    elif path is None and sys.stdout.isatty():
        streams.show(after)
    elif path is None:
        streams.write(str(after))


def _with_proofs(ruleset: "RuleSet", streams: Streams) -> "RuleSet":
    from evoter.cli.proofs.options import proving
    from evoter.proofs import simplify as simplified

    with proving():
        return simplified(ruleset, progress=streams.remark)
    raise AssertionError("proving ends with an error or not at all")


def _kept_guardrails(rules: str, ruleset: "RuleSet", streams: Streams) -> "Guardrails | None":
    """Return the guardrails that rules have from their fit and keep; None if there are none."""
    from evoter.cli.fit_records import recorded_guardrails

    rails = None if rules == "-" else recorded_guardrails(Path(rules).expanduser(), ruleset)
    if rails and rails.violations(ruleset):
        streams.remark(f"the rules break a guardrail of their fit already: evoter check {rules}")
        return None
    return rails


def _check_kept(ruleset: "RuleSet", rails: "Guardrails | None", remedy: str) -> None:
    broken = rails.violations(ruleset) if rails else ()
    if broken:
        raise Failure(f"the simpler rules would break a guardrail: {broken[0]}", f"leave out {remedy}")


def _simplified(ruleset: "RuleSet", rails: "Guardrails | None") -> "RuleSet":
    """Simplify rules as far as guardrails allow."""
    from evoter.rules.simplify import simplify as simplified

    if not rails:
        return simplified(ruleset)
    simple = rails.simplified(ruleset.replace(schema=rails.schema)).replace(schema=ruleset.schema)
    return ruleset if simple == ruleset else simple  # the same rules keep their track records


def write_rules(ruleset: "RuleSet", path: Path) -> None:
    """Write rules to a file, as JSON if its suffix is .json, else as text."""
    from evoter.rules.files.sources import rules_content
    from evoter.rules.files.writing import write_file

    write_file(path, rules_content(ruleset, path))


def _described(ruleset: "RuleSet") -> dict[str, int]:
    return {"rules": len(ruleset.rules), "conditions": ruleset.n_conditions, "features": len(ruleset.features_used)}
