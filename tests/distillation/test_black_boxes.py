"""Black boxes of all kinds are asked, and what they say is read."""

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.svm import LinearSVC

from boxes import Soft, by_rules, correlated
from evoter.distillation.black_boxes import NumberAnswers, read_answers, read_black_box

TABLE = correlated(60)


def test_probabilities_are_read_by_class() -> None:
    said = read_black_box(Soft()).answers(TABLE)[0]
    turned = read_black_box(Soft(("yes", "no"))).answers(TABLE)[0]
    assert said.classes.tolist() == turned.classes.tolist() == ["no", "yes"]
    assert np.allclose(said.probabilities, turned.probabilities)


def test_a_function_of_classes_or_probabilities() -> None:
    said = read_black_box(by_rules).answers(TABLE)[0]
    assert said.labels.tolist() == by_rules(TABLE).tolist()

    def second(X: Any) -> Any:
        return Soft().predict_proba(X)[:, 1]

    soft = read_black_box(second, classes=["no", "yes"]).answers(TABLE)[0]
    assert np.allclose(soft.probabilities, Soft().predict_proba(TABLE))
    with pytest.raises(ValueError, match="probabilities, say of which two classes"):
        read_black_box(second).answers(TABLE)


def test_all_tables_share_their_classes() -> None:
    high = TABLE[by_rules(TABLE) == "high"]
    first, second = read_black_box(by_rules).answers(TABLE, high)
    assert first.classes.tolist() == second.classes.tolist() == ["high", "low", "middle"]
    assert set(second.labels) == {"high"}


def test_an_ensemble_averages_probabilities() -> None:
    box = read_black_box([Soft(), Soft(("yes", "no"))])
    assert box.name == "2 x Soft"
    assert np.allclose(box.answers(TABLE)[0].probabilities, Soft().predict_proba(TABLE))


def test_a_classifier_without_probabilities() -> None:
    numbers = TABLE[["size", "age"]]
    model = LinearSVC().fit(numbers, by_rules(TABLE))
    box = read_black_box(model)
    assert not box.soft
    assert box.answers(numbers)[0].labels.tolist() == model.predict(numbers).tolist()


def test_numbers_are_told_from_classes() -> None:
    numbers = TABLE[["size", "age"]]
    model = LinearRegression().fit(numbers, 3 * numbers["age"])
    said = read_black_box([model, model]).answers(numbers)[0]
    assert isinstance(said, NumberAnswers)
    assert np.allclose(said.values, model.predict(numbers))
    assert set(said.codes) == {0, 1, 2, 3}
    assert isinstance(read_black_box(lambda X: 3 * X["age"]).answers(numbers)[0], NumberAnswers)


def test_what_is_no_black_box_is_refused_with_a_remedy() -> None:
    with pytest.raises(TypeError, match="not int"):
        read_black_box(3)
    with pytest.raises(ValueError, match="Soft names its own"):
        read_black_box(Soft(), classes=["a", "b"])
    with pytest.raises(ValueError, match="at least one"):
        read_black_box([])
    with pytest.raises(ValueError, match="gives 1 answers for 60 rows"):
        read_black_box(lambda X: np.array(["a"])).answers(TABLE)
    with pytest.raises(ValueError, match=r"row 1 has \[0.5, 0.1\]"):
        read_answers(np.array([[0.5, 0.5], [0.5, 0.1]]), None, "box")
    with pytest.raises(ValueError, match="'c', which is none of"):
        read_answers(np.array(["a", "c"]), np.array(["a", "b"]), "box")
