"""Every setting about conditions reaches the grammar of a task."""

from typing import Any

import numpy as np
import pytest

from evoter.evolution.settings import Settings
from evoter.problems.grammars import grammar_of
from evoter.rules.schema import Feature, Kind, Schema
from tasks import MIXED, mixed_columns

COLUMNS = mixed_columns(np.random.default_rng(1), 60)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_power", 3),
        ("comparison_rate", 0.3),
        ("sum_rate", 0.7),
        ("set_rate", 0.3),
        ("missing_rate", 0.4),
        ("uniform_constants", True),
        ("constant_coefficients", True),
    ],
)
def test_a_setting_is_passed_on(name: str, value: Any) -> None:
    built = grammar_of(Settings(**{name: value}), MIXED, COLUMNS)
    assert getattr(built, name) == value
    assert getattr(grammar_of(Settings(), MIXED, COLUMNS), name) != value


def test_operators_are_drawn_as_the_settings_say() -> None:
    built = grammar_of(Settings(operators=(0.0, 0.0, 1.0, 1.0, 1.0, 1.0)), MIXED, COLUMNS)
    assert np.diff(built.operator_cdf, prepend=0.0).tolist() == [0.0, 0.0, 0.25, 0.25, 0.25, 0.25]


def test_certainties_evolve_where_they_are_used() -> None:
    assert not grammar_of(Settings(), MIXED, COLUMNS).evolve_certainty
    assert grammar_of(Settings(), MIXED, COLUMNS, evolve_certainty=True).evolve_certainty


def test_agreed_cuts_replace_those_of_the_values() -> None:
    schema = Schema((Feature("x", Kind.NUMERIC, 0.0, 10.0),), ("a", "b"))
    built = grammar_of(Settings(), schema, None, cuts=[np.array([2.5, 7.5])])
    assert built.constants.tolist() == [2.5, 7.5]
