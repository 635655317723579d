"""A run starts from the rule sets it is given, read by name, and is never worse than any of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.evolution.engine import Evolution
from evoter.evolution.stopping import Generations
from evoter.evolution.warm_start import read_warm_start
from evoter.genome.codec import decode
from evoter.kernels.threads import Threads
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.deciding import decide_columns
from evoter.rules.errors import RuleError
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from long_run import summary
from strategies import rulesets
from tasks import MIXED, PLAIN, SMALL, mixed_problem, plain_problem

GOOD = parse(
    """
    1. z > 0.2 AND x <= 0.4 -> no
    2. x > 0.55 -> yes
    3. Default -> no

    where
      z: numeric
      x: numeric
      actions: yes | no
    """
)


def accuracy(ruleset: RuleSet, problem: ClassificationProblem) -> float:
    decisions = decide_columns(ruleset.replace(schema=problem.schema), problem.columns)
    return float((decisions.actions == problem.classes).mean())


def test_a_persons_rules_are_in_generation_0() -> None:
    problem = plain_problem(0)
    evolution = Evolution(problem, SMALL, warm_start=[GOOD])
    evolution.step()
    first = decode(evolution.population, 0, problem.schema, problem.mode)
    assert first.rules == GOOD.rules
    assert first.default == GOOD.default
    assert evolution.evaluation.scores[0, 0] == accuracy(GOOD, problem)


@pytest.mark.parametrize("seed", range(5))
def test_the_result_is_never_worse(seed: int) -> None:
    problem = plain_problem(0)
    evolution = Evolution(
        problem, SMALL.replace(parsimony=0.0, population_size=6, n_elites=1), seed=seed, warm_start=[GOOD]
    )
    assert evolution.run(Generations(10)).score >= accuracy(GOOD, problem)
    assert evolution.history["best"][0] >= accuracy(GOOD, problem)


def test_an_earlier_result_can_be_gone_on_from() -> None:
    problem = mixed_problem(3)
    earlier = Evolution(problem, SMALL.replace(parsimony=0.0), seed=1).run(Generations(30))
    restricted = earlier.best.restricted()
    assert len(restricted.schema.features) < len(problem.schema.features)
    later = Evolution(problem, SMALL.replace(parsimony=0.0), seed=2, warm_start=[restricted])
    assert later.run(Generations(0)).score >= earlier.score


@examples(60)
@given(st.lists(rulesets(MIXED, max_rules=6), min_size=1, max_size=4))
def test_any_rule_sets_are_read_by_name(originals: list[RuleSet]) -> None:
    """Features and categories may stand in another order, and features that no rule reads may be absent."""
    shuffled = []
    for original in originals:
        features = [
            Feature(f.name, f.kind, f.low, f.high, f.categories[::-1], f.unit, f.scaled, f.missing)
            for f in reversed(MIXED.features)
            if f.name in original.features_used
        ]
        schema = Schema(features, MIXED.actions[::-1])
        shuffled.append(original.replace(schema=schema, mode=Mode.FIRST))
    problem = mixed_problem(1)
    read = read_warm_start(shuffled, problem, SMALL)
    assert [ruleset.schema for ruleset in read] == [problem.schema] * len(originals)
    evolution = Evolution(problem, SMALL, warm_start=shuffled)
    children = evolution.ask()
    for i, original in enumerate(originals):
        found = decode(children, i, problem.schema, problem.mode)
        distinct = dict.fromkeys((rule.conditions, rule.action, rule.certainty) for rule in original.rules)
        assert [(rule.conditions, rule.action, rule.certainty) for rule in found.rules] == list(distinct)
        assert (found.default, found.default_certainty) == (original.default, original.default_certainty)


def test_threads_do_not_matter() -> None:
    def outcome(n_threads: int) -> dict[str, object]:
        threads = Threads(n_threads)
        chosen = SMALL.replace(population_size=400)
        evolution = Evolution(
            plain_problem(0), chosen, seed=3, threads=threads, warm_start=[GOOD, GOOD.replace(rules=())]
        )
        evolution.run(Generations(3))
        threads.close()
        return summary(evolution)

    assert outcome(1) == outcome(3)


def comparison(**schema: object) -> RuleSet:
    features = [Feature("a", low=0, high=1, **schema), Feature("b", low=-5, high=5, **schema)]  # type: ignore[arg-type]
    return RuleSet([Rule([Condition(Term("a"), "<", Term("b"))], "yes")], "no", Schema(features, MIXED.actions))


def about(feature: Feature, operator: str, right: object, action: str = "yes") -> RuleSet:
    condition = Condition(Term(feature.name), operator, right)  # type: ignore[arg-type]
    return RuleSet([Rule([condition], action)], action, Schema([feature], [action]))


REFUSED = {
    "feature": (about(Feature("q"), "<", 1.0), "rule 1: unknown feature 'q'"),
    "similar feature": (about(Feature("color"), "<", 1.0), "rule 1: unknown feature 'color'; did you mean 'colour'"),
    "category": (
        about(Feature("colour", Kind.CATEGORICAL, categories=("pink",)), "=", "pink"),
        "rule 1: 'colour' has no category 'pink'; known: 'red', 'green', 'blue'",
    ),
    "kind": (about(Feature("colour"), "<", 1.0), "rule 1: 'colour' is categorical"),
    "action": (
        about(Feature("a"), "<", 1.0, "maybe"),
        "the default: unknown action 'maybe'; known: 'no', 'yes', 'perhaps'",
    ),
    "mode": (
        about(Feature("a"), "<", 1.0).replace(mode=Mode.VOTE),
        r"decides by vote, this problem by first: choose that mode here, or write ruleset.replace\(mode='first'\)",
    ),
    "scale": (
        comparison(),
        "rule 1 compares 'a' raw, this problem compares it scaled to its range, which is not the same",
    ),
    "rules": (
        RuleSet([Rule([Condition(Term("a"), "<", n / 10)], "yes") for n in range(7)], "no", MIXED),
        "has 7 rules of up to 1 conditions; the settings allow max_rules 6 of max_conditions 4: raise them or simplify",
    ),
    "conditions": (
        RuleSet([Rule([Condition(Term("a"), "<", n / 10) for n in range(5)], "yes")], "no", MIXED),
        "has 1 rules of up to 5 conditions; the settings allow max_rules 6 of max_conditions 4",
    ),
}


@pytest.mark.parametrize(("ruleset", "message"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_refused_by_name(ruleset: RuleSet, message: str) -> None:
    fitting = RuleSet([], "no", MIXED)
    with pytest.raises(RuleError, match=f"warm-start rule set 1:? {message}"):
        Evolution(mixed_problem(1), SMALL, warm_start=[fitting, ruleset])


def test_comparisons_on_the_same_scale_are_welcome() -> None:
    problem = mixed_problem(1)
    assert read_warm_start([comparison(scaled=True)], problem, SMALL)[0].schema == problem.schema


def test_text_is_refused_with_a_hint() -> None:
    with pytest.raises(
        TypeError, match=r"warm-start rule set 0 must be a RuleSet, not str: read text with evoter.parse"
    ):
        Evolution(plain_problem(0), SMALL, warm_start=[str(GOOD)])  # type: ignore[list-item]


def test_more_rule_sets_than_individuals_are_refused() -> None:
    with pytest.raises(RuleError, match="41 rule sets to start from are more than the population_size 40: pass fewer"):
        Evolution(plain_problem(0), SMALL, warm_start=[GOOD] * 41)
    Evolution(plain_problem(0), SMALL, warm_start=[GOOD] * 40).run(Generations(3))


def test_rule_sets_without_rules_are_welcome() -> None:
    empty = RuleSet([], "yes", PLAIN)
    evolution = Evolution(plain_problem(0), SMALL, warm_start=[empty])
    evolution.step()
    assert evolution.population.n_rules[0] == 0
    assert np.isclose(evolution.evaluation.scores[0, 0], plain_problem(0).classes.mean())
