"""Surfaces are what models decide over the plane, and runs measure them."""

import numpy as np

from evoter.experiments.boundaries import plane, run, surfaces


def test_the_rule_is_the_inequality_itself() -> None:
    velocity, angle = plane()
    for name, power in (("linear", 1), ("cubic", 3)):
        rule = surfaces(name, 0, 50)["rule"]
        assert (rule.shares == (0.11 * velocity**power >= 0.87 * angle)).mean() > 0.9999
        assert (rule.wrong, rule.size) == (0.0, 1)


def test_models_learn_some_of_it() -> None:
    found = surfaces("cubic", 1, 300)
    assert all(0 < found[name].wrong < 0.2 for name in ("bayes", "tree", "forest"))
    assert found["tree"].size <= 15, "four levels"
    assert all(np.all((surface.shares >= 0) & (surface.shares <= 1)) for surface in found.values())


def test_what_is_wrong_is_measured() -> None:
    found = run("linear", ["rule", "tree"], 0, n_examples=100)
    assert list(found) == ["rule", "tree"]
    assert found["rule"].measures == {"wrong": 0.0, "size": 1}
    assert 0 < found["tree"].measures["wrong"] < 0.3
