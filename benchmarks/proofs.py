"""How many CPU seconds proofs of equivalence take on random rule sets over ten features, and whether answers are right.

    python benchmarks/proofs.py                      30 and 100 rules, all modes
    python benchmarks/proofs.py --rules 30 --pairs 3 --modes first vote

Each rule set is compared with a variant that is equal by construction (conditions in another order, a rule repeated
behind itself) and with one in which the action of a rule is another. A counterexample is run through the interpreter,
and a proof is tried on random rows and on rows at the borders of conditions.
"""

import argparse
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from evoter.proofs import ProofResult, equivalent
from evoter.rules.interpreter import decide_now
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Sum, Term
from evoter.rules.schema import Feature, Schema
from evoter.rules.values import Row
from measure import CPU, Stopwatch

N_FEATURES = 10
KINDS = {"constants": 0.0, "and sums": 0.3, "and powers": 0.3}
"""What conditions are made of, and the share of those that read two features."""


def main() -> None:
    """Measure all cases and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", nargs="+", type=int, default=[30, 100])
    parser.add_argument("--modes", nargs="+", default=[mode.value for mode in Mode])
    parser.add_argument("--pairs", type=int, default=7, help="pairs of rule sets for each case")
    parser.add_argument("--seconds", type=float, default=60.0, help="time for each proof")
    parser.add_argument("--points", type=int, default=2_000, help="rows on which a proof is tried")
    options = parser.parse_args()
    sys.stdout.write(f"{'rules':>5} {'mode':8} {'conditions':10} {'variant':8} {'median':>7} {'longest':>7}  answers\n")
    for n_rules in options.rules:
        for mode in options.modes:
            for kind in KINDS:
                for variant in ("equal", "changed"):
                    measured = [measure(n_rules, mode, kind, variant, seed, options) for seed in range(options.pairs)]
                    seconds = [each for each, _ in measured]
                    answers = Counter(said(result) for _, result in measured)
                    listed = ", ".join(f"{count} {answer}" for answer, count in sorted(answers.items()))
                    sys.stdout.write(
                        f"{n_rules:5} {mode:8} {kind:10} {variant:8} {statistics.median(seconds):5.2f} s "
                        f"{max(seconds):5.2f} s  {listed}\n"
                    )
                    sys.stdout.flush()


def measure(
    n_rules: int, mode: str, kind: str, variant: str, seed: int, options: argparse.Namespace
) -> tuple[float, ProofResult]:
    """Compare one pair of rule sets; raise an error if the answer is wrong."""
    rng = Random(f"{n_rules} {mode} {kind} {variant} {seed}")
    one = random_ruleset(rng, n_rules, mode, kind)
    other = equal_variant(rng, one) if variant == "equal" else changed_variant(rng, one)
    watch = Stopwatch(CPU)
    with watch:
        result = equivalent(one, other, max_seconds=options.seconds)
    check(result, one, other, rng, options.points)
    if variant == "equal" and result.refuted:
        raise AssertionError(f"equal rule sets were told apart: {result}")
    return watch.seconds[0], result


def said(result: ProofResult) -> str:
    """Return an answer in one or two words."""
    return result.status if result.exact else f"{result.status} for real numbers"


def check(result: ProofResult, one: RuleSet, other: RuleSet, rng: Random, n_points: int) -> None:
    """Run both rule sets on the counterexample, or on random rows and rows at borders."""
    if result.refuted and not differ(one, other, result.history[-1]):
        raise AssertionError(f"not a counterexample: {result}")
    if result.proved:
        for row in points(rng, one, n_points):
            if differ(one, other, row):
                raise AssertionError(f"a wrong proof: {result}; not for {row}")


def differ(one: RuleSet, other: RuleSet, row: Row) -> bool:
    """Tell whether two rule sets decide differently."""
    return decide_now(one, [row]).actions != decide_now(other, [row]).actions


def random_ruleset(rng: Random, n_rules: int, mode: str, kind: str) -> RuleSet:
    """Return rules of one to four conditions on features from 0 to 100, for three actions."""
    features = [Feature(f"x{number}", low=0, high=100) for number in range(N_FEATURES)]
    schema = Schema(features, ["a", "b", "c"])

    def rule() -> Rule:
        conditions = [random_condition(rng, schema, kind) for _ in range(rng.randint(1, 4))]
        return Rule(conditions, rng.choice(schema.actions), rng.randint(1, 100) / 100)

    return RuleSet([rule() for _ in range(n_rules)], "a", schema, mode=mode)


def random_condition(rng: Random, schema: Schema, kind: str) -> Condition:
    """Return a condition on one feature or on two."""
    one, other = rng.sample(schema.names, 2)
    if rng.random() >= KINDS[kind]:
        return Condition(Term(one), rng.choice(["<", "<=", ">", ">="]), rng.randint(0, 100))
    if kind == "and sums" or rng.random() < 0.5:
        coefficient = rng.choice([1.0, -1.0, 0.5, -0.5, 2.0])
        return Condition(Term(one), rng.choice(["<=", ">"]), Sum(Term(other, coefficient), rng.randint(0, 150)))
    terms = [Term(name, rng.randint(1, 100) / 100, rng.choice([1, 1, 2, 3])) for name in (one, other)]
    return Condition(terms[0], rng.choice(["<", ">"]), terms[1])


def equal_variant(rng: Random, ruleset: RuleSet) -> RuleSet:
    """Return rules that decide the same: conditions in another order, and where it is harmless a rule repeated."""
    rules = [
        replace(rule, conditions=tuple(rng.sample(rule.conditions, len(rule.conditions)))) for rule in ruleset.rules
    ]
    if ruleset.mode in (Mode.FIRST, Mode.HARDMAX):
        at = rng.randrange(len(rules))
        rules.insert(rng.randint(at + 1, len(rules)), rules[at])
    return ruleset.replace(rules=rules)


def changed_variant(rng: Random, ruleset: RuleSet) -> RuleSet:
    """Return the rules with another action for one of them, which changes nothing if it never decides."""
    rules = list(ruleset.rules)
    at = rng.randrange(len(rules))
    others = [action for action in ruleset.schema.actions if action != rules[at].action]
    rules[at] = replace(rules[at], action=rng.choice(others))
    return ruleset.replace(rules=rules)


def points(rng: Random, ruleset: RuleSet, n_points: int) -> Iterator[Row]:
    """Yield rows with values anywhere, at the constants of rules, and missing."""
    constants = [
        condition.right for rule in ruleset.rules for condition in rule.conditions if isinstance(condition.right, float)
    ] or [0.0]
    for _ in range(n_points):
        yield {
            name: None if rng.random() < 0.05 else rng.choice([rng.uniform(-10, 110), rng.choice(constants)])
            for name in ruleset.schema.names
        }


if __name__ == "__main__":
    main()
