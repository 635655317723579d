"""Rule sets to start from, read into the terms of the problem at hand."""

from collections.abc import Sequence

from evoter.evolution.problem import Guarded, Problem
from evoter.evolution.settings import Settings
from evoter.rules.errors import RuleError
from evoter.rules.forms.registry import form_of
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema


def read_warm_start(rulesets: Sequence[RuleSet], problem: Problem, settings: Settings) -> tuple[RuleSet, ...]:
    """Return rule sets over the problem's schema; refuse those that would mean something else there, or do not fit.

    Features, categories and actions are found by name, so a rule set may list fewer of them and in another order.
    Where two features are compared on the scale of their ranges, the problem's ranges count.
    """
    if len(rulesets) > settings.population_size:
        raise RuleError(
            f"{len(rulesets)} rule sets to start from are more than the population_size {settings.population_size}: "
            f"pass fewer or raise it"
        )
    return tuple(_read(f"warm-start rule set {n}", ruleset, problem, settings) for n, ruleset in enumerate(rulesets))


def _read(what: str, ruleset: RuleSet, problem: Problem, settings: Settings) -> RuleSet:
    if not isinstance(ruleset, RuleSet):
        raise TypeError(f"{what} must be a RuleSet, not {type(ruleset).__name__}: read text with evoter.parse")
    if ruleset.mode is not problem.mode:
        raise RuleError(
            f"{what} decides by {ruleset.mode}, this problem by {problem.mode}: choose that mode here, or write "
            f"ruleset.replace(mode={str(problem.mode)!r}) if the rules are meant so"
        )
    longest = max((len(rule.conditions) for rule in ruleset.rules), default=0)
    if len(ruleset.rules) > settings.max_rules or longest > settings.max_conditions:
        raise RuleError(
            f"{what} has {len(ruleset.rules)} rules of up to {longest} conditions; the settings allow max_rules "
            f"{settings.max_rules} of max_conditions {settings.max_conditions}: raise them or simplify it"
        )
    try:
        read = ruleset.replace(schema=problem.schema)
    except RuleError as error:
        raise RuleError(f"{what}: {error}") from None
    for number, rule in enumerate(read.rules, start=1):
        for condition in rule.conditions:
            if form_of(condition).scales:
                for term in condition.terms:
                    _check_scale(f"{what}: rule {number}", term.feature, ruleset.schema, problem.schema)
        if isinstance(problem, Guarded):
            for _, reason in problem.guardrails.breaches(rule):
                raise RuleError(f"{what}: rule {number} {reason}; change the rule or the guardrail")
    return read


def _check_scale(where: str, name: str, theirs: Schema, ours: Schema) -> None:
    if theirs.feature(name).scaled is not ours.feature(name).scaled:
        forms = {True: "scaled to its range", False: "raw"}
        raise RuleError(
            f"{where} compares {name!r} {forms[theirs.feature(name).scaled]}, this problem compares it "
            f"{forms[ours.feature(name).scaled]}, which is not the same: compare it with a constant instead"
        )
