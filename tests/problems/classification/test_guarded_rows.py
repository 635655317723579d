"""Evolution under guardrails: no rule set that it leaves breaks one on any row, and scores are those of what is printed."""

from random import Random
from typing import Any

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.stopping import Generations
from evoter.evolution.warm_start import read_warm_start
from evoter.genome.codec import encode
from evoter.kernels.layout import Floats
from evoter.kernels.threads import Threads
from evoter.problems.classification.frequencies import OBJECTIVES
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.support import majority_actions
from evoter.problems.secondary import COMPLEXITY
from evoter.rules.errors import RuleError
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from evoter.tables.series import read_panel
from guarding import broken, random_rails
from laws import n_cases
from tasks import MIXED, SMALL, as_rows, decoded, mixed_columns, random_columns

MODES = [Mode.FIRST, Mode.HARDMAX, Mode.VOTE]


def guarded_problem(seed: int, mode: Mode, rails: Guardrails | None = None, **given: Any) -> ClassificationProblem:
    rng = np.random.default_rng(seed)
    rails = rails or random_rails(Random(seed), MIXED, mode)
    columns = mixed_columns(rng, 90)
    classes = rng.integers(0, 3, 90)
    return ClassificationProblem(MIXED, columns, classes, mode=mode, guardrails=rails, **given)


def final_forms(problem: ClassificationProblem, evolution: Evolution) -> list[RuleSet]:
    """What a user gets of the whole population."""
    counts = mode_of(problem.mode).use_counts(evolution.evaluation.times_applied, evolution.evaluation.times_decided)
    return [
        problem.final_form(ruleset, row[: len(ruleset.rules)].tolist())
        for ruleset, row in zip(decoded(evolution, evolution.population), counts, strict=True)
    ]


