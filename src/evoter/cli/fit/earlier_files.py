"""What an earlier fit wrote under the same names: it is kept under numbered names instead of being replaced."""

import json
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from evoter.cli.fit import manifest
from evoter.cli.fit_records import record_path
from evoter.rules.errors import RuleFileError
from evoter.rules.files.document import parse_document


def earlier_files(rules: Path, paths: Sequence[Path], contents: Mapping[Path, bytes]) -> dict[Path, bytes]:
    """Return the files that are to be kept, under numbered names, before the new `contents` are written.

    These are all of an earlier fit if its rules, or what was edited or exported of them, differ from the new ones:
    reports and records, which have a date, differ in any case. Nothing is to be kept where the same fit was repeated.
    """
    record = record_path(rules)
    named = [rules.parent / name for name in manifest.read(record)]
    old = {path: path.read_bytes() for path in dict.fromkeys([*paths, *named]) if path.is_file()}
    dated = (record, rules.with_suffix(".html"))
    if all(path in dated or contents.get(path) == content for path, content in old.items()):
        return {}
    for number in count(1):
        new = {path: numbered(path, rules, number) for path in old}
        if not any(path.exists() for path in new.values()):
            break
    names = {path.name: other.name for path, other in new.items()}
    return {new[path]: _renamed(content, names) if path == record else content for path, content in old.items()}


def numbered(path: Path, rules: Path, number: int) -> Path:
    """Return the numbered name of a file of a fit.

    >>> str(numbered(Path("data.rules.fit.json"), Path("data.rules.json"), 2))
    'data.rules.2.fit.json'
    """
    stem = rules.stem
    rest = path.name.removeprefix(stem) if path.name.startswith(f"{stem}.") else f".{path.name}"
    return path.with_name(f"{stem}.{number}{rest}")


def _renamed(content: bytes, names: Mapping[str, str]) -> bytes:
    """Return the record of a fit with other names of its files, or as it is if it is not one."""
    try:
        record: Any = parse_document(content)
    except RuleFileError:
        return content
    if not isinstance(record, dict):
        return content
    if isinstance(listed := record.get(manifest.KEY), dict):
        record[manifest.KEY] = {names.get(name, name): checksum for name, checksum in listed.items()}
    if isinstance(described := record.get("rules"), dict) and described.get("file") in names:
        record["rules"] = described | {"file": names[described["file"]]}
    return f"{json.dumps(record, ensure_ascii=False, indent=2)}\n".encode()
