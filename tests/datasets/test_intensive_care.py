"""Intensive care: the pressure before and after the moment of prediction, and patients put under one another."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evoter.datasets import DATASETS, DatasetError, fetch_hypotension_2009, fetch_vital_signs_2019
from evoter.datasets.catalogue import CATALOGUE
from publisher import Publisher, publish, real_files, zipped

LABORATORY = [f"lab{place}" for place in range(33)]
HEADER = "|".join(["HR", "MAP", *LABORATORY, "Gender", "Unit1", "Unit2", "HospAdmTime", "ICULOS", "SepsisLabel"])


def hours(*rows: str) -> str:
    """Return a patient's file of rows that give the heart rate, the pressure, the unit and the label."""
    written = []
    for hour, row in enumerate(rows, start=1):
        rate, pressure, unit, label = row.split()
        unit1, unit2 = {"1": ("1", "0"), "2": ("0", "1"), "NaN": ("NaN", "NaN")}[unit]
        written.append("|".join([rate, pressure, *["NaN"] * 33, "1", unit1, unit2, "-0.03", str(hour), label]))
    return "\n".join([HEADER, *written]) + "\n"


PATIENTS = {
    "training_setB/p100002.psv": hours("NaN 60.5 NaN 0"),
    "training_setB/p100001.psv": hours("80 70 1 0", "NaN NaN 1 0", "90 55 2 1"),
}


def test_patients_are_put_under_one_another(monkeypatch: pytest.MonkeyPatch, publisher: Publisher) -> None:
    publish(monkeypatch, publisher, "vital_signs_2019", zipped(PATIENTS), {"sepsis": 1, "no sepsis": 3}, n_groups=2)
    vital = fetch_vital_signs_2019()
    assert vital.groups is not None
    assert vital.groups.tolist() == [100001, 100001, 100001, 100002]
    assert vital.target.tolist() == ["no sepsis", "no sepsis", "sepsis", "no sepsis"]
    np.testing.assert_array_equal(vital.data["HR"], [80, np.nan, 90, np.nan])
    np.testing.assert_array_equal(vital.data["MAP"], [70, np.nan, 55, 60.5])
    assert vital.data["ICULOS"].tolist() == [1, 2, 3, 1]
    assert vital.data["Gender"].tolist() == ["male"] * 4
    assert vital.data["Unit1"].tolist() == [True, True, False, pd.NA]
    assert vital.units["MAP"] == "mmHg"


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"training_setB/readme.txt": ""}, "holds no patients' files"),
        ({**PATIENTS, "training_setB/p100003.psv": "HR|MAP\n1|2\n"}, "p100003.psv is not like the other"),
        ({"training_setB/p100001.psv": hours("eighty 1 1 0")}, "cannot be read as PhysioNet/CinC Challenge 2019"),
    ],
)
def test_other_archives_are_refused(
    files: dict[str, str], complaint: str, monkeypatch: pytest.MonkeyPatch, publisher: Publisher
) -> None:
    publish(monkeypatch, publisher, "vital_signs_2019", zipped(files), {"sepsis": 1})
    with pytest.raises(DatasetError, match=complaint):
        fetch_vital_signs_2019()


@pytest.fixture
def real_vital_signs() -> Path:
    """The real file, looked for before the publisher's fixture hides the real data."""
    return real_files("icu2019_setB_part.parquet")[0]


def test_the_real_vital_signs_survive_the_published_layout(
    real_vital_signs: Path, monkeypatch: pytest.MonkeyPatch, publisher: Publisher
) -> None:
    path = real_vital_signs
    whole = fetch_vital_signs_2019(data_home=path.parent)
    assert whole.data["MAP"].notna().sum() == 299_948
    some = pd.read_parquet(path, filters=[("patient", "<=", 100_020)])
    files = {
        f"training_setB/p{patient}.psv": rows.drop(columns="patient").to_csv(sep="|", index=False, na_rep="NaN")
        for patient, rows in some.groupby("patient")
    }
    counts = dict(zip(*np.unique(whole.target[: len(some)], return_counts=True), strict=True))
    publish(monkeypatch, publisher, "vital_signs_2019", zipped(files), counts, n_groups=20)
    fetched = fetch_vital_signs_2019()
    pd.testing.assert_frame_equal(fetched.data, whole.data.iloc[: len(some)])
    assert np.array_equal(fetched.target, whole.target[: len(some)])


def test_the_forecast_hour_is_no_feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = DATASETS["hypotension_2009"]
    (form,) = info.forms
    monkeypatch.setitem(CATALOGUE, info.name, replace(info, forms=(replace(form, sha256=""),)))
    pressure = np.arange(110 * 660, dtype=float).reshape(110, 660)
    ahe = np.arange(110) < 49
    np.savez(
        tmp_path / "icu_ahe2009_map.npz",
        map=pressure,
        t0=600,
        ahe=ahe.astype(np.int8),
        record=np.arange(110).astype(str),
        set=np.where(np.arange(110) < 60, "train", "test_a"),
    )
    hypotension = fetch_hypotension_2009(data_home=tmp_path)
    assert hypotension.data.shape == (110, 1, 600)
    assert hypotension.after is not None
    assert np.array_equal(np.concatenate([hypotension.data, hypotension.after], axis=2)[:, 0], pressure)
    assert hypotension.target[:1].tolist() == ["hypotension"]
    assert hypotension.published_test is not None
    assert hypotension.published_test.sum() == 50


def test_the_pressure_is_nowhere_to_be_downloaded(cache: Path) -> None:
    with pytest.raises(
        DatasetError, match=r"icu_ahe2009_map\.npz not found in .*does not offer this table.*EVOTER_DATA"
    ):
        fetch_hypotension_2009()


def test_the_real_pressure() -> None:
    real_files("icu_ahe2009_map.npz")
    hypotension = fetch_hypotension_2009()
    assert hypotension.after is not None
    assert hypotension.published_test is not None
    assert np.isfinite(hypotension.data).all()
    assert np.isnan(hypotension.after[hypotension.published_test]).all()
    assert np.isfinite(hypotension.after[~hypotension.published_test]).all()
