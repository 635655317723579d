"""Heart Failure Clinical Records: patients, and whether they died while they were followed."""

import os
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from evoter.datasets.dataset import Dataset, DatasetInfo, dataset_of, load_pandas
from evoter.datasets.fetching import Files, fetch
from evoter.datasets.published import published_text, unpack_text

if TYPE_CHECKING:
    import pandas as pd

_FILE = "heart_failure_clinical_records_dataset.csv"
_BOOLEANS = ("anaemia", "diabetes", "high_blood_pressure", "smoking")
_UNITS = {
    "age": "years",
    "creatinine_phosphokinase": "mcg/L",
    "ejection_fraction": "%",
    "platelets": "kiloplatelets/mL",
    "serum_creatinine": "mg/dL",
    "serum_sodium": "mEq/L",
    "time": "days",
}


def fetch_heart_failure(
    *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> "Dataset[pd.DataFrame]":
    """Fetch Heart Failure Clinical Records: 299 patients, 12 features, `died` or `survived`.

    The feature `time` is how long a patient was followed. It is known only afterwards and tells much about the end:
    drop it to predict anything.
    """
    return fetch("heart_failure", unpack_text(_FILE), _read, data_home=data_home, download=download)


def _read(info: DatasetInfo, files: Files) -> "Dataset[pd.DataFrame]":
    pandas = load_pandas()
    text = published_text(info, _FILE, files.read(_FILE), files.location)
    table = pandas.read_csv(StringIO(text))
    target = np.where(table.pop("DEATH_EVENT") == 1, "died", "survived")
    for name in _BOOLEANS:
        table[name] = table[name].astype(bool)
    table["sex"] = pandas.Categorical.from_codes(table["sex"], ["female", "male"])
    return dataset_of(info, table, target, feature_names=table.columns, units=_UNITS)
