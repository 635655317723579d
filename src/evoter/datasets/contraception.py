"""Contraceptive Method Choice: married women and the kind of contraception they chose."""

import os
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from evoter.datasets.dataset import Dataset, DatasetInfo, dataset_of, load_pandas
from evoter.datasets.fetching import Files, fetch
from evoter.datasets.published import published_text, unpack_text

if TYPE_CHECKING:
    import pandas as pd

_FILE = "cmc.data"
_COLUMNS = (
    "wife_age",
    "wife_education",
    "husband_education",
    "number_of_children",
    "wife_religion",
    "wife_working",
    "husband_occupation",
    "standard_of_living",
    "media_exposure",
    "method",
)
_METHODS = np.array(["no use", "long-term", "short-term"])


def fetch_contraceptive_choice(
    *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> "Dataset[pd.DataFrame]":
    """Fetch Contraceptive Method Choice: 1,473 women, 9 features, `no use`, `long-term` or `short-term`.

    Educations and the standard of living are numbers from 1 (low) to 4 (high). The husband's occupation is one of four
    categories whose meaning was not published.
    """
    return fetch("contraceptive_choice", unpack_text(_FILE), _read, data_home=data_home, download=download)


def _read(info: DatasetInfo, files: Files) -> "Dataset[pd.DataFrame]":
    pandas = load_pandas()
    text = published_text(info, _FILE, files.read(_FILE), files.location)
    table = pandas.read_csv(StringIO(text), names=_COLUMNS, dtype="int64")
    target = _METHODS[table.pop("method").to_numpy() - 1]
    table["wife_religion"] = pandas.Categorical.from_codes(table["wife_religion"], ["non-Islam", "Islam"])
    table["wife_working"] = table["wife_working"] == 0
    table["husband_occupation"] = pandas.Categorical(table["husband_occupation"].astype(str), list("1234"))
    table["media_exposure"] = pandas.Categorical.from_codes(table["media_exposure"], ["good", "not good"])
    return dataset_of(info, table, target, feature_names=table.columns, units={"wife_age": "years"})
