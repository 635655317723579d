"""`evoter prove`: whether claims about rules hold on every input."""

from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.options import Json, Quiet, Rules, refuse_ignored
from evoter.cli.output import ExitCode, Failure, Streams
from evoter.cli.proofs.options import ProofOptions, Seconds, WithinRanges, described, proving

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evoter.proofs import ProofResult
    from evoter.rules.model import RuleSet

_STYLES = {"proved": "green", "refuted": "bold red", "unknown": "yellow"}


def prove(
    context: typer.Context,
    rules: Rules,
    never: Annotated[
        list[str] | None,
        typer.Option("--never", metavar="CLAIM", help="The action is never taken there: 'age < 18 -> opioid'."),
    ] = None,
    always: Annotated[
        list[str] | None,
        typer.Option("--always", metavar="CLAIM", help="The action is always taken there: 'age > 90 -> high'."),
    ] = None,
    monotone: Annotated[
        list[str] | None,
        typer.Option("--monotone", metavar="FEATURE", help="The decision never falls when this feature rises."),
    ] = None,
    decreasing: Annotated[
        list[str] | None,
        typer.Option("--decreasing", metavar="FEATURE", help="The decision never rises when this feature rises."),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            "--order",
            metavar="ACTIONS",
            help="The actions from the lowest to the highest, as in 'low < high'; without it, as the rules list them.",
        ),
    ] = None,
    reachable: Annotated[bool, typer.Option("--reachable", help="Every rule decides for some input.")] = False,
    covered: Annotated[bool, typer.Option("--covered", help="Some rule holds for every input.")] = False,
    disjoint: Annotated[
        bool, typer.Option("--disjoint", help="No two rules with different actions hold together.")
    ] = False,
    guardrails: Annotated[
        bool, typer.Option("--guardrails", help="The guardrails of the fit that wrote the rules are kept.")
    ] = False,
    within_ranges: WithinRanges = False,
    time: Seconds = 60.0,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Prove claims about rules, or find counterexamples; the exit code is 1 unless all claims are proved.

    Claims are about every input: all numbers, categories that the rules do not list, missing values. A counterexample
    is checked by deciding on it. What interval logic cannot decide needs the solver z3.
    """
    from evoter.cli.rule_files import load_rules
    from evoter.rules.printing.pieces import visible

    streams = Streams(json_, quiet)
    ruleset = load_rules(rules).ruleset
    if not monotone and not decreasing:
        refuse_ignored(context, ("order",), "without --monotone or --decreasing", "name a feature: --monotone age")
    options = ProofOptions(within_ranges=within_ranges, max_seconds=time, progress=streams.remark)
    results: list[ProofResult] = []
    with proving():
        results += [_statement(ruleset, text, True, options) for text in never or ()]
        results += [_statement(ruleset, text, False, options) for text in always or ()]
        results += _about_features(ruleset, monotone or (), decreasing or (), order, options)
        results += _about_rules(ruleset, reachable, covered, disjoint, options)
        results += _about_guardrails(ruleset, rules, options) if guardrails else ()
    if not results:
        raise Failure("nothing to prove", "name a claim, such as --never 'age < 18 -> opioid'; evoter prove --help")
    failed = not all(results)
    if json_:
        streams.write_json({"proved": not failed, "claims": [described(result) for result in results]})
    else:
        from rich.text import Text

        for result in results:
            line = Text(result.status, style=_STYLES[result.status])
            streams.show(line.append(visible(str(result).removeprefix(result.status)), style="default"))
            streams.remark(*(f"  why: {command}" for command in _explaining(result, rules)))
    if failed:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _explaining(result: "ProofResult", rules: str) -> "Iterator[str]":
    """Yield commands that explain the decisions at a counterexample, if it is one row or two."""
    import shlex

    from evoter.proofs.result import value_text

    for point in (result.counterexample, result.compared_with):
        if point and not any(isinstance(value, tuple) for value in point.values()):
            given = [f"{name}={'' if value is None else value_text(value)}" for name, value in point.items()]
            yield shlex.join(["evoter", "explain", rules, *given])


def _about_guardrails(ruleset: "RuleSet", rules: str, options: ProofOptions) -> "list[ProofResult]":
    from pathlib import Path

    from evoter.cli.fit_records import recorded_guardrails
    from evoter.proofs import prove_guardrails

    rails = None if rules == "-" else recorded_guardrails(Path(rules).expanduser(), ruleset)
    if not rails:
        raise Failure(
            "no guardrails of a fit are recorded beside these rules", "evoter fit --forbid and --pin set them"
        )
    return prove_guardrails(ruleset, rails, **options)


def _statement(ruleset: "RuleSet", text: str, is_never: bool, options: ProofOptions) -> "ProofResult":
    """Settle a claim such as `age < 18 -> opioid`, in which `never` may stand once more."""
    from evoter.proofs import implies, never
    from evoter.proofs.statements import read_statement

    conditions, action, says_never = read_statement(text, ruleset)
    if says_never and not is_never:
        raise Failure(f"--always {text!r} says never", f"write --never {text!r}")
    ask = never if is_never else implies
    return ask(ruleset, conditions, action, **options)


def _about_features(
    ruleset: "RuleSet", rising: "Iterable[str]", falling: "Iterable[str]", order: str | None, options: ProofOptions
) -> "Iterator[ProofResult]":
    from evoter.proofs import monotone

    ranks = None if order is None else [name.strip() for name in order.split("<")]
    for name in rising:
        yield monotone(ruleset, name, order=ranks, **options)
    for name in falling:
        yield monotone(ruleset, name, order=ranks, direction="decreasing", **options)


def _about_rules(
    ruleset: "RuleSet", reachable: bool, is_covered: bool, disjoint: bool, options: ProofOptions
) -> "Iterator[ProofResult]":
    from dataclasses import replace

    from evoter.proofs import ProofResult, Status, covered, gaps_and_overlaps, unreachable_rules

    if reachable:
        for number, result in enumerate(unreachable_rules(ruleset, **options), start=1):
            # That a rule never decides is refuted by a point at which it does, which proves the claim made here.
            turned = {Status.PROVED: Status.REFUTED, Status.REFUTED: Status.PROVED, Status.UNKNOWN: Status.UNKNOWN}
            reason = result.reason or ("it decides nowhere" if result.proved else "")
            claim = f"rule {number} decides for some input"
            yield replace(result, claim=claim, status=turned[result.status], counterexample=None, reason=reason)
    if is_covered:
        yield covered(ruleset, **options)
    if disjoint:
        overlaps = list(gaps_and_overlaps(ruleset, **options).overlaps.values())
        claim = "no two rules with different actions hold together"
        yield from overlaps or [ProofResult(claim, Status.PROVED)]
