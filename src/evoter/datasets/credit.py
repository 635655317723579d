"""Credit Approval: applications for credit cards, under names that mean nothing."""

import os
from io import StringIO
from typing import TYPE_CHECKING

from evoter.datasets.dataset import Dataset, DatasetInfo, dataset_of, load_pandas
from evoter.datasets.fetching import Files, fetch
from evoter.datasets.published import published_text, unpack_text

if TYPE_CHECKING:
    import pandas as pd

_FILE = "crx.data"
_NUMBERS = ("A2", "A3", "A8", "A11", "A14", "A15")
_BOOLEANS = ("A9", "A10", "A12")


def fetch_credit_approval(
    *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> "Dataset[pd.DataFrame]":
    """Fetch Credit Approval: 690 applications, 15 features, approved (`+`) or not (`-`).

    Six features are numbers, three (published as t and f) booleans, six categories; seven have missing values.
    """
    return fetch("credit_approval", unpack_text(_FILE), _read, data_home=data_home, download=download)


def _read(info: DatasetInfo, files: Files) -> "Dataset[pd.DataFrame]":
    text = published_text(info, _FILE, files.read(_FILE), files.location)
    names = [f"A{number}" for number in range(1, 17)]
    table = load_pandas().read_csv(StringIO(text), names=names, dtype=str, na_values="?", keep_default_na=False)
    target = table.pop("A16").to_numpy(str)
    for name in table.columns:
        if name in _NUMBERS:
            table[name] = table[name].astype(float)
        elif name in _BOOLEANS:
            table[name] = table[name].map({"t": True, "f": False}).astype(bool)
        else:
            table[name] = table[name].astype("category")
    return dataset_of(info, table, target, feature_names=table.columns)
