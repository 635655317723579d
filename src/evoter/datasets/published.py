"""Files as their publishers gave them: members of archives, and texts that are checked against known checksums."""

import hashlib
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from evoter.datasets.dataset import DatasetError, DatasetInfo

MAX_UNPACKED_BYTES = 2**30
"""No published archive holds more; one that does is not what it should be."""

REMEDY = "delete the local file, if there is one, and fetch the data set again"
"""What to do about a file that is not the published one."""


@contextmanager
def reading(location: str, info: DatasetInfo) -> Iterator[None]:
    """Turn whatever goes wrong while data are read into an error that names their location."""
    try:
        yield
    except (DatasetError, ImportError):
        raise
    except Exception as error:  # a damaged file fails in more ways than can be listed
        reason = f"{type(error).__name__}: {error}"
        raise DatasetError(f"{location} cannot be read as {info.title} ({reason}); {REMEDY}") from error


class Archive:
    """A publisher's archive, in which files are found by the end of their path."""

    def __init__(self, file: Path | BytesIO, name: str) -> None:
        self.name = name
        self._zip = zipfile.ZipFile(file)
        self._n_bytes = 0

    def names(self, ending: str) -> list[str]:
        """Return the paths of all files whose path has this ending, upper and lower case alike, in order."""
        ending = ending.lower()
        return sorted(name for name in self._zip.namelist() if f"/{name}".lower().endswith(ending))

    def read(self, path: str) -> bytes:
        """Return the content of the first file whose path ends with `path`, such as `train/y_train.txt`."""
        found = self.names(f"/{path}")
        if not found:
            raise DatasetError(f"{self.name}: the archive holds no file {path}; {REMEDY}")
        self._n_bytes += self._zip.getinfo(found[0]).file_size
        if self._n_bytes > MAX_UNPACKED_BYTES:
            raise DatasetError(
                f"{self.name}: with {found[0]} it holds more than {MAX_UNPACKED_BYTES:,} bytes, unlike any published "
                f"archive; {REMEDY}"
            )
        return self._zip.read(found[0])

    def inner(self, path: str) -> "Archive":
        """Return the archive within this one whose path ends with `path`, or this one if there is none."""
        return Archive(BytesIO(self.read(path)), f"{self.name}, {path}") if self.names(f"/{path}") else self

    def close(self) -> None:
        """Close the file."""
        self._zip.close()


def published_text(info: DatasetInfo, name: str, content: bytes, location: str) -> str:
    """Return a published text with plain line ends, refusing any other text than the published one.

    Copies differ in their line ends and in empty lines at the end; the checksum is compared without regard to these.
    """
    text = content.decode("utf-8-sig").replace("\r\n", "\n").rstrip("\n") + "\n"
    expected = info.sha256.get(name)
    found = [hashlib.sha256(text.replace("\n", end).encode()).hexdigest() for end in ("\n", "\r\n")]
    if expected is not None and expected not in found:
        raise DatasetError(
            f"{location}: {name} is not the published file of {info.title}: its sha256 is {found[0]} instead of "
            f"{expected}; {REMEDY}"
        )
    return text


def unpack_text(name: str) -> Callable[[DatasetInfo, Archive], dict[str, bytes]]:
    """Return the way to unpack an archive of which one text file is kept, under its own name."""
    return lambda info, archive: {name: published_text(info, name, archive.read(name), archive.name).encode()}
