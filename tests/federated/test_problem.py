"""Tests of the task: its scores are those of the pooled rows, and what is compared is always of the same sites."""

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Evaluation
from evoter.evolution.settings import Settings
from evoter.evolution.stopping import Generations
from evoter.federated import coordinator as coordinator_module
from evoter.federated.coordinator import Coordinator
from evoter.federated.grids import sketch_cuts
from evoter.federated.problem import FederatedProblem
from evoter.federated.summaries import agree_on_schema
from evoter.genome.codec import encode
from evoter.kernels.layout import Floats, Grammar, Population
from evoter.kernels.threads import Threads
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.parser import parse
from evoter.tables import encode as encode_table
from federated_tables import Unreliable, deal, make_problem, make_table

TABLE, LABELS = make_table(200)
OWNERS = np.random.default_rng(0).integers(3, size=200)
SETTINGS = Settings(population_size=40, n_elites=4, n_refined=0, max_rules=8, max_conditions=4)
TEXTS = ("age > 60 -> sick; dose > 4 -> sick; Default -> well", "town in {Bonn, Essen} -> sick; Default -> well")


class Pooled(ClassificationProblem):
    """The usual task on all rows, with the constants of a grid, and rules that decide nothing counted as inactive."""

    def __init__(self, federated: FederatedProblem) -> None:
        codes = np.array([federated.schema.actions.index(label) for label in LABELS])
        data = encode_table(TABLE, federated.schema)
        super().__init__(federated.schema, data, codes, measure=federated.metric)
        self._federated = federated

    def grammar(self, settings: Settings) -> Grammar:
        """Return the grammar of the grid."""
        return self._federated.grammar(settings)

    def evaluate(self, population: Population, threads: Threads, seed: int = 0) -> Evaluation:
        """Score as usual."""
        found = super().evaluate(population, threads, seed)
        return found._replace(times_applied=found.times_decided)


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "f1_macro", "roc_auc"])
def test_evolution_is_the_same_as_on_pooled_rows_byte_for_byte(metric: str) -> None:
    """Not only one site with all rows: the engine with the usual task gives the same populations and scores."""
    federated = make_problem(deal(TABLE, LABELS, OWNERS), metric)
    runs = [Evolution(task, SETTINGS, seed=3) for task in (federated, Pooled(federated))]
    for run in runs:
        run.run(Generations(4))
    mine, theirs = (run.state() for run in runs)
    for own, other in zip(
        (*mine.population[1:], *mine.evaluation), (*theirs.population[1:], *theirs.evaluation), strict=True
    ):
        np.testing.assert_array_equal(own, other)
    assert runs[0].result().best == runs[1].result().best


def test_uncertainty_and_range_are_those_of_pooled_rows() -> None:
    federated = make_problem(deal(TABLE, LABELS, OWNERS), "balanced_accuracy")
    pooled = Pooled(federated)
    assert federated.score_range == pytest.approx(pooled.score_range)
    assert federated.uncertainty == pytest.approx(pooled.uncertainty, rel=0.05)  # of distinct rows there


def unreliable(lost: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> tuple[FederatedProblem, Unreliable]:
    monkeypatch.setattr(coordinator_module, "PAUSE", 0.0)
    transport = Unreliable(deal(TABLE, LABELS, OWNERS), [])
    coordinator = Coordinator(transport, min_sites=2, retry_seconds=0.0)
    schema = agree_on_schema(coordinator.summaries)
    coordinator.agree(schema)
    problem = FederatedProblem(coordinator, schema, sketch_cuts(schema, coordinator.sketch, n_cuts=8), "accuracy")
    transport.lost = [*lost]
    return problem, transport


def scores_of(problem: FederatedProblem, *texts: str) -> Floats:
    rules = [parse(text, schema=problem.schema) for text in texts]
    return problem.evaluate(encode(rules, problem.schema), Threads(1)).scores[:, 0]


def test_scores_that_are_compared_are_of_the_same_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was known of all sites is asked for again when one has left, and again when it has returned."""
    problem, _transport = unreliable([[], ["site 1"], ["site 1"]], monkeypatch)
    whole = scores_of(problem, *TEXTS[:1])
    without = scores_of(problem, *TEXTS)
    rows = OWNERS != 1
    part = make_problem(deal(TABLE[rows], LABELS[rows], OWNERS[rows]))
    np.testing.assert_array_equal(without, scores_of(part, *TEXTS))
    again = scores_of(problem, *TEXTS, "age > 20 -> sick; Default -> well")
    assert again[0] == whole[0]
    np.testing.assert_array_equal(again[:2], scores_of(make_problem(deal(TABLE, LABELS, OWNERS)), *TEXTS))


def test_what_is_known_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, transport = unreliable([], monkeypatch)
    first = scores_of(problem, *TEXTS)
    n_requests = len(transport.requests)
    other_actions = "age > 60 -> well; dose > 4 -> sick; Default -> well"
    np.testing.assert_array_equal(scores_of(problem, *TEXTS, other_actions)[:2], first)
    assert len(transport.requests) == n_requests


def test_refined_children_are_better_and_small_enough() -> None:
    problem = make_problem(deal(TABLE, LABELS, OWNERS))
    parents = [parse(text, schema=problem.schema) for text in TEXTS]
    settings = SETTINGS.replace(refinement_moves=8, parsimony=0.002)
    children = problem.refined(parents, settings, np.full(2, 0.002), seed=1)
    threads = Threads(1)
    before, after = (
        problem.evaluate(encode(list(each), problem.schema), threads).scores.max() for each in (parents, children)
    )
    assert after > before
    assert all(len(child.rules) <= settings.max_rules for child in children)


def test_fingerprints_tell_tasks_apart() -> None:
    one = make_problem(deal(TABLE, LABELS, OWNERS))
    prints = {one.fingerprint(), make_problem(deal(TABLE, LABELS, OWNERS), "f1_macro").fingerprint()}
    prints.add(make_problem(deal(TABLE, LABELS, OWNERS), n_cuts=9).fingerprint())
    assert len(prints) == 3
    assert one.fingerprint() == make_problem(deal(TABLE, LABELS, OWNERS)).fingerprint()
