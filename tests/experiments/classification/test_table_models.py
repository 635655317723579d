"""Models are counted as the paper counts them."""

from types import SimpleNamespace

import pytest

from evoter import parse
from evoter.experiments.classification.table_models import (
    Evoter,
    Model,
    count_full_nodes,
    decision_tree,
    gradient_boosting,
    naive_bayes,
    random_forest,
)
from steps import LEVELS, STEPS


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (decision_tree(None, 0), 2),
        (decision_tree(1, 0), 1),
        (naive_bayes(), 2 * 3 * 2),
    ],
)
def test_what_is_counted(model: Model, expected: int) -> None:
    model.fit(STEPS, LEVELS)
    assert model.complexity() == expected
    assert set(model.predict(STEPS)) <= set(LEVELS)


def test_nodes_of_all_trees_are_counted() -> None:
    """A binary tree has one leaf more than it has decisions."""
    forest = random_forest(0)
    forest.fit(STEPS, LEVELS)
    assert forest.complexity() == sum(tree.get_n_leaves() - 1 for tree in forest.estimator.estimators_)


def test_boosting_with_one_round_of_stumps_has_a_node_for_each_class() -> None:
    boosting = gradient_boosting(0)
    boosting.estimator.set_params(max_iter=1, max_leaf_nodes=2, min_samples_leaf=1)
    boosting.fit(STEPS, LEVELS)
    assert boosting.complexity() == 3


def test_conditions_of_a_rule_set_are_counted_without_its_default() -> None:
    model = Evoter(0)
    text = (
        "1. x > 1 AND y < 2 -> a\n2. x > y -> b\n3. Default -> a\nwhere\n  x: numeric\n  y: numeric\n  actions: a | b"
    )
    model.classifier.ruleset_ = parse(text)
    assert model.complexity() == 3


def test_an_interrupted_search_is_no_result() -> None:
    model = Evoter(0)
    model.classifier = SimpleNamespace(fit=lambda X, y: None, stop_reason_="interrupted")  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        model.fit(STEPS, LEVELS)


def test_full_trees_are_counted_by_their_depth() -> None:
    tree = decision_tree(2, 0)
    tree.fit(STEPS, LEVELS)
    assert count_full_nodes(tree.estimator) == 3
    forest = random_forest(0)
    forest.fit(STEPS, LEVELS)
    depths = [each.get_depth() for each in forest.estimator.estimators_]
    assert count_full_nodes(forest.estimator) == sum(2**depth - 1 for depth in depths)
    assert count_full_nodes(None) is None
