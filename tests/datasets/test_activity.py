"""Human activity: one archive gives both sets, row by row the same windows."""

import numpy as np
import pytest

from evoter.datasets import DATASETS, fetch_human_activity, fetch_human_activity_signals
from evoter.datasets.activity import SIGNALS
from publisher import Publisher, publish, real_files, zipped

N = {"train": 5, "test": 2}
COUNTS = {"WALKING": 2, "SITTING": 3, "LAYING": 2}
LABELS = {"train": [1, 4, 4, 6, 1], "test": [4, 6]}
SUBJECTS = {"train": [1, 1, 3, 3, 3], "test": [2, 2]}


def lines(array: object) -> str:
    """Write numbers as they were published: in columns, in scientific notation, with spaces before each."""
    rows = np.atleast_2d(np.asarray(array))
    return "".join("".join(f"  {value: .7e}" for value in row) + "\n" for row in rows)


def human_activity_archive(rng: np.random.Generator) -> tuple[bytes, np.ndarray, np.ndarray]:
    """Return an archive within an archive, its features and its signals."""
    features = rng.uniform(-1, 1, (7, 561)).astype(np.float32)
    signals = rng.normal(size=(7, 9, 128)).astype(np.float32)
    names = [f"{place + 1} feature{place % 500}" for place in range(561)]
    files = {"UCI HAR Dataset/features.txt": "\n".join(names) + "\n", "UCI HAR Dataset/README.txt": ""}
    for part, rows in {"train": slice(0, 5), "test": slice(5, 7)}.items():
        folder = f"UCI HAR Dataset/{part}"
        files[f"__MACOSX/{folder}/._X_{part}.txt"] = "junk"
        files[f"{folder}/X_{part}.txt"] = lines(features[rows])
        files[f"{folder}/y_{part}.txt"] = "".join(f"{label}\n" for label in LABELS[part])
        files[f"{folder}/subject_{part}.txt"] = "".join(f"{subject}\n" for subject in SUBJECTS[part])
        for place, signal in enumerate(SIGNALS):
            files[f"{folder}/Inertial Signals/{signal}_{part}.txt"] = lines(signals[rows, place])
    outer = zipped({"UCI HAR Dataset.names": "", "UCI HAR Dataset.zip": zipped(files)})
    return outer, features, signals


def test_both_sets_come_from_one_download(monkeypatch: pytest.MonkeyPatch, publisher: Publisher) -> None:
    archive, features, signals = human_activity_archive(np.random.default_rng(0))
    for name in ("human_activity", "human_activity_signals"):
        publish(monkeypatch, publisher, name, archive, COUNTS, n_groups=3)
    static, raw = fetch_human_activity(), fetch_human_activity_signals()
    assert len(publisher.requests) == 1
    assert static.data.dtypes.unique().tolist() == [np.float32]
    np.testing.assert_allclose(static.data.to_numpy(), features, rtol=1e-6)
    assert static.feature_names[0] == "1 feature0"
    assert raw.data.dtype == np.float32
    np.testing.assert_allclose(raw.data, signals, rtol=1e-6)
    assert raw.feature_names == SIGNALS
    assert raw.units["total_acc_x"] == "g"
    assert raw.units["body_gyro_z"] == "rad/s"
    for dataset in (static, raw):
        assert dataset.target.tolist() == ["WALKING", "SITTING", "SITTING", "LAYING", "WALKING", "SITTING", "LAYING"]
        assert dataset.groups is not None
        assert dataset.groups.tolist() == [1, 1, 3, 3, 3, 2, 2]
        assert dataset.published_test is not None
        assert dataset.published_test.tolist() == [False] * 5 + [True] * 2


def test_the_real_sets_are_the_same_windows() -> None:
    real_files("har_static.parquet", "har_inertial.npz")
    static, raw = fetch_human_activity(download=False), fetch_human_activity_signals(download=False)
    assert static.data.shape == (10_299, 561)
    assert raw.data.shape == (10_299, 9, 128)
    assert np.array_equal(static.target, raw.target)
    np.testing.assert_array_equal(static.groups, raw.groups)
    np.testing.assert_array_equal(static.published_test, raw.published_test)
    assert static.published_test is not None
    assert static.published_test.sum() == 2947
    mean = static.data["1 tBodyAcc-mean()-X"].to_numpy()
    assert np.corrcoef(mean, raw.data[:, SIGNALS.index("body_acc_x")].mean(axis=1))[0, 1] > 0.999
    assert set(static.target) == set(DATASETS["human_activity"].classes)
