"""Tests of federated fits: the same rules for any division of rows, and what suppression, noise and dropout do."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from evoter import RuleSet, dumps
from evoter.federated import (
    FederatedClassifier,
    FederationError,
    InProcess,
    LaplaceNoise,
    PairwiseMasks,
    Site,
    SiteUnavailableError,
)
from evoter.federated import coordinator as coordinator_module
from evoter.rules.interpreter import decide
from evoter.tables import infer_schema, rows
from federated_tables import Unreliable, deal, make_table
from laws import n_cases

# Sites of a few rows, or of one town, have nothing in common.
pytestmark = pytest.mark.filterwarnings("ignore::evoter.federated.FederationWarning")

TABLE, LABELS = make_table(200)
SMALL: dict[str, Any] = {
    "generations": 4,
    "population_size": 24,
    "settings": {"refinement_moves": 3, "refinement_interval": 2, "n_refined": 3},
    "random_state": 5,
}


def fit(sites: Sequence[Site], **parameters: Any) -> FederatedClassifier:
    return FederatedClassifier(**{**SMALL, **parameters}).fit(sites)


@pytest.fixture(scope="module")
def pooled() -> FederatedClassifier:
    return fit([Site(TABLE, LABELS, name="all", min_cell_count=1)])


def bytes_of(model: FederatedClassifier) -> tuple[str, list[float], dict[str, list[float]]]:
    """Return all that a fit gave: the rules with their counts, the scores of all generations, and the grid."""
    scores = [record.best for record in model.history_.records] + [record.mean for record in model.history_.records]
    return dumps(model.ruleset_), scores, {name: cuts.tolist() for name, cuts in model.cuts_.items()}


def test_any_division_of_the_rows_gives_the_pooled_rules_byte_for_byte(pooled: FederatedClassifier) -> None:
    """The law: any number of sites of any sizes, in any order, with rows in any order."""
    for seed in range(n_cases(25) // 5):
        rng = np.random.default_rng(seed)
        order, owners = rng.permutation(200), rng.integers(1 + seed, size=200) ** 2
        sites = deal(TABLE.iloc[order], LABELS[order], owners)
        rng.shuffle(sites)
        assert bytes_of(fit(sites)) == bytes_of(pooled), f"{len(sites)} sites, seed {seed}"


VARIANTS: list[dict[str, Any]] = [
    {"objectives": ["accuracy", "complexity", "features", "rare_rules"]},
    {"objectives": ["balanced_accuracy", "feature_cost", "rules"], "feature_prices": {"dose": 5.0, "age": 1.0}},
    {"metric": "balanced_accuracy", "settings": {**SMALL["settings"], "sum_rate": 0.5, "missing_rate": 0.5}},
    {"metric": "roc_auc", "select": "best", "settings": {}},
    {"select": {"at_most": {"conditions": 12}}},
]


@pytest.mark.parametrize("parameters", VARIANTS)
def test_fronts_sums_sets_and_missing_values_keep_the_law(parameters: dict[str, Any]) -> None:
    """Several classes, of which some sites have not all, and sites that are dealt rows by their town."""
    table, labels = make_table(160, seed=6)
    labels = np.where(table["dose"] > 8, "very sick", labels)
    parameters = {**parameters, "generations": 3}
    whole = fit([Site(table, labels, name="all", min_cell_count=1)], **parameters)
    by_town = np.unique(table["town"], return_inverse=True)[1]
    for owners in (by_town, np.arange(160) // 100):
        model = fit(deal(table, labels, owners), **parameters)
        assert bytes_of(model) == bytes_of(whole)
        for name in ("front_", "finalists_"):
            mine, theirs = getattr(model, name, ()), getattr(whole, name, ())
            assert [(dumps(each.ruleset), each.scores) for each in mine] == [
                (dumps(each.ruleset), each.scores) for each in theirs
            ]


def test_a_front_has_candidates_with_counts() -> None:
    model = fit(deal(TABLE, LABELS, np.arange(200) % 2), objectives=["accuracy", "complexity"], select="knee")
    assert len(model.front_) > 1
    for candidate in model.front_:
        right = np.mean(
            [decide(candidate.ruleset, row).action for row in rows(TABLE, candidate.ruleset.schema)] == LABELS
        )
        assert candidate.scores["accuracy"] == pytest.approx(right)
        assert candidate.scores["complexity"] == candidate.ruleset.n_conditions
        assert candidate.ruleset.counts is not None
        assert candidate.ruleset.counts.cases == 200
    assert model.front_.chosen is not None
    other = model.with_ruleset(int(model.front_.chosen == 0))
    assert other.ruleset_ != model.ruleset_
    assert other.score(TABLE, LABELS) == pytest.approx(other.front_[other.front_.chosen or 0].scores["accuracy"])
    with pytest.raises(ValueError, match="no candidates to switch between"):
        fit(deal(TABLE, LABELS, np.arange(200) % 2), generations=1).with_ruleset(0)


def test_masked_counts_give_the_same_rules(pooled: FederatedClassifier) -> None:
    owners = np.arange(200) % 3
    sites = [
        Site(TABLE[owners == k], LABELS[owners == k], name=f"{k}", min_cell_count=1, masks=PairwiseMasks())
        for k in range(3)
    ]
    assert bytes_of(fit(sites)) == bytes_of(pooled)


def test_a_site_that_misses_a_round_and_returns_changes_nothing(
    pooled: FederatedClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coordinator_module, "PAUSE", 0.0)
    lost: list[list[str]] = [[], ["site 1"], [], ["site 0", "site 2"], [], [], ["site 1"]] * 3
    transport = Unreliable(deal(TABLE, LABELS, np.arange(200) % 3), lost)
    assert bytes_of(FederatedClassifier(**SMALL).fit(transport)) == bytes_of(pooled)
    gone = Unreliable(deal(TABLE, LABELS, np.arange(200) % 3), [["site 1"]] * 1_000)
    with pytest.raises(SiteUnavailableError):
        FederatedClassifier(**SMALL, retry_seconds=0.0).fit(gone)


def test_the_others_go_on_without_a_site_that_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinator_module, "PAUSE", 0.0)
    owners = np.arange(200) % 3
    lost: list[list[str]] = [[]] * 8 + [["site 1"]] * 1_000
    model = FederatedClassifier(**SMALL, min_sites=2).fit(Unreliable(deal(TABLE, LABELS, owners), lost))
    assert model.n_rows_ == (owners != 1).sum()
    assert model.ruleset_.counts is not None
    assert model.ruleset_.counts.cases == model.n_rows_


def test_what_is_printed_is_what_was_counted(pooled: FederatedClassifier) -> None:
    ruleset = pooled.ruleset_
    decided = np.zeros((len(ruleset.rules) + 1, 2), np.int64)
    applied = np.zeros(len(ruleset.rules) + 1, np.int64)
    for row, label in zip(rows(TABLE, pooled.schema_), LABELS, strict=True):
        active = list(decide(ruleset, row).active)
        applied[active or [-1]] += 1
        decided[min(active, default=-1), ruleset.schema.actions.index(label)] += 1
    assert [record.labels for record in ruleset.records] == [tuple(row) for row in decided.tolist()]
    assert ruleset.counts is not None
    assert ruleset.counts.times_applied == tuple(applied.tolist())
    assert pooled.score(TABLE, LABELS) == pytest.approx(np.mean(pooled.predict(TABLE) == LABELS))
    assert pooled.score(TABLE, LABELS) > 0.8
    np.testing.assert_allclose(pooled.predict_proba(TABLE).sum(axis=1), 1.0)
    assert pooled.classes_.tolist() == ["sick", "well"]


def test_suppression_gives_rules_and_counts_of_no_few_rows() -> None:
    sites = deal(TABLE, LABELS, np.arange(200) % 2, min_cell_count=6)
    model = fit(sites)
    cells = [count for record in model.ruleset_.records for count in record.labels]
    assert all(count == 0 or count >= 6 for count in cells)
    assert model.score(TABLE, LABELS) > 0.7


def test_noise_needs_a_schema_and_ends_the_run_with_its_budget() -> None:
    def noisy(epsilon: float) -> list[Site]:
        return deal(TABLE, LABELS, np.arange(200) % 2, noise=LaplaceNoise(epsilon=epsilon, per_table=1.0))

    schema = infer_schema(TABLE, actions=["sick", "well"])
    with pytest.raises(FederationError, match="agree on a schema beforehand"):
        fit(noisy(1_000.0))
    parameters = {**SMALL, "settings": {"max_rules": 6}, "generations": 30, "schema": schema}
    sites = noisy(300.0)
    model = FederatedClassifier(**parameters).fit(sites)
    assert model.stop_reason_ == "budget"
    assert 0 < model.history_.n_generations < 31
    assert all(site.noise is not None and site.noise.spent <= 300.0 for site in sites)
    drowned = deal(TABLE, LABELS, np.arange(200) % 2, noise=LaplaceNoise(epsilon=3.0, per_table=0.01))
    counts = FederatedClassifier(**parameters).fit(drowned).ruleset_.counts
    assert counts is not None  # counts that are nearly all noise contradict each other
    with pytest.raises(FederationError, match="privacy budget is spent"):
        FederatedClassifier(**parameters).fit(noisy(10.0))


def test_a_run_ends_in_time_where_tables_are_limited() -> None:
    sites = deal(TABLE, LABELS, np.arange(200) % 2, max_tables=200)
    model = FederatedClassifier(**{**SMALL, "settings": {"max_rules": 6, "n_refined": 0}, "generations": 30}).fit(sites)
    assert model.stop_reason_ == "budget"
    assert all(100 < site.n_tables <= 200 for site in sites)


def test_a_run_is_resumed_from_its_checkpoint(pooled: FederatedClassifier, tmp_path: Path) -> None:
    sites = deal(TABLE, LABELS, np.arange(200) % 3)
    whole = fit(sites)
    fit(sites, generations=2, checkpoint=tmp_path / "run")
    assert dumps(fit(sites, checkpoint=tmp_path / "run").ruleset_) == dumps(whole.ruleset_)


def test_labels_have_their_type() -> None:
    labels = LABELS == "sick"
    model = fit(deal(TABLE, labels, np.arange(200) % 2), generations=1)
    assert model.classes_.tolist() == [False, True]
    assert set(model.predict(TABLE).tolist()) <= {False, True}
    numbers = fit(deal(TABLE, labels.astype(int) + 9, np.arange(200) % 2), generations=1)
    assert numbers.classes_.tolist() == [9, 10]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"settings": {"soft_targets": 0.5}}, "soft_targets has no effect"),
        ({"settings": {"refinement_rows": 5}}, "refinement_rows has no effect"),
        ({"settings": {"novelty_interval": 3}}, "novelty_interval has no effect"),
        ({"settings": {"operators": (1, 1, 0, 1, 1, 0)}}, "operators = and != of numbers"),
        ({"metric": "log_loss"}, "metric"),
        ({"metric": "f1_macro", "settings": {"n_refined": 4}}, "n_refined has no effect"),
        ({"min_sites": 3}, "min_sites must be 1 to 2"),
        ({"objectives": ["accuracy", "novelty"]}, "'novelty' needs which rows rules decide alike"),
        ({"objectives": ["accuracy", "selection_rate_difference"]}, "needs the groups of rows"),
        ({"objectives": ["log_loss", "complexity"]}, "the first of objectives must be one of"),
        ({"objectives": ["accuracy", "feature_cost"]}, "needs feature_prices"),
        ({"select": "neighbours"}, "behaviour"),
    ],
)
def test_parameters_without_effect_are_refused(parameters: dict[str, Any], message: str) -> None:
    sites = deal(TABLE, LABELS, np.arange(200) % 2)
    with pytest.raises(ValueError, match=message):
        FederatedClassifier(**{"generations": 1, "population_size": 10, **parameters}).fit(sites)


@pytest.mark.parametrize("sites", [[], [TABLE], TABLE, None])
def test_what_is_no_site_is_refused(sites: Any) -> None:
    with pytest.raises(TypeError, match=r"a list of one or more sites, Site\(X, y, name=...\)"):
        fit(sites)


def test_it_is_an_estimator_of_scikit_learn(pooled: FederatedClassifier) -> None:
    again = clone(FederatedClassifier(**SMALL))
    assert again.get_params()["population_size"] == 24
    assert isinstance(pooled.ruleset_, RuleSet)
    assert InProcess([]).addresses() == ()
