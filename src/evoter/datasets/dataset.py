"""What fetching a data set returns, what is known about it beforehand, and what fetching needs."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

Data = TypeVar("Data", "pd.DataFrame", "NDArray[np.float32]", "NDArray[np.float64]")


class DatasetError(OSError):
    """A data set cannot be found, downloaded or read; the message says where, why and what to do."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way a data set is kept in a directory: its files, and the numbers by which the set is recognised.

    `sha256` is the checksum of the content, see `Dataset.checksum`: files made from published ones differ between
    versions of the libraries that write them, but their content does not. It covers the first `n_checked` rows, or all.
    """

    files: tuple[str, ...]
    class_counts: Mapping[str, int] | None = None
    n_groups: int | None = None
    sha256: str = ""
    n_checked: int | None = None


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """What is known of a data set before it is fetched; `evoter.datasets.DATASETS` lists all.

    `forms` are the ways it may lie in a directory, the one a download is kept in first; `archives` are the publisher's
    names of the archive at `url`, which is None where the publisher offers no such table. `sha256` holds the checksums
    of the published text files.
    """

    name: str
    title: str
    description: str
    n_features: int
    classes: tuple[str, ...]
    forms: tuple[Form, ...]
    source: str
    url: str | None
    archives: tuple[str, ...]
    licence: str
    citation: str
    sha256: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_rows(self) -> int | None:
        """The number of rows, where it is known before the set is read."""
        counts = self.forms[0].class_counts
        return None if counts is None else sum(counts.values())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dataset(Generic[Data]):
    """A data set, as its publishers gave it, in types that a person would expect.

    Attributes
    ----------
    name
        The key of the set in `evoter.datasets.DATASETS`.
    data
        A pandas frame with one row per case, or for signals an array (cases, signals, samples).
    target
        The class of each row, by name.
    feature_names
        The columns of `data`, or the names of the signals.
    groups
        The subject or patient of each row, for splits that keep a person together; None where rows are independent.
    published_test
        True for the rows that the publishers set aside for testing; None where they did not.
    units
        The unit of each feature that has a known one.
    after
        For a forecast: the samples after the moment of prediction, which are not features. NaN where unpublished.
    source, licence, citation
        Where the data come from, on which terms, and what to cite.
    """

    name: str
    data: Data
    target: NDArray[np.str_]
    feature_names: tuple[str, ...]
    groups: NDArray[Any] | None
    published_test: NDArray[np.bool_] | None
    units: Mapping[str, str]
    source: str
    licence: str
    citation: str
    after: NDArray[np.float64] | None = None

    @property
    def class_counts(self) -> dict[str, int]:
        """The number of rows of each class, in the order of the names."""
        names, counts = np.unique(self.target, return_counts=True)
        return dict(zip(names.tolist(), counts.tolist(), strict=True))

    def checksum(self, n_rows: int | None = None) -> str:
        """Return the SHA-256 of target, groups and data in the first rows, or in all, as doubles and text."""
        digest = hashlib.sha256()
        for values in (self.target, self.groups, self.after):
            if values is not None:
                _add_values(digest, values[:n_rows])
        if isinstance(self.data, np.ndarray):
            _add_values(digest, self.data[:n_rows])
        else:
            for name, column in self.data.iloc[:n_rows].items():
                digest.update(f"\0{name}\0".encode())
                if column.dtype == "category":
                    _add_values(digest, column.cat.codes.to_numpy())
                    _add_values(digest, np.array([str(each) for each in column.cat.categories], str))
                else:
                    _add_values(digest, column.to_numpy(np.float64, na_value=np.nan))
        return digest.hexdigest()

    def __repr__(self) -> str:
        shape = " x ".join(f"{length:,}" for length in self.data.shape)
        counts = ", ".join(f"{name} {count:,}" for name, count in self.class_counts.items())
        return f"<Dataset {self.name}: {shape}; {counts}>"


def _add_values(digest: Any, values: NDArray[Any]) -> None:
    """Add numbers as doubles, with one kind of NaN, and everything else as text."""
    if values.dtype.kind in "biuf":
        doubles = np.ascontiguousarray(values, "<f8")
        digest.update(np.where(np.isnan(doubles), np.nan, doubles).tobytes())
    else:
        digest.update("\0".join(map(str, values.tolist())).encode())


def dataset_of(
    info: DatasetInfo,
    data: Data,
    target: NDArray[np.str_],
    *,
    feature_names: Iterable[str],
    groups: NDArray[Any] | None = None,
    published_test: NDArray[np.bool_] | None = None,
    units: Mapping[str, str] | None = None,
    after: NDArray[np.float64] | None = None,
) -> Dataset[Data]:
    """Combine what was read with what is known about the data set."""
    return Dataset(
        name=info.name,
        data=data,
        target=target,
        feature_names=tuple(feature_names),
        groups=groups,
        published_test=published_test,
        units=units or {},
        source=info.source,
        licence=info.licence,
        citation=info.citation,
        after=after,
    )


def load_library(name: str) -> Any:
    """Import a library of the extra `data`, or say how to install it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        raise ImportError(
            f'fetching this data set needs {package}, which is not installed: pip install "evoter[data]"', name=package
        ) from error


def load_pandas() -> Any:
    """Import pandas, which holds tables."""
    return load_library("pandas")
