"""Probabilities are shown for two labels only, and are those that were learnt from training rows."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score

import evoter
from evoter import EvoterClassifier, write_report
from evoter.analysis.formatting import percent
from pages import Page, read_page

RULES = evoter.parse("x > 5 -> sick; Default -> well")
TRAIN = pd.DataFrame({"x": [9] * 10 + [1] * 10}), ["sick"] * 7 + ["well"] * 3 + ["well"] * 10
FRAME = pd.DataFrame({"x": [9, 9, 9, 1, 1, 1, 1]})
LABELS = ["sick", "sick", "well", "well", "well", "well", "sick"]


def report(tmp_path: Path, *arguments: Any, **options: Any) -> Page:
    page = read_page(write_report(tmp_path / "report.html", *arguments, **options))
    assert not page.mistakes
    return page


def test_shares_of_training_rows_are_the_probabilities_of_a_rule_set(tmp_path: Path) -> None:
    page = report(tmp_path, RULES, FRAME, LABELS, train=TRAIN)
    area = percent(roc_auc_score([label == "sick" for label in LABELS], FRAME["x"]))
    assert f"in {area} of all pairs" in page.text
    assert "8.3%: 1 of 4 rows. 66.7%: 2 of 3 rows" in page.text, "1 of 12 and 8 of 12, counting one row more of each"
    assert "ROC curve for sick" in page.text


def test_a_classifier_brings_its_own(tmp_path: Path) -> None:
    data = load_breast_cancer(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    model = EvoterClassifier(generations=2, random_state=0).fit(X, y)
    page = report(tmp_path, model, X[list(model.ruleset_.features_used)], y, unseen=False)
    scores = model.predict_proba(X)[:, list(model.classes_).index("malignant")]
    assert f"in {percent(roc_auc_score(y == 'malignant', scores))} of all pairs" in page.text
    brier = np.mean((scores - (y == "malignant")) ** 2)
    assert f"(Brier score) is {brier:.3f}" in page.text


@pytest.mark.parametrize(
    ("labels", "options"),
    [(None, {"train": TRAIN}), (LABELS, {}), (["sick"] * 7, {"train": TRAIN}), ([*LABELS[:-1], "?"], {"train": TRAIN})],
    ids=["no labels", "no training rows", "one label", "three labels"],
)
def test_without_two_labels_and_training_rows_there_is_nothing_to_show(
    labels: Any, options: Any, tmp_path: Path
) -> None:
    assert "ROC curve" not in report(tmp_path, RULES, FRAME, labels, **options).text
