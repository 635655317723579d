"""A classification problem scores whole populations as scikit-learn scores their predictions, row by row."""

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from sklearn import metrics

from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Evaluation, Objective
from evoter.genome.arrays import pick
from evoter.genome.codec import decode
from evoter.kernels.layout import ACTION, WORD, Floats, Ints, Population, Rows
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification import counting
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.renumbering import renumbered
from evoter.problems.secondary import COMPLEXITY, RULES, Secondary, novelty, rare_rules
from evoter.rules.model import Mode
from evoter.rules.modes import Task, modes_for
from evoter.rules.schema import Feature, Schema
from evoter.tables.panel import Panel, infer_panel_schema
from evoter.tables.series import read_panel
from refining import bits_of, held
from tasks import MIXED, SMALL, mixed_columns, mixed_problem

N_CLASSES = 3
CLASS_WEIGHT = np.array([1.0, 2.0, 0.5])
MODES = modes_for(Task.CLASSIFICATION)
THREADS = Threads(1)

Score = Callable[[Ints, Ints, Floats, Floats], float]


def probabilities(predicted: Ints, certainties: Floats) -> Floats:
    """What a decision of some certainty says about all classes."""
    table = np.repeat((1.0 - certainties[:, None]) / (N_CLASSES - 1), N_CLASSES, axis=1)
    table[np.arange(len(predicted)), predicted] = certainties
    return np.clip(table, 1e-15, 1.0)


SCORES: dict[str, Score] = {
    "accuracy": lambda t, p, c, w: metrics.accuracy_score(t, p, sample_weight=w),
    "balanced_accuracy": lambda t, p, c, w: metrics.balanced_accuracy_score(t, p, sample_weight=w),
    "f1_macro": lambda t, p, c, w: metrics.f1_score(t, p, average="macro", sample_weight=w),
    "matthews": lambda t, p, c, w: metrics.matthews_corrcoef(t, p, sample_weight=w),
    "log_loss": lambda t, p, c, w: float(-np.average(np.log(probabilities(p, c)[np.arange(len(t)), t]), weights=w)),
}


def problem(
    measure: object, mode: Mode, *, weighted: bool, budget: int = 2**20, targets: Floats | None = None
) -> ClassificationProblem:
    rng = np.random.default_rng(8)
    plain = mixed_problem(1)
    classes = rng.integers(0, N_CLASSES, 200)
    return ClassificationProblem(
        plain.schema,
        mixed_columns(rng, 200),
        classes,
        measure=measure,  # type: ignore[arg-type]
        sample_weight=rng.uniform(0.5, 2.0, 200) if weighted else None,
        class_weight=CLASS_WEIGHT if weighted else None,
        mode=mode,
        targets=targets,
        mask_budget=budget,
    )


def random_targets(seed: int, n_rows: int) -> Floats:
    """Probabilities of three classes, some of them 0."""
    rng = np.random.default_rng(seed)
    targets = (
        rng.dirichlet(np.ones(3), n_rows) * (rng.random((n_rows, 3)) < 0.7)
        + 1e-3 * np.eye(3)[rng.integers(0, 3, n_rows)]
    )
    scaled: Floats = targets / targets.sum(axis=1, keepdims=True)
    return scaled


def row_weights(task: ClassificationProblem, *, weighted: bool) -> Floats:
    return task.sample_weight * (CLASS_WEIGHT[task.classes] if weighted else 1.0)


def population(problem: ClassificationProblem) -> Population:
    evolution = Evolution(problem, SMALL, seed=4)
    for _ in range(3):
        evolution.step()
    return evolution.population


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("measure", SCORES)
def test_compiled_scores_are_scikit_learns(measure: str, mode: Mode, weighted: bool) -> None:
    task = problem(measure, mode, weighted=weighted)
    individuals = population(task)
    scores = task.evaluate(individuals, THREADS).scores[:, 0]
    for i in range(individuals.size):
        predicted, certainties = task.predict(individuals, i, THREADS)
        expected = SCORES[measure](task.classes, predicted, certainties, row_weights(task, weighted=weighted))
        assert scores[i] == pytest.approx(expected)


