"""Heart Failure Clinical Records: truths are booleans, and units are known."""

import pytest

from evoter.datasets import fetch_heart_failure
from publisher import Publisher, publish, real_files, zipped

FILE = "heart_failure_clinical_records_dataset.csv"
HEADER = (
    "age,anaemia,creatinine_phosphokinase,diabetes,ejection_fraction,high_blood_pressure,platelets,serum_creatinine,"
    "serum_sodium,sex,smoking,time,DEATH_EVENT\n"
)


def test_types(monkeypatch: pytest.MonkeyPatch, publisher: Publisher) -> None:
    rows = "75,0,582,0,20,1,265000,1.9,130,1,0,4,1\n60.667,1,61,1,38,0,263358.03,1.1,136,0,1,6,0\n"
    publish(monkeypatch, publisher, "heart_failure", zipped({FILE: HEADER + rows}), {"died": 1, "survived": 1})
    heart = fetch_heart_failure()
    assert heart.target.tolist() == ["died", "survived"]
    assert heart.data["anaemia"].tolist() == [False, True]
    assert heart.data["sex"].tolist() == ["male", "female"]
    assert heart.data["age"].tolist() == [75, 60.667]
    assert heart.data["smoking"].dtype == bool
    assert set(heart.units) < set(heart.feature_names)
    assert heart.units["serum_creatinine"] == "mg/dL"


def test_the_real_set() -> None:
    real_files(FILE)
    heart = fetch_heart_failure(download=False)
    assert heart.data.shape == (299, 12)
    assert (heart.data["sex"] == "male").sum() == 194  # the number of men in Chicco and Jurman (2020)
