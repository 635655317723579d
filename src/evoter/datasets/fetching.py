"""The way every data set is fetched: find its files, read them, and check that they are the published set.

Files are looked for in a given directory, or else in EVOTER_DATA, in the cache, and on the publisher's server.
"""

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np

from evoter.datasets.catalogue import DATASETS
from evoter.datasets.dataset import Data, Dataset, DatasetError, DatasetInfo, Form
from evoter.datasets.download import downloaded
from evoter.datasets.published import REMEDY, Archive, reading
from evoter.rules.files.writing import write_file

DATA_VARIABLE = "EVOTER_DATA"
CACHE_VARIABLE = "EVOTER_CACHE"

Unpack = Callable[[DatasetInfo, Archive], dict[str, bytes]]
"""Turns a publisher's archive into the files that are kept, by name."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one form of a data set, on disk or in memory, and the location to name in errors.

    What was unpacked from an archive is written to `keep_in` after it has been checked.
    """

    form: Form
    location: str
    contents: Mapping[str, Path | BytesIO]
    keep_in: Path | None = None

    def read(self, name: str) -> bytes:
        """Return the whole content of a file."""
        content = self.contents[name]
        return content.read_bytes() if isinstance(content, Path) else content.getvalue()

    def keep(self) -> None:
        """Write what was unpacked where the next call finds it, unless that directory cannot be written to."""
        if self.keep_in is None or not _is_writable(self.keep_in):
            return
        for name in self.contents:
            write_file(self.keep_in / name, self.read(name))


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
    location = f"{files.location}: {', '.join(files.form.files)}"
    with reading(location, info):
        dataset = read(info, files)
    _check(dataset, info, files, location)
    files.keep()
    return dataset


def _check(dataset: Dataset[Data], info: DatasetInfo, files: Files, location: str) -> None:
    """Refuse a data set whose shape, counts or content are not the published ones."""
    facts: list[tuple[str, object, object]] = [("features", len(dataset.feature_names), info.n_features)]
    if files.form.class_counts is not None:
        published = dict(sorted(files.form.class_counts.items()))
        facts.append(("rows of each class", dataset.class_counts, published))
    if files.form.n_groups is not None and dataset.groups is not None:
        facts.append(("groups", np.unique(dataset.groups).size, files.form.n_groups))
    if files.form.sha256:
        facts.append(("sha256 of its content", dataset.checksum(files.form.n_checked), files.form.sha256))
    for what, found, expected in facts:
        if found != expected:
            raise DatasetError(
                f"{location} is not {info.title} as published: {what}: {found}, not {expected}; {REMEDY}"
            )


def cache_folder() -> Path:
    """Return the directory downloads are kept in: `$EVOTER_CACHE/datasets`, else `~/.cache/evoter/datasets`."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return (Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "evoter") / "datasets"


def find_files(
    info: DatasetInfo, unpack: Unpack | None, *, data_home: str | os.PathLike[str] | None, download: bool
) -> Files:
    """Find the files of a data set, or download them.

    A given `data_home` is the only directory searched. The publisher's archive, under its own name, works like the
    files. `unpack` is None for a set that its publisher does not offer as an archive.
    """
    folders = _folders(data_home)
    for folder in folders:
        found = _in_folder(info, folder) or _from_archive(info, unpack, folder)
        if found:
            return found
    looked = f"{info.title}: {_wanted(info)} not found in {' or '.join(map(str, folders))}"
    if data_home is not None:
        automatic = "" if info.url is None else ", or leave data_home out to download it"
        raise DatasetError(f"{looked}: put it there{automatic}")
    remedy = f"put it into a directory and pass that as data_home or set ${DATA_VARIABLE} to it"
    if info.url is None or unpack is None:
        raise DatasetError(f"{looked}, and its publisher ({info.source}) does not offer this table: {remedy}")
    if not download:
        raise DatasetError(f"{looked}: {remedy}, or allow download=True")
    return _from_publisher(info, info.url, unpack, f"download {info.url} by other means, then {remedy}")


def _folders(data_home: str | os.PathLike[str] | None) -> list[Path]:
    if data_home is not None:
        return [_existing(Path(data_home).expanduser(), "data_home")]
    chosen = os.environ.get(DATA_VARIABLE)
    return [*([_existing(Path(chosen).expanduser(), f"${DATA_VARIABLE}")] if chosen else []), cache_folder()]


def _existing(folder: Path, name: str) -> Path:
    if not folder.is_dir():
        raise DatasetError(
            f"{name} is {folder}, which is not a directory: create it, or name the one that holds the data"
        )
    return folder


def _wanted(info: DatasetInfo) -> str:
    return " or ".join([*(" with ".join(form.files) for form in info.forms), *info.archives])


def _in_folder(info: DatasetInfo, folder: Path) -> Files | None:
    for form in info.forms:
        paths = {name: folder / name for name in form.files}
        if all(path.is_file() for path in paths.values()):
            return Files(form, str(folder), paths)
    return None


def _from_archive(info: DatasetInfo, unpack: Unpack | None, folder: Path) -> Files | None:
    paths = [folder / name for name in info.archives if (folder / name).is_file()]
    if not paths or unpack is None:
        return None
    return Files(info.forms[0], str(paths[0]), _unpacked(info, unpack, paths[0], str(paths[0])), keep_in=folder)


def _from_publisher(info: DatasetInfo, url: str, unpack: Unpack, remedy: str) -> Files:
    folder = cache_folder()
    if not _is_writable(folder):  # before the download, which would be in vain
        raise DatasetError(f"{folder}: downloads cannot be kept there; set ${CACHE_VARIABLE} to another directory")
    with downloaded(url, title=info.title, remedy=remedy) as path:
        contents = _unpacked(info, unpack, path, url)
    return Files(info.forms[0], url, contents, keep_in=folder)


def _unpacked(info: DatasetInfo, unpack: Unpack, path: Path, name: str) -> dict[str, Path | BytesIO]:
    with reading(name, info):
        archive = Archive(path, name)
        try:
            return {file: BytesIO(content) for file, content in unpack(info, archive).items()}
        finally:
            archive.close()


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