@pytest.mark.parametrize("mode", MODES)
def test_costs_are_of_true_and_predicted_classes(mode: Mode) -> None:
    costs = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [50.0, 6.0, 0.0]])
    task = problem(costs, mode, weighted=True)
    weights = row_weights(task, weighted=True)
    assert task.objectives == (Objective("cost", maximise=False),)
    individuals = population(task)
    scores = task.evaluate(individuals, THREADS).scores[:, 0]
    for i in range(individuals.size):
        predicted, _ = task.predict(individuals, i, THREADS)
        assert scores[i] == pytest.approx(np.average(costs[task.classes, predicted], weights=weights))


def test_any_function_of_the_predictions_is_a_measure() -> None:
    objective = Objective("share of class 2", maximise=False)

    def share(predicted: Ints, certainties: Floats) -> float:
        return float((predicted == 2).mean())

    task = problem((objective, share), Mode.FIRST, weighted=False)
    assert task.objectives == (objective,)
    individuals = population(task)
    scores = task.evaluate(individuals, THREADS).scores[:, 0]
    assert scores.tolist() == [share(*task.predict(individuals, i, THREADS)) for i in range(individuals.size)]


@pytest.mark.parametrize("mode", MODES)
def test_the_budget_for_masks_changes_nothing(mode: Mode) -> None:
    generous = problem("log_loss", mode, weighted=True)
    individuals = population(generous)
    expected = generous.evaluate(individuals, THREADS)
    for budget in (0, 8, 1_000, 5_000):
        mean = problem("log_loss", mode, weighted=True, budget=budget).evaluate(individuals, THREADS)
        assert np.allclose(mean.scores, expected.scores, rtol=1e-12)
        for counts, expected_counts in zip(mean[1:], expected[1:], strict=True):
            assert np.array_equal(counts, expected_counts)


def test_the_fingerprint_tells_tasks_apart() -> None:
    costs = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [50.0, 6.0, 0.0]])
    tasks = [
        problem("accuracy", Mode.FIRST, weighted=False),
        problem("accuracy", Mode.FIRST, weighted=True),
        problem("accuracy", Mode.VOTE, weighted=False),
        problem("f1_macro", Mode.FIRST, weighted=False),
        problem(costs, Mode.FIRST, weighted=False),
        problem(costs.T, Mode.FIRST, weighted=False),
        problem((Objective("mine"), lambda p, c: 0.0), Mode.FIRST, weighted=False),
        problem("accuracy", Mode.FIRST, weighted=False, targets=random_targets(1, 200)),
        problem("accuracy", Mode.FIRST, weighted=False, targets=random_targets(2, 200)),
        mixed_problem(1),
    ]
    assert len({task.fingerprint() for task in tasks}) == len(tasks)
    assert problem(costs, Mode.FIRST, weighted=False).fingerprint() == tasks[4].fingerprint()


