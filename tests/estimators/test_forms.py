"""Forms of conditions are chosen by name, and rules have no others."""

import numpy as np
import pytest

from evoter import EvoterClassifier
from evoter.estimators.forms import FORMS, SERIES_FORMS, TABLE_FORMS, read_forms
from evoter.estimators.search import settings_of
from evoter.rules.model import Condition, RuleSet, Sum


def test_names_are_checked() -> None:
    assert read_forms(None, TABLE_FORMS) == TABLE_FORMS
    assert read_forms("all", TABLE_FORMS) == FORMS
    assert read_forms("constants", TABLE_FORMS) == ("constants",)
    assert read_forms(["constants", "sums"], SERIES_FORMS) == ("constants", "sums")
    with pytest.raises(ValueError, match="forms has no 'sum'; did you mean 'sums'"):
        read_forms(["constants", "sum"], TABLE_FORMS)
    with pytest.raises(ValueError, match='lacks "constants"'):
        read_forms("sums", TABLE_FORMS)


def test_a_preset_keeps_its_forms_unless_others_are_asked_for() -> None:
    paper = settings_of(EvoterClassifier(preset="paper"))
    assert (paper.comparison_rate, paper.sum_rate, paper.set_rate) == (0.5, 0.0, 0.0)
    both = settings_of(EvoterClassifier(preset="paper", forms=["constants", "sums", "comparisons"]))
    assert (both.comparison_rate, both.sum_rate, both.set_rate) == (0.5, 0.1, 0.0)
    default = settings_of(EvoterClassifier())
    assert (default.comparison_rate, default.sum_rate, default.set_rate) == (0.0, 0.1, 0.5)
    rated = settings_of(EvoterClassifier(forms="all", settings={"sum_rate": 0.3}))
    assert (rated.comparison_rate, rated.sum_rate) == (0.2, 0.3)


def diagonal() -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(0).normal(size=(300, 2)) * [1.0, 30.0]
    return X, np.where(X[:, 0] + 0.03 * X[:, 1] > 0.2, "above", "below")


def fitted(**parameters: object) -> EvoterClassifier:
    X, y = diagonal()
    return EvoterClassifier(random_state=0, generations=12, **parameters).fit(X, y)  # type: ignore[arg-type]


def conditions(ruleset: RuleSet) -> list[Condition]:
    return [condition for rule in ruleset.rules for condition in rule.conditions]


def test_a_diagonal_boundary_is_one_sum() -> None:
    model = fitted()
    (condition,) = conditions(model.ruleset_)
    assert isinstance(condition.right, Sum)
    assert model.ruleset_.n_conditions == 2
    assert not any(feature.scaled for feature in model.schema_.features), "nothing is scaled behind the reader's back"


def test_without_sums_it_takes_constants_and_with_comparisons_scaled_terms() -> None:
    plain = fitted(forms="constants")
    assert all(isinstance(condition.right, float | int) for condition in conditions(plain.ruleset_))
    compared = fitted(forms=["constants", "comparisons"])
    assert all(feature.scaled for feature in compared.schema_.features)
    assert not any(isinstance(condition.right, Sum) for condition in conditions(compared.ruleset_))
