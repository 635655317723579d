"""The patients of 2009 are split as published."""

import os

import pytest

from evoter.experiments.hypotension.patients import FOREST, FOUND, TREE, Choice, load
from evoter.experiments.hypotension.window_models import Rules, Trees


def test_a_choice_makes_its_model() -> None:
    assert isinstance(FOUND.make(0), Rules)
    assert all(isinstance(Choice(kind, FOUND.windowing, None).make(0), Trees) for kind in (TREE, FOREST))


@pytest.mark.skipif("EVOTER_DATA" not in os.environ, reason="reads published data: set EVOTER_DATA to where they are")
def test_the_test_sets_are_the_challenges() -> None:
    train, tests = load()
    assert len(train.labels) == 60
    assert {name: len(patients.labels) for name, patients in tests.items()} == {"A": 10, "B": 40, "A and B": 50}