def lagged_problem(**parameters: object) -> ClassificationProblem:
    rng = np.random.default_rng(5)
    series = [np.round(rng.random((2, rng.integers(1, 8))), 2) for _ in range(150)]
    for values in series:
        values[1, rng.random(values.shape[1]) < 0.1] = np.nan
    panel = read_panel(series, channels=["x", "y"])
    schema = infer_panel_schema(panel, actions=["no", "yes", "perhaps"], max_lag=4)
    return ClassificationProblem(schema, panel, rng.integers(0, 3, 150), **parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
def test_instances_of_a_panel_are_scored_by_their_decisions(mode: Mode) -> None:
    task = lagged_problem(mode=mode)
    individuals = population(task)
    evaluation = task.evaluate(individuals, THREADS)
    lags = set()
    for i in range(individuals.size):
        ruleset = decode(individuals, i, task.schema, mode)
        lags |= {term.lag for rule in ruleset.rules for c in rule.conditions for term in c.terms}
        decided = task.decide(ruleset)
        assert evaluation.scores[i, 0] == pytest.approx((decided.actions == task.classes).mean())
        assert task.predict(individuals, i, THREADS)[0].tolist() == decided.actions.tolist()
        n = len(ruleset.rules)
        assert evaluation.times_applied[i, :n].tolist() == decided.active.sum(axis=0).tolist()
    assert lags == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("soft", [False, True])
def test_rewards_of_instances_add_up_to_the_score(soft: bool) -> None:
    task = lagged_problem()
    if soft:
        task = task.guided_by(np.eye(3)[(task.classes + 1) % 3])
    settings = SMALL.replace(parsimony=0.01)
    refinement = task.refinement(task.grammar(settings), settings)
    assert refinement is not None
    best = np.where(refinement.rewards.any(axis=1), refinement.rewards.max(axis=1), 0.0).sum()
    assert best * settings.parsimony / refinement.price == pytest.approx(1.0, rel=1e-5)
    individuals = population(task)
    assert (task.evaluate(individuals, THREADS).scores < 1.0).all()


def test_the_fingerprint_tells_panels_apart() -> None:
    plain = lagged_problem()
    assert plain.fingerprint() == lagged_problem().fingerprint()
    assert plain.fingerprint() != plain.guided_by(random_targets(3, 150)).fingerprint()
    panel = read_panel([[[1.0, 2.0]], [[3.0, 4.0]]], channels=["x"])
    classes = np.array([0, 1])
    schema = Schema([Feature("x", low=1, high=4)], ["no", "yes"], 1)
    prints = {
        ClassificationProblem(schema, data, classes).fingerprint()
        for data in (panel, panel[[1, 0]], panel.recent(1), read_panel([[[np.nan, 2.0]], [[3.0, 4.0]]], channels=["x"]))
    }
    assert len(prints) == 4
    shifted = Panel(("x",), np.array([[0.0, 1.0, 2.0, 3.0, 4.0]]), [1, 3], [3, 5])
    assert ClassificationProblem(schema, shifted, classes).fingerprint() in prints, "only what can be seen counts"


def test_certainties_evolve_only_where_they_matter() -> None:
    for measure, mode, evolves in [
        ("accuracy", Mode.FIRST, False),
        ("log_loss", Mode.FIRST, True),
        ("accuracy", Mode.HARDMAX, True),
        ("accuracy", Mode.VOTE, True),
        (np.ones((3, 3)), Mode.FIRST, False),
    ]:
        assert problem(measure, mode, weighted=False).grammar(SMALL).evolve_certainty is evolves


COSTS = np.array([[0.0, 1.0, 2.0], [3.0, -1.0, 4.0], [50.0, 6.0, 0.5]])


def taken(individuals: Population, i: int, rows: Rows) -> Ints:
    """The action that an individual takes on each row as the kernels see them, by its first active rule."""
    ruleset = decode(individuals, i, MIXED)
    actions = np.full(len(rows.valid) * WORD, MIXED.actions.index(ruleset.default))
    for rule in reversed(ruleset.rules):
        actions[held(rule.conditions, MIXED, rows).all(axis=0)] = MIXED.actions.index(rule.action)
    return actions


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy", COSTS], ids=["accuracy", "balanced", "costs"])
def test_rewards_add_up_to_the_score(measure: object, weighted: bool) -> None:
    task = problem(measure, Mode.FIRST, weighted=weighted)
    settings = SMALL.replace(parsimony=0.01)
    refinement = task.refinement(task.grammar(settings), settings)
    assert refinement is not None
    steps = refinement.price / settings.parsimony
    assert np.abs(refinement.rewards).max() > 2**20, "fine enough"
    individuals = population(task)
    scores = task.evaluate(individuals, THREADS).scores[:, 0]
    sign = 1.0 if task.objectives[0].maximise else -1.0
    for i in range(individuals.size):
        actions = taken(individuals, i, refinement.rows)
        reward = refinement.rewards[np.arange(len(actions)), actions].sum()
        assert reward / steps == pytest.approx(sign * scores[i], rel=1e-5, abs=1e-6)
    valid = bits_of(refinement.rows.valid)
    assert not refinement.rewards[~valid].any()
    assert weighted or (refinement.rewards == np.rint(refinement.rewards)).all(), "sums of whole numbers are exact"


@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy", COSTS], ids=["accuracy", "balanced", "costs"])
def test_a_sample_of_rows_stands_for_all(measure: object) -> None:
    task = problem(measure, Mode.FIRST, weighted=False)
    settings = SMALL.replace(refinement_rows=100)
    refinement = task.refinement(task.grammar(settings), settings)
    whole = task.refinement(task.grammar(SMALL), SMALL)
    assert refinement is not None
    assert whole is not None
    assert 90 <= bits_of(refinement.rows.valid).sum() <= 100
    assert refinement.price == whole.price
    assert refinement.rewards.sum(axis=0) == pytest.approx(whole.rewards.sum(axis=0), rel=1e-6)


def test_only_sums_of_rewards_under_first_are_refined() -> None:
    def refinable(measure: object, mode: Mode) -> bool:
        task = problem(measure, mode, weighted=False)
        return task.refinement(task.grammar(SMALL), SMALL) is not None

    mine = (Objective("mine"), lambda predicted, certainties: 0.0)
    assert all(refinable(measure, Mode.FIRST) for measure in ("accuracy", "balanced_accuracy", COSTS))
    assert not any(refinable(measure, Mode.FIRST) for measure in ("f1_macro", "matthews", "log_loss", mine))
    assert not any(refinable("accuracy", mode) for mode in MODES if mode is not Mode.FIRST)
    assert not refinable(np.zeros((3, 3)), Mode.FIRST), "there is nothing to gain"


def test_a_class_without_weight_has_no_rewards() -> None:
    plain = mixed_problem(1)
    weights = (plain.classes != 1) * 1.0
    for measure in ("accuracy", "balanced_accuracy"):
        task = ClassificationProblem(plain.schema, plain.columns, plain.classes, measure=measure, sample_weight=weights)
        refinement = task.refinement(task.grammar(SMALL), SMALL)
        assert refinement is not None
        assert np.isfinite(refinement.rewards).all()
        assert not refinement.rewards[:, 1].any()


@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy", "f1_macro", "log_loss"])
@pytest.mark.parametrize("mode", MODES)
def test_a_row_with_targets_counts_once_for_each_class_by_its_probability(measure: str, mode: Mode) -> None:
    targets = random_targets(5, 200)
    task = problem(measure, mode, weighted=True, targets=targets)
    rows, classes = np.nonzero(targets)
    whole = ClassificationProblem(
        task.schema,
        task.columns[:, rows],
        classes,
        measure=measure,
        sample_weight=task.sample_weight[rows] * targets[rows, classes],
        class_weight=CLASS_WEIGHT,
        mode=mode,
    )
    individuals = population(task)
    scores, expected = (one.evaluate(individuals, THREADS).scores for one in (task, whole))
    assert np.allclose(scores, expected)
    assert np.allclose(task.class_weights(), whole.class_weights())
    for i in range(5):
        predicted, certainties = task.predict(individuals, i, THREADS)
        of_all = whole.predict(individuals, i, THREADS)
        assert predicted[rows].tolist() == of_all[0].tolist()
        assert certainties[rows].tolist() == of_all[1].tolist()


@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy", COSTS], ids=["accuracy", "balanced", "costs"])
def test_exact_moves_see_expected_rewards(measure: object) -> None:
    task = problem(measure, Mode.FIRST, weighted=True, targets=random_targets(6, 200))
    individuals = population(task)
    scores = task.evaluate(individuals, THREADS).scores[:, 0]
    refinement = task.refinement(task.grammar(SMALL), SMALL)
    assert refinement is not None
    assert len(refinement.rewards) < 200 + WORD, "each row once"
    steps = refinement.price / SMALL.parsimony
    for i in range(individuals.size):
        actions = taken(individuals, i, refinement.rows)
        gained = refinement.rewards[np.arange(len(actions)), actions].sum() / steps
        assert gained == pytest.approx(-scores[i] if isinstance(measure, np.ndarray) else scores[i], rel=1e-5, abs=1e-6)


def test_a_measure_of_single_predictions_takes_no_targets() -> None:
    mine = (Objective("mine"), lambda predicted, certainties: 0.0)
    with pytest.raises(ValueError, match="takes no soft targets"):
        problem(mine, Mode.FIRST, weighted=False, targets=random_targets(7, 200))


def test_rows_that_are_there_twice_weigh_2() -> None:
    """In the scores and in what exact moves see, with targets too."""
    rng = np.random.default_rng(2)
    columns, classes = mixed_columns(rng, 120), rng.integers(0, 3, 120)
    times = rng.integers(1, 4, 120)
    targets = random_targets(2, 120)
    heavy = ClassificationProblem(MIXED, columns, classes, sample_weight=times.astype(float), targets=targets)
    again = ClassificationProblem(
        MIXED, columns.repeat(times, axis=1), classes.repeat(times), targets=targets.repeat(times, axis=0)
    )
    individuals = population(heavy)
    scores, expected = (task.evaluate(individuals, THREADS).scores for task in (heavy, again))
    assert np.allclose(scores, expected)
    sums = []
    for task in (heavy, again):
        refinement = task.refinement(heavy.grammar(SMALL), SMALL)
        assert refinement is not None
        sums.append(
            [refinement.rewards[taken(individuals, i, refinement.rows) == 1].sum(axis=0).tolist() for i in range(9)]
        )
    assert np.allclose(sums[0], sums[1], rtol=1e-6)


def test_secondary_objectives_are_further_columns() -> None:
    plain = mixed_problem(3)
    arguments = (plain.schema, plain.columns, plain.classes)
    behaviours = sample_behaviours(plain.schema, plain.columns, Mode.FIRST)
    problem = ClassificationProblem(*arguments, secondary=[COMPLEXITY, novelty(behaviours), RULES])
    assert [each.name for each in problem.objectives] == ["accuracy", "complexity", "novelty", "rules"]
    assert problem.relative == (2,)
    population = Evolution(plain, SMALL).ask()
    alone, evaluation = plain.evaluate(population, Threads(1)), problem.evaluate(population, Threads(1))
    assert np.array_equal(alone.scores[:, 0], evaluation.scores[:, 0])
    for column, each in ((1, COMPLEXITY), (3, RULES)):
        assert np.array_equal(evaluation.scores[:, column], each.score(population, alone))
    half = pick(population, np.arange(0, population.size, 2))
    halved = Evaluation(*(array[::2] for array in evaluation))  # type: ignore[arg-type]
    compared = problem.compare(half, halved)
    assert np.array_equal(compared[:, [0, 1, 3]], halved.scores[:, [0, 1, 3]])
    assert (compared[:, 2] >= halved.scores[:, 2]).all(), "with fewer others, the nearest are farther"
    assert (compared[:, 2] > halved.scores[:, 2]).any()


def test_objectives_have_different_names() -> None:
    plain = mixed_problem(3)
    with pytest.raises(ValueError, match="objectives must have different names"):
        ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=[COMPLEXITY, COMPLEXITY])


