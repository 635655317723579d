"""The manifest of a fit: the names and checksums of all files that it wrote, kept in its record.

The record is the last file that a fit puts in place. If a fit is killed before, or files are copied or edited later,
the checksums tell which of the files beside the record are not those that it describes.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from evoter.cli.fit_records import RECORD_FORMAT, record_path
from evoter.rules.errors import RuleFileError
from evoter.rules.files.document import parse_document, read_file

KEY = "manifest"
"""Where a record has its manifest."""


@dataclass(frozen=True, slots=True)
class FileSet:
    """The files beside a record that its manifest names: those that are as it says, and the others."""

    record: str
    fitting: tuple[str, ...]
    others: tuple[str, ...]


def make_manifest(record: Path, contents: Mapping[Path, bytes], failed: Iterable[Path]) -> dict[str, str | None]:
    """Return the checksums of the files of a fit; None for files that are not of this fit but look as if they were.

    These are the files that this fit `failed` to make, and those that an earlier one wrote and this one does not.
    """
    checksums = {path.name: hashlib.sha256(content).hexdigest() for path, content in contents.items()}
    earlier = [name for name in read(record) if (record.parent / name).is_file()]
    return dict.fromkeys([path.name for path in failed] + earlier, None) | checksums


def find_files(rules: Path) -> FileSet | None:
    """Return the files of the fit that wrote a rule file, None if there is no record of it with a manifest."""
    record = record_path(rules)
    fitting: list[str] = []
    others: list[str] = []
    for name, checksum in read(record).items():
        path = record.parent / name
        if path.is_file():  # if not, it was not copied with the others, for example
            (fitting if hashlib.sha256(path.read_bytes()).hexdigest() == checksum else others).append(name)
    return FileSet(record.name, tuple(fitting), tuple(others)) if fitting or others else None


def read(record: Path) -> dict[str, object]:
    """Return the manifest of a record, empty if there is none; a record may have been written by anybody."""
    try:
        document = parse_document(read_file(record))
    except (OSError, RuleFileError):  # `evoter.cli.fit_records` reports it
        return {}
    if not isinstance(document, dict) or document.get("format") != RECORD_FORMAT:
        return {}
    manifest = document.get(KEY)
    entries = manifest.items() if isinstance(manifest, dict) else ()
    return {name: checksum for name, checksum in entries if Path(name).name == name != record.name and "\0" not in name}
