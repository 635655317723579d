"""Diabetes 130-US Hospitals: stays in hospital, and whether the patient came back."""

import csv
import os
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

from evoter.datasets.dataset import Dataset, DatasetInfo, dataset_of, load_library, load_pandas
from evoter.datasets.fetching import Files, fetch
from evoter.datasets.published import Archive, published_text

if TYPE_CHECKING:
    import pandas as pd

_TABLE_FILE = "diabetes130.parquet"
_NAMES_FILE = "diabetes130_IDs_mapping.csv"
_PUBLISHED_TABLE = "diabetic_data.csv"
_PUBLISHED_NAMES = "IDs_mapping.csv"
_BOOLEANS = {"change": "Ch", "diabetesMed": "Yes"}
_AGES = [f"[{age}-{age + 10})" for age in range(0, 100, 10)]
_WEIGHTS = [*(f"[{weight}-{weight + 25})" for weight in range(0, 200, 25)), ">200"]
_ORDERED = {"age": _AGES, "weight": _WEIGHTS}
_DOSES = ["No", "Down", "Steady", "Up"]


def fetch_diabetes(
    *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> "Dataset[pd.DataFrame]":
    """Fetch Diabetes 130-US Hospitals: 101,766 stays, 47 features, readmitted in `<30` days, `>30` or `NO`.

    The three published id columns appear as `admission_type`, `discharge_disposition` and `admission_source`, with the
    published names in place of the numbers. `None` in `max_glu_serum` and `A1Cresult` means that no test was taken.
    Patients come more than once: `groups` is the patient. Identifiers are left out of the features.
    """
    return fetch("diabetes", _unpack, _read, data_home=data_home, download=download)


def _unpack(info: DatasetInfo, archive: Archive) -> dict[str, bytes]:
    pyarrow_csv, parquet = load_library("pyarrow.csv"), load_library("pyarrow.parquet")
    text = published_text(info, _PUBLISHED_TABLE, archive.read(_PUBLISHED_TABLE), archive.name)
    names = published_text(info, _PUBLISHED_NAMES, archive.read(_PUBLISHED_NAMES), archive.name)
    # Only columns of nothing but whole numbers become numbers; no text is read as missing.
    options = pyarrow_csv.ConvertOptions(strings_can_be_null=False, null_values=[])
    table = pyarrow_csv.read_csv(BytesIO(text.encode()), convert_options=options)
    buffer = BytesIO()
    parquet.write_table(table, buffer, compression="zstd")
    return {_TABLE_FILE: buffer.getvalue(), _NAMES_FILE: names.encode()}


def _read(info: DatasetInfo, files: Files) -> "Dataset[pd.DataFrame]":
    load_library("pyarrow")
    pandas = load_pandas()
    table = pandas.read_parquet(files.contents[_TABLE_FILE])
    patient = table.pop("patient_nbr").to_numpy()
    target = table.pop("readmitted").to_numpy(str)
    table = table.drop(columns="encounter_id")
    names = _names(published_text(info, _PUBLISHED_NAMES, files.read(_NAMES_FILE), files.location))
    for column in table.columns:
        if column in names:
            table[column] = pandas.Categorical(table[column].map(names[column]))
        elif column in _BOOLEANS:
            table[column] = table[column] == _BOOLEANS[column]
        elif pandas.api.types.is_integer_dtype(table[column]):
            table[column] = table[column].astype("int64")
        else:
            table[column] = _categories(pandas, column, table[column])
    table = table.rename(columns=lambda column: column.removesuffix("_id"))
    return dataset_of(
        info, table, target, feature_names=table.columns, groups=patient, units={"time_in_hospital": "days"}
    )


def _categories(pandas: Any, column: str, values: Any) -> Any:
    present = values.where(values != "?")
    if column in _ORDERED:
        return pandas.Categorical(present, _ORDERED[column], ordered=True)
    seen = sorted(present.dropna().unique())
    # Doses are listed from none to more, not by the alphabet.
    return pandas.Categorical(present, _DOSES if set(seen) <= set(_DOSES) else seen)


def _names(text: str) -> dict[str, dict[int, str | None]]:
    """Read the three tables of names, one under the other; NULL means that nothing was recorded."""
    names: dict[str, dict[int, str | None]] = {}
    for row in csv.reader(StringIO(text)):
        if row[0].endswith("_id"):
            names[row[0]] = {}
        elif row[0]:
            name = row[1].strip()
            names[list(names)[-1]][int(row[0])] = None if name == "NULL" else name
    return names