def test_the_fingerprint_knows_the_secondary_objectives() -> None:
    plain = mixed_problem(3)

    def fingerprint(*secondary: Secondary) -> str:
        return ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=secondary).fingerprint()

    assert fingerprint() == plain.fingerprint()
    different = [(), (COMPLEXITY,), (RULES,), (COMPLEXITY, RULES), (rare_rules(3),), (rare_rules(4),)]
    assert len({fingerprint(*secondary) for secondary in different}) == len(different)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy", "f1_macro", "matthews", "costs"])
def test_many_classes_are_scored_by_the_few_that_are_predicted(
    measure: str, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = np.random.default_rng(1).uniform(0.0, 2.0, (N_CLASSES, N_CLASSES))
    judge = problem(costs if measure == "costs" else measure, mode, weighted=True)
    everyone = population(judge)
    expected = judge.evaluate(everyone, THREADS)
    monkeypatch.setattr(counting, "MAX_DENSE", 1)
    found = judge.evaluate(everyone, THREADS)
    assert np.allclose(found.scores, expected.scores, rtol=1e-12, atol=0.0)
    assert np.array_equal(found.times_decided, expected.times_decided)


def test_the_memory_for_counts_does_not_grow_with_the_square_of_the_classes() -> None:
    n_classes = 600
    schema = Schema([Feature("x", low=0.0, high=1.0)], [f"c{n}" for n in range(n_classes)])
    rng = np.random.default_rng(0)
    judge = ClassificationProblem(schema, rng.uniform(size=(1, 1_000)), rng.integers(0, n_classes, 1_000))
    everyone = Evolution(judge, SMALL, seed=4).ask()
    again, actions = renumbered(everyone)
    assert actions.shape[1] <= everyone.max_rules + 1
    n_used = everyone.n_rules
    for i in range(everyone.size):
        own = actions[i][again.rules[i, : n_used[i], ACTION]]
        assert np.array_equal(own, everyone.rules[i, : n_used[i], ACTION])
    tracemalloc.start()
    judge.evaluate(everyone, THREADS)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1e6 * everyone.size, "all pairs of classes would take 2.9 MB for each individual"


def test_log_loss_of_too_many_classes_is_refused() -> None:
    schema = Schema([Feature("x", low=0.0, high=1.0)], [f"c{n}" for n in range(501)])
    with pytest.raises(ValueError, match="the number of classes, which is 501, more than 500"):
        ClassificationProblem(schema, np.zeros((1, 600)), np.arange(600) % 501, measure="log_loss")
