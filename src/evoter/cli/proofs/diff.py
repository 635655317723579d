"""`evoter diff`: whether two rule files decide the same, and where they do not."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from evoter.cli.options import (
    READING_OPTIONS,
    Encoding,
    Json,
    Missing,
    NoHeader,
    OptionalTable,
    Quiet,
    Sheet,
    refuse_ignored,
)
from evoter.cli.output import ExitCode, Streams
from evoter.cli.proofs.options import Seconds, WithinRanges, described, proving

if TYPE_CHECKING:
    from evoter.cli.rule_files import RuleFile
    from evoter.proofs.regions import Difference

RuleFileName = Annotated[str, typer.Argument(metavar="RULES", help="A rule file, JSON or text.")]


def diff(
    context: typer.Context,
    a: RuleFileName,
    b: RuleFileName,
    table: OptionalTable = None,
    certainties: Annotated[
        bool, typer.Option("--certainties", help="Decisions with different certainties differ as well.")
    ] = False,
    regions: Annotated[
        int, typer.Option("--regions", metavar="N", min=1, help="Maximum number of regions to find.")
    ] = 20,
    within_ranges: WithinRanges = False,
    time: Seconds = 60.0,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Tell whether two rule files decide the same on every input, and where not; the exit code is 1 unless they do.

    Each region in which they differ is described by the rules that decide there, their conditions, and an example.
    With a table, the share of its rows in each region is shown.
    """
    from evoter.cli.rule_files import load_rules
    from evoter.cli.tables.files import ReadingOptions
    from evoter.proofs import differences

    streams = Streams(json_, quiet)
    if table is None:
        hint = f"name a table: evoter diff {a} {b} data.csv"
        refuse_ignored(context, READING_OPTIONS, "without a table", hint)
    one, other = load_rules(a), load_rules(b)
    shares = None
    with proving():
        found = differences(
            one.ruleset,
            other.ruleset,
            certainties=certainties,
            within_ranges=within_ranges,
            max_regions=regions,
            max_seconds=time,
            progress=streams.remark,
        )
    if table is not None:
        options = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
        shares = _rows(one, other, found, table, options)
    if json_:
        streams.write_json(_json(found, shares))
    else:
        _show(streams, found, shares)
    if not found.result.proved:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _rows(one: "RuleFile", other: "RuleFile", found: "Difference", table: str, options: Any) -> dict[str, Any]:
    """Count the rows of a table on which the decisions differ, in all and in each region."""
    import numpy as np

    from evoter.cli.tables.rule_tables import read_for_rules, require_columns
    from evoter.problems import decide_frame, deciding_rules

    deciding = []
    for rules in (one, other):
        read = read_for_rules(rules, table, options)
        require_columns(read)
        decisions = decide_frame(rules.ruleset, read.frame)
        deciding.append(deciding_rules(rules.ruleset, decisions.active, decisions.deciders))
    counts: dict[tuple[tuple[int, ...], ...], int] = {}
    patterns, n_rows = np.unique(np.hstack(deciding), axis=0, return_counts=True)
    n_first = deciding[0].shape[1]
    for pattern, n in zip(patterns, n_rows.tolist(), strict=True):
        # The last column is the default, which decides where no rule does.
        pair = tuple(tuple((np.flatnonzero(part[:-1]) + 1).tolist()) for part in np.split(pattern, [n_first]))
        counts[pair] = counts.get(pair, 0) + n
    n_differing = sum(n for pair, n in counts.items() if _actions(one, pair[0]) != _actions(other, pair[1]))
    in_regions = [counts.get((region.rules_a, region.rules_b), 0) for region in found.regions]
    return {"rows": sum(counts.values()), "differing": n_differing, "regions": in_regions}


def _actions(rules: "RuleFile", deciding: tuple[int, ...]) -> tuple[str, ...]:
    """Return the actions that certain rules, counted from 1, decide on."""
    from evoter.rules.modes import mode_of

    if not deciding:
        return (rules.ruleset.default,)
    actions = tuple(rules.ruleset.rules[number - 1].action for number in deciding)
    return actions if mode_of(rules.ruleset.mode).several_actions else actions[:1]


def _json(found: "Difference", shares: dict[str, Any] | None) -> dict[str, Any]:
    regions: list[dict[str, Any]] = [
        {
            "where": region.where,
            "rules_a": region.rules_a,
            "rules_b": region.rules_b,
            "actions_a": region.actions_a,
            "actions_b": region.actions_b,
            "example": region.example,
        }
        for region in found.regions
    ]
    for region, n_rows in zip(regions, shares["regions"] if shares else [], strict=False):
        region["rows"] = n_rows
    described_ = {"equivalent": found.result.proved, "result": described(found.result), "complete": found.complete}
    table = {} if shares is None else {"rows": shares["rows"], "differing": shares["differing"]}
    return {**described_, "reason": found.reason, "regions": regions, **table}


def _show(streams: Streams, found: "Difference", shares: dict[str, Any] | None) -> None:
    from evoter.analysis.formatting import counted, percent

    if not found.regions:
        streams.write(str(found.result))
    for number, region in enumerate(found.regions):
        inside = ""
        if shares is not None:
            n_rows = shares["regions"][number]
            inside = f" ({counted(n_rows, 'row')}, {percent(n_rows / max(1, shares['rows']))})"
        streams.write(f"{number + 1}. {region}{inside}")
    if found.regions:
        streams.write("the same decisions everywhere else" if found.complete else f"incomplete: {found.reason}")
    if shares is not None:
        differing, n_rows = shares["differing"], shares["rows"]
        streams.write(f"{differing:,} of {n_rows:,} rows of the table are decided differently")
