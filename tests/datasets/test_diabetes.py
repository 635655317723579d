"""Diabetes 130-US Hospitals: names for numbers, missing values, and the published text byte for byte."""

from pathlib import Path

import pandas as pd
import pytest

from evoter.datasets import fetch_diabetes
from publisher import Publisher, publish, real_files, zipped

NAMES = (
    "admission_type_id,description\r\n1,Emergency\r\n6,NULL\r\n,\r\n"
    "discharge_disposition_id,description\r\n1,Discharged to home\r\n11,Expired\r\n,\r\n"
    'admission_source_id,description\r\n1, Physician Referral\r\n8," Court/Law Enforcement"\r\n'
)


def published_table() -> str:
    columns = {
        "encounter_id": "10 11 12",
        "patient_nbr": "7 7 9",
        "race": "Caucasian ? Asian",
        "gender": "Female Male Unknown/Invalid",
        "age": "[90-100) [0-10) [0-10)",
        "weight": "? ? >200",
        "admission_type_id": "1 6 1",
        "discharge_disposition_id": "11 1 1",
        "admission_source_id": "1 8 8",
        "time_in_hospital": "1 3 14",
        "diag_1": "250.83 ? V57",
        "max_glu_serum": "None >200 Norm",
        "insulin": "No Up Steady",
        "change": "No Ch Ch",
        "diabetesMed": "Yes No Yes",
        **{f"other_{place}": "0 1 2" for place in range(34)},
        "readmitted": "NO >30 <30",
    }
    rows = zip(*(values.split() for values in columns.values()), strict=True)
    return "".join(",".join(row) + "\r\n" for row in [tuple(columns), *rows])


def test_types(monkeypatch: pytest.MonkeyPatch, publisher: Publisher) -> None:
    archive = zipped({"dataset/diabetic_data.csv": published_table(), "dataset/IDS_mapping.csv": NAMES})
    publish(monkeypatch, publisher, "diabetes", archive, {"NO": 1, ">30": 1, "<30": 1}, n_groups=2)
    diabetes = fetch_diabetes()
    table = diabetes.data
    assert diabetes.target.tolist() == ["NO", ">30", "<30"]
    assert diabetes.groups is not None
    assert diabetes.groups.tolist() == [7, 7, 9]
    assert not {"encounter_id", "patient_nbr", "readmitted"} & set(table.columns)
    assert table["admission_type"].tolist()[::2] == ["Emergency", "Emergency"]
    assert pd.isna(table["admission_type"][1])
    assert table["discharge_disposition"].tolist() == ["Expired", "Discharged to home", "Discharged to home"]
    assert table["admission_source"].tolist() == ["Physician Referral"] + ["Court/Law Enforcement"] * 2
    assert table["race"].isna().tolist() == [False, True, False]
    assert table["max_glu_serum"].tolist() == ["None", ">200", "Norm"]
    assert table["age"].cat.ordered
    assert table["age"].min() == "[0-10)"
    assert table["weight"].cat.categories[-1] == ">200"
    assert table["insulin"].cat.categories.tolist() == ["No", "Down", "Steady", "Up"]
    assert table["change"].tolist() == [False, True, True]
    assert table["diabetesMed"].tolist() == [True, False, True]
    assert table["diag_1"].tolist()[::2] == ["250.83", "V57"]
    assert table["time_in_hospital"].tolist() == [1, 3, 14]
    pd.testing.assert_frame_equal(fetch_diabetes(download=False).data, table)


def test_the_real_set_from_an_archive_is_the_one_at_hand(tmp_path: Path) -> None:
    parquet, names = real_files("diabetes130.parquet", "diabetes130_IDs_mapping.csv")
    at_hand = fetch_diabetes(download=False)
    text = pd.read_parquet(parquet).to_csv(index=False, lineterminator="\r\n")
    archive = zipped({"diabetic_data.csv": text, "IDS_mapping.csv": names.read_bytes()})
    (tmp_path / "diabetes+130-us+hospitals+for+years+1999-2008.zip").write_bytes(archive)
    unpacked = fetch_diabetes(data_home=tmp_path)
    assert at_hand.data.equals(unpacked.data)  # pandas' own comparison for tests takes half a minute
    assert (unpacked.target == at_hand.target).all()
    assert at_hand.data["race"].isna().sum() == 2273
    assert (at_hand.data["discharge_disposition"] == "Expired").sum() == 1642
