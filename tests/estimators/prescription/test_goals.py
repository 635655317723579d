"""How outcomes become scores."""

import numpy as np
import pandas as pd
import pytest

from evoter.estimators.prescription.goals import Goal, as_predictions, make_goals, read_outcomes
from evoter.estimators.prescription.outcome_model import goal_scores

CLASSES = {"back": np.array(["<30", ">30", "NO"]), "died": np.array([0, 1]), "days": None}
PREDICTIONS = {
    "back": np.array([[0.2, 0.3, 0.5], [0.0, 0.0, 1.0]]),
    "died": np.array([[0.9, 0.1], [0.4, 0.6]]),
    "days": np.array([3.0, 5.0]),
}


def goals(**aims: object) -> tuple[Goal, ...]:
    return make_goals(aims, CLASSES)  # type: ignore[arg-type]


def test_scores_are_expectations_probabilities_numbers_or_anything() -> None:
    found = goals(
        back={"NO": 1, "<30": 0, ">30": -1},
        died="minimise",
        days="maximise",
        both=(lambda each: each["days"] * each["died"][:, 1], "minimise"),
    )
    assert [goal.objective.maximise for goal in found] == [True, False, True, False]
    assert goal_scores(found, PREDICTIONS) == pytest.approx(np.array([[0.2, 0.1, 3.0, 0.3], [1.0, 0.6, 5.0, 3.0]]))


def test_what_happened_is_a_sure_prediction() -> None:
    outcomes = {"back": np.array(["NO", "<30"]), "died": np.array([1, 0]), "days": np.array([3, 4])}
    sure = as_predictions(outcomes, CLASSES)
    found = goals(back={"NO": 1, "<30": 0, ">30": -1}, died="minimise", days="minimise")
    assert goal_scores(found, sure).tolist() == [[1.0, 1.0, 3.0], [0.0, 0.0, 4.0]]
    with pytest.raises(ValueError, match="'died' has the class 2, which training did not have"):
        as_predictions({**outcomes, "died": np.array([2, 0])}, CLASSES)


def test_outcomes_are_found_by_name() -> None:
    two = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert list(read_outcomes(pd.DataFrame(two, columns=["p", "q"]), [])) == ["p", "q"]
    assert list(read_outcomes({"p": [1, 2]}, [])) == ["p"]
    assert list(read_outcomes(pd.Series([1, 2], name="p"), ["r"])) == ["p"]
    assert list(read_outcomes([1, 2], ["r"])) == ["r"]
    assert list(read_outcomes([1, 2], [])) == ["outcome"]
    assert read_outcomes(two, ["p", "q"])["q"].tolist() == [2.0, 4.0]
    with pytest.raises(ValueError, match="pass a data frame or a mapping"):
        read_outcomes(two, ["p"])


@pytest.mark.parametrize(
    ("aims", "message"),
    [
        ({"died": {0: 1}}, "a score to each of the classes"),
        ({"days": {0: 1}}, "no classifier"),
        ({"back": "maximise"}, "give each a score"),
        ({"dyed": "minimise"}, "is no outcome; did you mean 'died'"),
        ({"died": "fewer"}, "must be 'maximise', 'minimise'"),
        ({"any": (len, "up")}, "a function comes with"),
    ],
)
def test_aims_that_make_no_sense_are_refused(aims: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        goals(**aims)


def test_functions_must_give_a_number_per_row() -> None:
    with pytest.raises(ValueError, match="a finite score for each of 2 rows"):
        goal_scores(goals(odd=lambda each: each["back"]), PREDICTIONS)
