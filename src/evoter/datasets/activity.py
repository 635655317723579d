"""Human Activity Recognition Using Smartphones: what people do, from features or from the signals themselves."""

import os
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evoter.datasets.dataset import Dataset, DatasetInfo, dataset_of, load_library, load_pandas
from evoter.datasets.fetching import Files, fetch
from evoter.datasets.published import Archive

if TYPE_CHECKING:
    import pandas as pd

_FEATURES_FILE = "har_static.parquet"
_SIGNALS_FILE = "har_inertial.npz"
_ACTIVITIES = np.array(["WALKING", "WALKING_UPSTAIRS", "WALKING_DOWNSTAIRS", "SITTING", "STANDING", "LAYING"])
SIGNALS = tuple(f"{sensor}_{axis}" for sensor in ("total_acc", "body_acc", "body_gyro") for axis in "xyz")


def fetch_human_activity(
    *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> "Dataset[pd.DataFrame]":
    """Fetch Human Activity Recognition: 10,299 windows of 30 subjects, 561 features, six activities.

    The features were scaled to [-1, 1] by the publishers. Their numbers make the repeated names unique. `groups` is
    the subject; the published test rows are those of nine subjects.
    """
    return fetch("human_activity", _unpack, _read_features, data_home=data_home, download=download)


def fetch_human_activity_signals(
    *, data_home: str | os.PathLike[str] | None = None, download: bool = True
) -> "Dataset[NDArray[np.float32]]":
    """Fetch the signals behind Human Activity Recognition: 10,299 windows, nine signals, 128 samples at 50 Hz.

    The rows are those of `fetch_human_activity`, in the same order.
    """
    return fetch("human_activity_signals", _unpack, _read_signals, data_home=data_home, download=download)


def _unpack(info: DatasetInfo, archive: Archive) -> dict[str, bytes]:
    """Both data sets come in one archive, so both are kept, whichever was asked for."""
    published = archive.inner("UCI HAR Dataset.zip")
    activity = {part: _numbers(published, f"{part}/y_{part}.txt", np.int8) for part in ("train", "test")}
    subject = {part: _numbers(published, f"{part}/subject_{part}.txt", np.int8) for part in ("train", "test")}
    return {
        _FEATURES_FILE: _features_table(published, activity, subject),
        _SIGNALS_FILE: _signals_file(published, activity, subject),
    }


def _numbers(archive: Archive, path: str, dtype: type[np.generic]) -> NDArray[np.generic]:
    return np.loadtxt(BytesIO(archive.read(path)), dtype=dtype)


def _features_table(
    archive: Archive, activity: dict[str, NDArray[np.generic]], subject: dict[str, NDArray[np.generic]]
) -> bytes:
    pyarrow, parquet = load_library("pyarrow"), load_library("pyarrow.parquet")
    names = archive.read("features.txt").decode().split("\n")
    X = np.concatenate([_numbers(archive, f"{part}/X_{part}.txt", np.float32) for part in ("train", "test")])
    columns = {
        "set": ["train"] * len(activity["train"]) + ["test"] * len(activity["test"]),
        "subject": np.concatenate([subject["train"], subject["test"]]),
        "activity": np.concatenate([activity["train"], activity["test"]]),
        **dict(zip((name.strip() for name in names if name.strip()), X.T.copy(), strict=True)),
    }
    buffer = BytesIO()
    parquet.write_table(pyarrow.table(columns), buffer, compression="zstd")
    return buffer.getvalue()


def _signals_file(
    archive: Archive, activity: dict[str, NDArray[np.generic]], subject: dict[str, NDArray[np.generic]]
) -> bytes:
    arrays: dict[str, NDArray[np.generic]] = {"signals": np.array(SIGNALS), "activities": _ACTIVITIES}
    for part in ("train", "test"):
        arrays[f"X_{part}"] = np.stack(
            [_numbers(archive, f"{part}/Inertial Signals/{signal}_{part}.txt", np.float32) for signal in SIGNALS],
            axis=1,
        )
        arrays[f"y_{part}"] = activity[part]
        arrays[f"subject_{part}"] = subject[part]
    buffer = BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _read_features(info: DatasetInfo, files: Files) -> "Dataset[pd.DataFrame]":
    load_library("pyarrow")
    table = load_pandas().read_parquet(files.contents[_FEATURES_FILE])
    published_test = (table.pop("set") == "test").to_numpy()
    subject = table.pop("subject").to_numpy()
    activity = table.pop("activity").to_numpy()
    return dataset_of(
        info,
        table,
        _ACTIVITIES[activity - 1],
        feature_names=table.columns,
        groups=subject,
        published_test=published_test,
    )


def _read_signals(info: DatasetInfo, files: Files) -> "Dataset[NDArray[np.float32]]":
    with np.load(files.contents[_SIGNALS_FILE], allow_pickle=False) as arrays:
        windows, activity, subject = (
            np.concatenate([arrays[f"{name}_train"], arrays[f"{name}_test"]]) for name in ("X", "y", "subject")
        )
        n_train = len(arrays["y_train"])
        names = tuple(arrays["signals"].tolist())
    if windows.shape[1:] != (len(SIGNALS), 128) or names != SIGNALS:
        raise ValueError(f"signals {names} in windows of shape {windows.shape[1:]}")
    return dataset_of(
        info,
        windows,
        _ACTIVITIES[activity - 1],
        feature_names=names,
        groups=subject,
        published_test=np.arange(len(activity)) >= n_train,
        units={signal: "rad/s" if "gyro" in signal else "g" for signal in names},
    )
