"""The one way every data set is fetched: find its files, read them, and check that they are the published set."""

import os
from collections.abc import Callable

import numpy as np

from evoter.datasets.catalogue import DATASETS
from evoter.datasets.dataset import Data, Dataset, DatasetError, DatasetInfo
from evoter.datasets.places import Files, Unpack, find_files
from evoter.datasets.published import REMEDY, reading


def fetch(
    name: str,
    unpack: Unpack | None,
    read: Callable[[DatasetInfo, Files], Dataset[Data]],
    *,
    data_home: str | os.PathLike[str] | None,
    download: bool,
) -> Dataset[Data]:
    """Fetch a data set of the catalogue.

    Raises
    ------
    DatasetError
        If its files are not found, cannot be downloaded, or do not hold the published set.
    ImportError
        If a library of the extra `data` is not installed.
    """
    info = DATASETS[name]
    files = find_files(info, unpack, data_home=data_home, download=download)
    place = f"{files.place}: {', '.join(files.form.files)}"
    with reading(place, info):
        dataset = read(info, files)
    _check(dataset, info, files, place)
    files.keep()
    return dataset


def _check(dataset: Dataset[Data], info: DatasetInfo, files: Files, place: str) -> None:
    """Refuse a data set whose shape or counts are not the published ones."""
    facts: list[tuple[str, object, object]] = [("features", len(dataset.feature_names), info.n_features)]
    if files.form.class_counts is not None:
        published = dict(sorted(files.form.class_counts.items()))
        facts.append(("rows of each class", dataset.class_counts, published))
    if files.form.n_groups is not None and dataset.groups is not None:
        facts.append(("groups", np.unique(dataset.groups).size, files.form.n_groups))
    for what, found, expected in facts:
        if found != expected:
            raise DatasetError(f"{place} is not {info.title} as published: {what}: {found}, not {expected}; {REMEDY}")
