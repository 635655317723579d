"""What a classifier answers about its decisions: how reliable they are, what would change them, and tables of them."""

import numpy as np
import pandas as pd
import pytest

from evoter.rules.answers.explanations import Explanations
from evoter.rules.errors import SchemaError
from evoter.rules.json_codec import dumps, loads
from evoter.rules.modes import Task, modes_for
from patients import diagnoses, fitted, patients

MODES = [mode.value for mode in modes_for(Task.CLASSIFICATION)]


@pytest.mark.parametrize("mode", MODES)
def test_explanations_have_the_probabilities_of_predict_proba(mode: str) -> None:
    model = fitted(mode=mode, generations=40, parsimony=1e-3)
    explanations = model.explain(patients())
    assert isinstance(explanations, Explanations)
    told = [list((one.probabilities or {}).values()) for one in explanations]
    np.testing.assert_allclose(told, model.predict_proba(patients()), rtol=1e-12)
    labels = np.array([record.labels for record in model.ruleset_.records])
    assert labels.sum(axis=1).tolist() == model.times_decided_.tolist()
    assert loads(dumps(model.ruleset_)).records == model.ruleset_.records


def test_records_are_counts_of_rows_whatever_their_weights() -> None:
    weights = np.where(diagnoses() == diagnoses()[0], 2.5, 1.0)
    model = fitted().fit(patients(), diagnoses(), sample_weight=weights)
    assert sum(record.cases for record in model.ruleset_.records) == len(patients())
    shares = np.array([record.probabilities for record in model.ruleset_.records])
    np.testing.assert_array_equal(shares, model.rule_probabilities_)


@pytest.mark.parametrize("mode", MODES)
def test_counterfactuals_change_the_prediction(mode: str) -> None:
    model = fitted(mode=mode, generations=40, parsimony=1e-3)
    changed = 0
    for position in range(0, len(patients()), 9):
        row = patients().iloc[[position]]
        for found in model.counterfactuals(row, n=2):
            values = {name: [value] for name, value in {**row.iloc[0].to_dict(), **found.row}.items()}
            (decided,) = model.predict(pd.DataFrame(values)[list(row.columns)])
            assert decided == found.decision.action != model.predict(row)[0]
            changed += 1
    assert changed > 5


def test_fixed_features_and_wanted_classes() -> None:
    model = fitted()
    row = patients().iloc[[0]]
    (other,) = (label for label in model.classes_ if label != model.predict(row)[0])
    (found,) = model.counterfactuals(row, to=other)
    assert found.decision.action == str(other)
    fixed = [change.feature.name for change in found.changes]
    for another in model.counterfactuals(row, fixed=fixed):
        assert not set(fixed) & {change.feature.name for change in another.changes}
    unread = next(name for name in patients().columns if name not in model.ruleset_.features_used)
    assert model.counterfactuals(row, fixed=[unread]) == model.counterfactuals(row)
    with pytest.raises(SchemaError, match="unknown feature 'agee'"):
        model.counterfactuals(row, fixed=["agee"])
    with pytest.raises(ValueError, match="there is no class 'iller'; the classes are"):
        model.counterfactuals(row, to="iller")
    with pytest.raises(ValueError, match="about one row, not 3"):
        model.counterfactuals(patients().iloc[:3])


def test_explanations_of_many_rows_are_short() -> None:
    model = fitted()
    explanations = model.explain(patients())
    assert isinstance(explanations, Explanations)
    assert len(repr(explanations).splitlines()) == 22
    assert model.explain(patients().iloc[[4]]) == explanations[4]
