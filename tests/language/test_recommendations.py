"""Tests of recommendations in plain words, and of times that series tell."""

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

from evoter import EvoterTimeSeriesClassifier, RuleError, explain, parse
from evoter.estimators.prescription.recommendation import Alternative, Recommendation
from evoter.evolution.problem import Objective

RULES = parse(
    "age > 60 -> insulin; Default -> metformin; where age: numeric years; actions: insulin | metformin | diet"
)
RECOMMENDED = Recommendation(
    "insulin",
    explain(RULES, {"age": 71}),
    (Objective("readmission", maximise=False), Objective("years gained", maximise=True)),
    (
        Alternative("insulin", (0.123456, 2.0)),
        Alternative("metformin", (0.25, 1.5)),
        Alternative("diet", (0.5, 1.0), allowed=False),
    ),
)


def test_a_recommendation_says_why_and_what_is_predicted() -> None:
    assert RECOMMENDED.to_text("plain").split("\n") == [
        "The recommendation is insulin.",
        "Rule 1 decided, because the age is above 60 years (71 years).",
        "Predicted readmission (lower is better): 0.1235 with insulin, which is recommended; 0.25 with metformin; 0.5 with diet, which is not allowed.",
        "Predicted years gained (higher is better): 2 with insulin, which is recommended; 1.5 with metformin; 1 with diet, which is not allowed.",
    ]
    german = RECOMMENDED.to_text("plain", language="de", labels={"insulin": "Insulin", "age": "das Alter"})
    assert german.startswith(
        "Die Empfehlung lautet Insulin.\nRegel 1 hat entschieden, weil das Alter mehr als 60 Jahre beträgt (71 Jahre).\n"
        "Vorhersage für readmission (niedriger ist besser): 0,1235 mit Insulin, was empfohlen wird; 0,25 mit metformin;"
    )


def test_the_compact_form_is_as_before() -> None:
    assert RECOMMENDED.to_text() == str(RECOMMENDED)
    with pytest.raises(RuleError, match="language is for plain words"):
        RECOMMENDED.to_text(language="de")


def test_series_tell_how_long_a_step_takes() -> None:
    rng = np.random.default_rng(0)
    times = pd.date_range("2024-01-01", periods=6, freq="30min")
    frames = [pd.DataFrame({"patient": name, "time": times, "MAP": rng.normal(70, 10, 6)}) for name in range(40)]
    low = [("low" if frame["MAP"].iloc[1] < 70 else "normal") for frame in frames]
    model = EvoterTimeSeriesClassifier(
        id_column="patient", time_column="time", step=timedelta(minutes=30), generations=10, random_state=0
    ).fit(pd.concat(frames), low)
    assert model.time_step_ == (1800.0, "s")
    text = model.explain(frames[0]).to_text("plain")
    rules = model.ruleset_.to_text("plain", time_step=model.time_step_)
    assert "the MAP two hours earlier was" in rules
    assert "the MAP two hours earlier was" in text
    assert EvoterTimeSeriesClassifier().set_params(step=None).step is None
