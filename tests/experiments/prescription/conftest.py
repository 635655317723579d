"""Small tables in the shape of the clinical ones, so that the comparisons run without published data."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from evoter.experiments.prescription import diabetes, heart_failure
from evoter.experiments.prescription.data import Stays


@pytest.fixture
def patients(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sixty patients: the old die of the one, the others of the other value."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.integers(40, 90, 60),
            "ejection_fraction": rng.integers(20, 70, 60).astype(float),
            "serum_creatinine": rng.uniform(0.6, 3.0, 60),
            "sex": pd.Categorical(rng.choice(["female", "male"], 60)),
        }
    )
    for name in ("anaemia", "diabetes", "high_blood_pressure", "smoking"):
        table[name] = rng.random(60) < 0.5
    for name in ("creatinine_phosphokinase", "platelets", "serum_sodium"):
        table[name] = rng.random(60)
    died = np.where(table["age"] > 65, table["ejection_fraction"] < 40, table["serum_creatinine"] > 1.5).astype(
        np.int64
    )
    monkeypatch.setattr(heart_failure, "heart_failure", lambda: (table, died))
    return table


@pytest.fixture
def stays(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Four hundred stays of two hundred patients: who is old does better with insulin, others with metformin."""
    rng = np.random.default_rng(0)
    n = 400
    context = pd.DataFrame({"age": rng.integers(20, 90, n), "specialty": pd.Categorical(rng.choice(["a", "b"], n))})
    given = rng.choice(["insulin", "metformin"], n)
    medications = pd.DataFrame({name: (given == name).astype(np.int64) for name in ("insulin", "metformin")})
    good = rng.random(n) < np.where((context["age"] > 60) == (given == "insulin"), 0.9, 0.2)
    outcomes = pd.DataFrame(
        {
            "readmission": np.where(good, "NO", rng.choice(["<30", ">30"], n)),
            "discharge": np.where(good, "home", rng.choice(["died", "elsewhere", "hospital", "against advice"], n)),
        }
    )
    made = Stays(context, medications, outcomes, np.repeat(np.arange(n // 2), 2))
    monkeypatch.setattr(diabetes, "diabetes", lambda: made)
    diabetes._prepared.cache_clear()
    yield made
    diabetes._prepared.cache_clear()