@pytest.mark.parametrize("mode", MODES)
def test_nothing_that_evolves_breaks_a_guardrail_on_any_row(mode: Mode) -> None:
    for seed in range(n_cases(30) // 4):
        problem = guarded_problem(seed, mode)
        rails = problem.guardrails
        evolution = Evolution(problem, SMALL, seed=seed)
        evolution.run(Generations(7))
        for ruleset in decoded(evolution, evolution.population):
            assert not [reason for rule in ruleset.rules for reason in rails.breaches(rule)]
        rows = as_rows(random_columns(Random(seed), MIXED, 8), MIXED)
        for final in final_forms(problem, evolution)[:12]:
            assert not rails.violations(final)
            assert not list(broken(rails, final, rows))
            if mode is not Mode.VOTE:
                assert not rails.violations(rails.simplified(majority_actions(final, problem)))


@pytest.mark.parametrize("measure", [name for name in OBJECTIVES if name != "neg_brier_score"])
@pytest.mark.parametrize("mode", MODES)
def test_scores_are_those_of_the_rule_set_that_is_printed(measure: str, mode: Mode) -> None:
    if mode is Mode.VOTE and measure in ("roc_auc", "roc_auc_ovr", "average_precision", "brier"):
        return
    for seed in range(3):
        weights = np.random.default_rng(seed).random(90)
        problem = guarded_problem(seed, mode, measure=measure, sample_weight=weights)
        plain = ClassificationProblem(
            MIXED, problem.columns, problem.classes, mode=mode, measure=measure, sample_weight=weights
        )
        evolution = Evolution(problem, SMALL, seed=seed)
        evolution.step()
        printed = [problem.guardrails.guard(each) for each in decoded(evolution, evolution.population)]
        scores = plain.evaluate(encode(printed, MIXED), Threads(1)).scores
        if problem.ignores_actions and problem.guardrails.forbidden:
            continue  # a rule that becomes several has several frequencies
        assert scores == pytest.approx(evolution.evaluation.scores, abs=1e-9)
        assert problem.evaluate(encode(printed, MIXED), Threads(1)).scores == pytest.approx(scores, abs=1e-9)


def test_a_measure_of_single_predictions_sees_what_is_printed() -> None:
    rails = read_guardrails(MIXED, pinned="c > 6 -> yes", forbidden="few > 2 -> never no")
    objective = OBJECTIVES["accuracy"]
    for seed in range(3):
        problem = guarded_problem(seed, Mode.FIRST, rails)
        slow = guarded_problem(
            seed, Mode.FIRST, rails, measure=(objective, lambda actions, _, p=problem: float((actions == p.classes).mean()))
        )  # fmt: skip
        evolution = Evolution(problem, SMALL, seed=seed)
        evolution.step()
        scores = slow.evaluate(evolution.population, Threads(1)).scores
        assert scores == pytest.approx(evolution.evaluation.scores, abs=1e-12)


def test_a_front_keeps_guardrails() -> None:
    problem = guarded_problem(3, Mode.FIRST, secondary=[COMPLEXITY])
    front = Evolution(problem, SMALL, seed=1).run(Generations(5)).front
    assert front is not None
    for candidate in front:
        assert not problem.guardrails.violations(candidate.ruleset.replace(schema=MIXED))


def test_layers_and_soft_targets_keep_guardrails() -> None:
    problem = guarded_problem(1, Mode.FIRST)
    soft = problem.guided_by(np.full((90, 3), 1 / 3))
    part = soft.sampled(0.5)
    assert part is not None
    assert soft.guardrails is part.guardrails is problem.guardrails
    assert soft.fingerprint() != guarded_problem(1, Mode.FIRST, read_guardrails(MIXED)).fingerprint()


def test_models_behind_soft_targets_do_not_see_forbidden_features() -> None:
    rails = read_guardrails(MIXED, forbidden_features=["a", "colour"])
    lines, is_number = guarded_problem(0, Mode.FIRST, rails).lines(np.arange(5))
    assert len(lines) == len(is_number) == len(MIXED.features) - 2
    panel = read_panel(np.random.default_rng(0).normal(size=(8, 2, 4)))
    schema = Schema([Feature(name, low=-5, high=5) for name in panel.names], ["no", "yes"], max_lag=2)
    unread = read_guardrails(schema, forbidden_features=["x0"])
    series = ClassificationProblem(schema, panel, np.arange(8) % 2, guardrails=unread)
    expected: Floats = panel.values[1].reshape(8, 4)[:, ::-1][:, :3].T
    assert np.array_equal(series.lines(np.arange(8))[0], expected)


def test_series_keep_guardrails_at_every_lag() -> None:
    panel = read_panel(np.random.default_rng(0).normal(size=(60, 2, 5)))
    schema = Schema([Feature(name, low=-5, high=5) for name in panel.names], ["no", "yes"], max_lag=3)
    rails = read_guardrails(schema, monotone={"x0": 1}, pinned="x1[1] > 2 -> no", forbidden="x1[2] < -1 -> never yes")
    problem = ClassificationProblem(schema, panel, (panel.values[0, 4::5] > 0).astype(int), guardrails=rails)
    evolution = Evolution(problem, SMALL, seed=0)
    evolution.run(Generations(5))
    for final in final_forms(problem, evolution):
        assert not rails.violations(final)
    printed = [rails.guard(each) for each in decoded(evolution, evolution.population)]
    plain = ClassificationProblem(schema, panel, problem.classes)
    assert np.array_equal(plain.evaluate(encode(printed, schema), Threads(1)).scores, evolution.evaluation.scores)


def test_rule_sets_to_start_from_keep_guardrails() -> None:
    problem = guarded_problem(0, Mode.FIRST, read_guardrails(MIXED, forbidden_features=["a"]))
    start = parse("a > 0.5 -> yes; Default -> no", MIXED)
    with pytest.raises(RuleError, match="warm-start rule set 0: rule 1 reads 'a', which no rule may read"):
        read_warm_start([start], problem, SMALL)


def test_pinned_rules_that_decide_everything_leave_nothing_to_evolve() -> None:
    problem = guarded_problem(0, Mode.FIRST, read_guardrails(MIXED, pinned="c >= 0 -> yes"))
    evolution = Evolution(problem, SMALL, seed=0)
    result = evolution.run(Generations(4))
    assert result.score == pytest.approx((problem.classes == 1).mean())
    assert len(problem.final_form(result.best, result.times_decided).rules) == 1
