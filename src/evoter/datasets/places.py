"""Where the files of a data set lie: a given directory, EVOTER_DATA, the cache, or else the publisher's server."""

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from evoter.datasets.dataset import DatasetError, DatasetInfo, Form
from evoter.datasets.download import downloaded
from evoter.datasets.published import Archive, reading
from evoter.rules.files.writing import write_file

DATA_VARIABLE = "EVOTER_DATA"
CACHE_VARIABLE = "EVOTER_CACHE"

Unpack = Callable[[DatasetInfo, Archive], dict[str, bytes]]
"""Turns a publisher's archive into the files that are kept, by name."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one form of a data set, on disk or in memory, and the place to name in errors.

    What was unpacked from an archive is to be kept in `keep_in`, once it has proved to be the data set.
    """

    form: Form
    place: str
    contents: Mapping[str, Path | BytesIO]
    keep_in: Path | None = None

    def read(self, name: str) -> bytes:
        """Return the whole content of a file."""
        content = self.contents[name]
        return content.read_bytes() if isinstance(content, Path) else content.getvalue()

    def keep(self) -> None:
        """Write what was unpacked where the next call finds it; a directory that cannot be written serves as well."""
        if self.keep_in is None or not _is_writable(self.keep_in):
            return
        for name in self.contents:
            write_file(self.keep_in / name, self.read(name))


def cache_folder() -> Path:
    """Return the directory downloads are kept in: `$EVOTER_CACHE/datasets`, else `~/.cache/evoter/datasets`."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return (Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "evoter") / "datasets"


def find_files(
    info: DatasetInfo, unpack: Unpack | None, *, data_home: str | os.PathLike[str] | None, download: bool
) -> Files:
    """Find the files of a data set, or download them.

    A given `data_home` is the only place looked at. An archive as the publisher names it serves as well as the files.
    `unpack` is None for a set that its publisher offers in no archive.
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
    remedy = f"put it into a directory and name that by data_home or ${DATA_VARIABLE}"
    if info.url is None or unpack is None:
        raise DatasetError(f"{looked}, and its publisher ({info.source}) offers no such table: {remedy}")
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
        raise DatasetError(f"{name} is {folder}, which is no directory: create it, or name the one that holds the data")
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
    if not _is_writable(folder):  # said before the download, which would be for nothing
        raise DatasetError(f"{folder}: downloads cannot be kept there; name another directory by ${CACHE_VARIABLE}")
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
