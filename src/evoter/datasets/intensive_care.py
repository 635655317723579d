"""Patients in intensive care: arterial pressure before acute hypotension, and vital signs before sepsis."""

import os
import re
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evoter.datasets.dataset import Dataset, DatasetError, DatasetInfo, dataset_of, load_library, load_pandas
from evoter.datasets.fetching import Files, fetch
from evoter.datasets.published import REMEDY, Archive

if TYPE_CHECKING:
    import pandas as pd

_PRESSURE_FILE = "icu_ahe2009_map.npz"
_PATIENT_FILE = re.compile(r"p(\d{6})\.psv$")
_WHOLE_NUMBERS = ("Gender", "ICULOS", "SepsisLabel")

# As published, but for Calcium, FiO2, Lactate and Magnesium: their values contradict the published units.
_VITAL_UNITS = {
    **dict.fromkeys(("SBP", "MAP", "DBP", "EtCO2", "PaCO2"), "mmHg"),
    **dict.fromkeys(("O2Sat", "SaO2", "Hct"), "%"),
    **dict.fromkeys(("BaseExcess", "HCO3", "Chloride", "Potassium"), "mmol/L"),
    **dict.fromkeys(
        ("BUN", "Creatinine", "Bilirubin_direct", "Glucose", "Phosphate", "Bilirubin_total", "Fibrinogen"), "mg/dL"
    ),
    **dict.fromkeys(("AST", "Alkalinephos"), "IU/L"),
    **dict.fromkeys(("WBC", "Platelets"), "10^3/uL"),
    **dict.fromkeys(("HospAdmTime", "ICULOS"), "hours"),
    "HR": "beats/min",
    "Temp": "°C",
    "Resp": "breaths/min",
    "TroponinI": "ng/mL",
    "Hgb": "g/dL",
    "PTT": "seconds",
    "Age": "years",
}


def fetch_hypotension_2009(
    *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> "Dataset[NDArray[np.float64]]":
    """Fetch the PhysioNet Challenge 2009: 110 patients, mean arterial pressure of 600 minutes, `hypotension` or not.

    The target is whether an acute hypotensive episode begins in the hour after the 600 minutes; that hour is `after`,
    and NaN for the test records. `groups` is the record: 101 to 110 are the Challenge's test set A, 201 to 240 its
    test set B. The minutes were derived from waveforms, which are all that PhysioNet offers: you need the file.
    """
    return fetch("hypotension_2009", None, _read_pressure, data_home=data_home, download=download)


def fetch_vital_signs_2019(
    *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> "Dataset[pd.DataFrame]":
    """Fetch training set B of the PhysioNet Challenge 2019: patients hour by hour, 40 features, `sepsis` or not.

    A row is an hour (`ICULOS`) of a patient (`groups`), in order. A download holds all 20,000 patients; the file
    `icu2019_setB_part.parquet` holds the first 9,271, those up to 109271.
    """
    return fetch("vital_signs_2019", _unpack_vital_signs, _read_vital_signs, data_home=data_home, download=download)


def _read_pressure(info: DatasetInfo, files: Files) -> "Dataset[NDArray[np.float64]]":
    with np.load(files.contents[_PRESSURE_FILE], allow_pickle=False) as arrays:
        pressure, start = arrays["map"][:, np.newaxis, :], int(arrays["t0"])
        return dataset_of(
            info,
            pressure[:, :, :start],
            np.where(arrays["ahe"] == 1, "hypotension", "no hypotension"),
            feature_names=("MAP",),
            groups=arrays["record"],
            published_test=arrays["set"] != "train",
            units={"MAP": "mmHg"},
            after=pressure[:, :, start:],
        )


def _unpack_vital_signs(info: DatasetInfo, archive: Archive) -> dict[str, bytes]:
    """Put the files of all patients, one each, under one another."""
    pyarrow, pyarrow_csv = load_library("pyarrow"), load_library("pyarrow.csv")
    header, bodies, patients, hours = b"", [], [], []
    for path in archive.names(".psv"):
        match = _PATIENT_FILE.search(path)
        first, _, body = archive.read(path).replace(b"\r\n", b"\n").partition(b"\n")
        if match is None or first != (header or first):
            raise DatasetError(f"{archive.name}: {path} is not like the other patients' files; {REMEDY}")
        header = first
        bodies.append(body if body.endswith(b"\n") else body + b"\n")
        patients.append(int(match[1]))
        hours.append(bodies[-1].count(b"\n"))
    if not bodies:
        raise DatasetError(f"{archive.name}: the archive holds no patients' files (p100001.psv, ...); {REMEDY}")
    names = header.decode().split("|")
    types = {name: pyarrow.int16() if name in _WHOLE_NUMBERS else pyarrow.float64() for name in names}
    table = pyarrow_csv.read_csv(
        BytesIO(b"".join([header, b"\n", *bodies])),
        parse_options=pyarrow_csv.ParseOptions(delimiter="|"),
        convert_options=pyarrow_csv.ConvertOptions(column_types=types, null_values=["NaN"]),
    )
    table = table.add_column(0, "patient", [np.repeat(np.array(patients, np.int32), hours)])
    buffer = BytesIO()
    load_library("pyarrow.parquet").write_table(table, buffer, compression="zstd")
    return {info.forms[0].files[0]: buffer.getvalue()}


def _read_vital_signs(info: DatasetInfo, files: Files) -> "Dataset[pd.DataFrame]":
    load_library("pyarrow")
    pandas = load_pandas()
    table = pandas.read_parquet(files.contents[files.form.files[0]])
    patient = table.pop("patient").to_numpy()
    target = np.where(table.pop("SepsisLabel") == 1, "sepsis", "no sepsis")
    table["Gender"] = pandas.Categorical.from_codes(table["Gender"], ["female", "male"])
    for unit in ("Unit1", "Unit2"):
        table[unit] = table[unit].astype("boolean")
    return dataset_of(info, table, target, feature_names=table.columns, groups=patient, units=_VITAL_UNITS)
