"""The runner of decision boundaries measures the models it is asked for."""

from evoter.experiments.boundaries.runner import run


def test_what_is_wrong_is_measured() -> None:
    found = run("linear", ["rule", "tree"], 0, n_examples=100)
    assert list(found) == ["rule", "tree"]
    assert found["rule"].measures == {"wrong": 0.0, "size": 1}
    assert 0 < found["tree"].measures["wrong"] < 0.3
