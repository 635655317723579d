"""The catalogue names every data set, and for each there is a function that fetches it."""

import inspect
from urllib.parse import urlsplit

import pytest

from evoter import datasets
from evoter.datasets import DATASETS


def test_every_set_has_its_function() -> None:
    functions = {name.removeprefix("fetch_") for name in datasets.__all__ if name.startswith("fetch_")}
    assert functions == set(DATASETS)
    for name in functions:
        signature = str(inspect.signature(getattr(datasets, f"fetch_{name}")))
        assert "*, data_home: str | os.PathLike[str] | None = None, download: bool = True" in signature


@pytest.mark.parametrize("name", DATASETS)
def test_entries_are_consistent(name: str) -> None:
    info = DATASETS[name]
    assert info.name == name
    assert info.n_rows is None or info.n_rows >= 110
    for form in info.forms:
        assert form.class_counts is None or set(form.class_counts) == set(info.classes)
    assert info.source.startswith("https://")
    if info.url is None:
        assert not info.archives
    else:
        assert urlsplit(info.url).path.rpartition("/")[2] == info.archives[0]
        assert urlsplit(info.url).scheme == "https"
    assert all(len(checksum) == 64 for checksum in info.sha256.values())
    for form in info.forms:  # of the files as published, or else of their content
        assert len(form.sha256) == 64 or set(form.files) == set(info.sha256)
    assert info.licence
    assert info.citation.endswith(".")


def test_the_catalogue_cannot_be_changed_by_accident() -> None:
    with pytest.raises(TypeError):
        DATASETS["mine"] = DATASETS["diabetes"]  # type: ignore[index]
