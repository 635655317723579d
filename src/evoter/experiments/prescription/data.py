"""The two clinical data sets as tasks of prescription: contexts, actions, outcomes and their scores."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from evoter.datasets import fetch_diabetes, fetch_heart_failure

HEALTHY_EJECTION = 60.0
HEALTHY_CREATININE = 0.9
"""What the two interventions of heart failure bring about: at least the one, at most the other."""

INTERVENTIONS: dict[str, dict[str, Callable[[NDArray[Any]], NDArray[Any]]]] = {
    "ejection fraction": {"ejection_fraction": lambda values: np.maximum(values, HEALTHY_EJECTION)},
    "serum creatinine": {"serum_creatinine": lambda values: np.minimum(values, HEALTHY_CREATININE)},
}

READMISSION = {"NO": 1.0, "<30": 0.0, ">30": -1.0}
DISCHARGE = {"home": 2.0, "hospital": -1.0, "against advice": -1.0, "elsewhere": -1.0, "died": -4.0}
SCORES: Mapping[str, Mapping[str, float]] = {"readmission": READMISSION, "discharge": DISCHARGE}

NEVER_GIVEN = ("examide", "citoglipton")

_HOME = ("Discharged to home", "Discharged/transferred to home with home health service")
_DIAGNOSES = {
    "circulatory": [(390, 460), (785, 786)],
    "respiratory": [(460, 520), (786, 787)],
    "digestive": [(520, 580), (787, 788)],
    "diabetes": [(250, 251)],
    "injury": [(800, 1000)],
    "musculoskeletal": [(710, 740)],
    "genitourinary": [(580, 630), (788, 789)],
    "neoplasms": [(140, 240)],
}
"""Groups of ICD-9 codes, from the first up to but not including the second."""

_KEPT = (
    "race",
    "gender",
    "admission_type",
    "admission_source",
    "time_in_hospital",
    "num_lab_procedures",
    "num_procedures",
    "number_outpatient",
    "number_emergency",
    "number_inpatient",
    "number_diagnoses",
    "max_glu_serum",
    "A1Cresult",
)
_N_SPECIALTIES = 10


class Stays(NamedTuple):
    """Stays in hospital: the context, the medications given (0 or 1), what came of it, and the patient."""

    context: pd.DataFrame
    medications: pd.DataFrame
    outcomes: pd.DataFrame
    patients: NDArray[Any]

    def rows(self, indices: NDArray[np.integer[Any]]) -> "Stays":
        """Return some of the stays."""
        tables = (self.context.iloc[indices], self.medications.iloc[indices], self.outcomes.iloc[indices])
        return Stays(*tables, self.patients[indices])


def heart_failure() -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Return the patients, without the time that is known only afterwards, and which of them died."""
    data = fetch_heart_failure()
    return data.data.drop(columns="time"), (data.target == "died").astype(np.int64)


def diabetes() -> Stays:
    """Return all stays whose discharge is known, with the 21 medications that were ever given."""
    data = fetch_diabetes()
    table = data.data
    discharge = table["discharge_disposition"].astype(object).map(_discharge)
    known = np.flatnonzero(discharge.notna().to_numpy())
    doses = [name for name in table.columns if set(table[name].dropna().unique()) <= {"No", "Down", "Steady", "Up"}]
    given = [name for name in doses if name not in NEVER_GIVEN]
    context = table[list(_KEPT)].copy()
    context.insert(2, "age", table["age"].cat.codes * 10)
    specialty = table["medical_specialty"].astype(object)
    frequent = specialty.value_counts().index[:_N_SPECIALTIES]
    context["specialty"] = pd.Categorical(specialty.where(specialty.isna() | specialty.isin(frequent), "other"))
    for number in (1, 2, 3):
        codes = pd.to_numeric(table[f"diag_{number}"].astype(object), errors="coerce")
        context[f"diagnosis_{number}"] = pd.Categorical(codes.map(_group), [*_DIAGNOSES, "other"])
    outcomes = pd.DataFrame({"readmission": data.target, "discharge": discharge})
    medications = (table[given].astype(object) != "No").astype(np.int64)
    assert data.groups is not None
    return Stays(context, medications, outcomes, data.groups).rows(known)


def _discharge(name: object) -> str | None:
    text = str(name)
    if name is None or text in ("nan", "Not Mapped", "Unknown/Invalid"):
        return None
    if "Expired" in text:
        return "died"
    if text in _HOME or "Home IV" in text:
        return "home"
    if text == "Left AMA":
        return "against advice"
    if text.startswith(("Admitted as an inpatient", "Still patient")):
        return "hospital"
    return "elsewhere"


def _group(code: float) -> str:
    for name, ranges in _DIAGNOSES.items():
        if any(first <= code < last for first, last in ranges):
            return name
    return "other"


def _encoder() -> ColumnTransformer:
    numbers = make_column_selector(dtype_include=[np.number, "bool"])
    others = make_column_selector(dtype_exclude=[np.number, "bool"])
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    return ColumnTransformer([("n", scaled, numbers), ("o", OneHotEncoder(handle_unknown="ignore"), others)])


def forest(seed: int | None = None) -> Pipeline:
    """Return the predictor of the heart-failure experiment."""
    return make_pipeline(_encoder(), RandomForestClassifier(200, random_state=seed))


def network(seed: int | None = None, n_epochs: int = 20) -> Pipeline:
    """Return the predictor of the diabetes experiment: a network that stops when it learns no more."""
    model = MLPClassifier((32,), early_stopping=True, max_iter=n_epochs, n_iter_no_change=3, random_state=seed)
    return make_pipeline(_encoder(), model)
