"""Contraceptive Method Choice: numbers become the names that were published for them."""

import pytest

from evoter.datasets import fetch_contraceptive_choice
from publisher import Publisher, publish, real_files, zipped


def test_types(monkeypatch: pytest.MonkeyPatch, publisher: Publisher) -> None:
    rows = "24,2,3,3,1,1,2,3,0,1\n45,1,3,10,0,0,3,4,1,2\n43,2,3,7,1,1,4,4,0,3\n"
    counts = {"no use": 1, "long-term": 1, "short-term": 1}
    publish(monkeypatch, publisher, "contraceptive_choice", zipped({"cmc.data": rows}), counts)
    choice = fetch_contraceptive_choice()
    assert choice.target.tolist() == ["no use", "long-term", "short-term"]
    assert choice.data.iloc[0].to_dict() == {
        "wife_age": 24,
        "wife_education": 2,
        "husband_education": 3,
        "number_of_children": 3,
        "wife_religion": "Islam",
        "wife_working": False,
        "husband_occupation": "2",
        "standard_of_living": 3,
        "media_exposure": "good",
    }
    assert choice.data["wife_working"].tolist() == [False, True, False]
    assert choice.data["media_exposure"].tolist() == ["good", "not good", "good"]
    assert choice.data["husband_occupation"].cat.categories.tolist() == ["1", "2", "3", "4"]
    assert choice.units == {"wife_age": "years"}
    assert choice.groups is None
    assert choice.published_test is None


def test_the_real_set() -> None:
    real_files("cmc.data")
    assert fetch_contraceptive_choice(download=False).data.shape == (1473, 9)
