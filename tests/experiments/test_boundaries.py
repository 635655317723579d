"""Surfaces are what models decide over the plane, and runs measure them."""

import numpy as np
import pytest

from evoter.experiments.boundaries import fitted_tree, plane, run, surfaces


def test_the_rule_is_the_inequality_itself() -> None:
    velocity, angle = plane()
    for name, power in (("linear", 1), ("cubic", 3)):
        rule = surfaces(name, 0, 50, ["rule"])["rule"]
        assert (rule.shares == (0.11 * velocity**power >= 0.87 * angle)).mean() > 0.9999
        assert (rule.wrong, rule.size) == (0.0, 1)


def test_models_learn_some_of_it() -> None:
    found = surfaces("cubic", 1, 300, ["bayes", "tree", "forest"])
    assert all(0 < found[name].wrong < 0.2 for name in ("bayes", "tree", "forest"))
    assert found["tree"].size <= 15, "four levels"
    assert all(np.all((surface.shares >= 0) & (surface.shares <= 1)) for surface in found.values())


def test_what_is_wrong_is_measured() -> None:
    found = run("linear", ["rule", "tree"], 0, n_examples=100)
    assert list(found) == ["rule", "tree"]
    assert found["rule"].measures == {"wrong": 0.0, "size": 1}
    assert 0 < found["tree"].measures["wrong"] < 0.3


@pytest.mark.parametrize(("name", "power"), [("linear", ""), ("cubic", "^3")])
def test_rules_learn_the_boundary_with_one_condition(name: str, power: str) -> None:
    for learner in ("evoter", "evoter-paper"):
        found = surfaces(name, 0, 500, [learner])[learner]
        assert found.wrong < 0.01
        assert found.size == 1
        assert f"velocity.of.cart{power} " in found.rules


def test_the_tree_is_the_one_that_is_drawn() -> None:
    tree = fitted_tree("linear", 0, 500)
    assert tree.get_depth() == 4
    assert tree.classes_.tolist() == ["Left", "Right"]
