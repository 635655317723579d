"""`evoter simplify`: the same decisions with fewer rules and conditions."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.options import Encoding, Json, Missing, NoHeader, OptionalTable, Output, Quiet, Rules, Sheet
from evoter.cli.output import Failure, Streams, size, writable

if TYPE_CHECKING:
    from pathlib import Path

    from evoter.rules.model import RuleSet


def simplify(
    rules: Rules,
    table: OptionalTable = None,
    output: Output = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Also drop rules that never decide on the rows of the table.")
    ] = False,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Simplify rules without changing a decision anywhere in the ranges that they declare.

    With a table, the decisions before and after are compared on its rows. --prune goes further: decisions on other
    rows may then change.
    """
    from evoter.analysis.rule_statistics import measure
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.rule_tables import read_for_rules, reading_options, require_columns
    from evoter.rules.json_codec import dumps
    from evoter.rules.simplify import prune_inactive
    from evoter.rules.simplify import simplify as simplified

    streams = Streams(json_, quiet)
    place = None if output is None else writable(output)
    loaded = load_rules(rules)
    before = loaded.ruleset
    if prune and table is None:
        raise Failure(
            "--prune needs a table on which rules may prove useful", f"evoter simplify {rules} data.csv --prune"
        )
    after = simplified(before)
    same: dict[str, object] = {}
    if table is not None:
        options = reading_options(loaded, missing=missing, no_header=no_header, sheet=sheet, encoding=encoding)
        found = read_for_rules(loaded, table, options)
        require_columns(found)
        if prune:
            decided = [rule.decided for rule in measure(after, found.frame).rules[:-1]]
            after = simplified(prune_inactive(after, decided))
        decisions = [measure(each, found.frame).predictions for each in (before, after)]
        n_same = int((decisions[0] == decisions[1]).sum())
        same = {"rows": found.n_rows, "same_decision": n_same}
        streams.remark(f"the same decision on {n_same:,} of {found.n_rows:,} rows of {found.source.name}")
    streams.remark(f"{size(before)}  ->  {size(after)}")
    if place is not None:
        write_rules(after, place)
        streams.remark(f"wrote {output}")
    if json_:
        import json

        described = {
            "before": _described(before),
            "after": _described(after),
            **same,
            "rules": json.loads(dumps(after)),
        }
        streams.write_json(described)
    elif place is None and sys.stdout.isatty():
        streams.show(after)
    elif place is None:
        streams.write(str(after))


def write_rules(ruleset: "RuleSet", path: "Path") -> None:
    """Write rules to a file, as text where the name does not end in .json."""
    from evoter.rules.files.document import write_file
    from evoter.rules.json_codec import dumps

    write_file(path, f"{dumps(ruleset) if path.suffix == '.json' else ruleset}\n")


def _described(ruleset: "RuleSet") -> dict[str, int]:
    return {"rules": len(ruleset.rules), "conditions": ruleset.n_conditions, "features": len(ruleset.features_used)}
