"""The record of a fit, read back: what it was fitted on and how the rows were split.

A record is for audits. Nothing that decides reads it: how the cells of a table become values is part of the rule file.
A record is untrusted input like any other, so what is used of it is checked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evoter.cli.output import Failure
from evoter.rules.errors import RuleError, RuleFileError
from evoter.rules.files.document import (
    parse_document,
    read_field,
    read_file,
    read_list,
    read_number,
    read_object,
    read_whole,
    refuse,
)
from evoter.rules.guardrails.document import read_guardrails_document
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import RuleSet

RECORD_FORMAT = "evoter-fit"
RECORD_SUFFIX = ".fit.json"
RECORD_VERSION = 1
_MAX_ROWS = 10**12
_SHA256_DIGITS = 64
_DATE_WORDS = ("year", "month", "weekday", "days", "ymd", "dmy", "mdy")


@dataclass(frozen=True, slots=True)
class RecordedColumn:
    """A column of the table of a fit: its part in the fit, its kind, and the number of rows without a value."""

    name: str
    part: str
    kind: str
    n_missing: int = 0


@dataclass(frozen=True, slots=True)
class RecordedSplit:
    """How the rows were divided: the share and the number of test rows, the seed, and a hash of the division."""

    share: float
    seed: int
    train_rows: int
    test_rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class FitRecord:
    """What the record of a fit tells: the hashes of its rules and its table, how that was read, and how it was used."""

    rules_sha256: str
    data_sha256: str
    missing: tuple[str, ...]
    target: str
    cuts: tuple[float, ...]
    columns: tuple[RecordedColumn, ...]
    split: RecordedSplit
    n_rows: int = 0
    dates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)


def record_path(rules: Path) -> Path:
    """Return the path of the record of the fit that wrote a rule file."""
    return rules.with_suffix(RECORD_SUFFIX)


def record_of(rules: Path, sha256: str) -> FitRecord | None:
    """Return the record beside a rule file if it describes these rules, which have the hash `sha256`.

    A record that cannot be read, or does not hold what a record holds, is a failure that names the place.
    """
    path = record_path(rules)
    try:
        fields = read_object(parse_document(read_file(path)), "")
        if fields.get("format") != RECORD_FORMAT:
            refuse(fields.get("format"), "format", f'"{RECORD_FORMAT}"')
        read_field(fields, "", "version", lambda value, at: read_whole(value, at, low=1, high=RECORD_VERSION))
        record = _read_record(fields)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Failure(f"{path.name} cannot be read: {error.strerror or error}", _REMEDY) from None
    except RuleFileError as error:
        raise Failure(f"{path.name}, the record of the fit: {error}", _REMEDY) from None
    return record if record.rules_sha256 == sha256 else None


def recorded_guardrails(rules: Path, ruleset: RuleSet) -> Guardrails | None:
    """Return the guardrails of the fit that wrote a rule file, also if its rules were edited since.

    None if there are none, or no record.
    """
    path = record_path(rules)
    try:
        fields = read_object(parse_document(read_file(path)), "")
        described = fields.get("guardrails")
        if fields.get("format") != RECORD_FORMAT or described is None:
            return None
        return read_guardrails_document(described, "guardrails", ruleset)
    except OSError:
        return None
    except (RuleError, RuleFileError) as error:
        raise Failure(f"{path.name}, the record of the fit: {error}", _REMEDY) from None


_REMEDY = "restore the file, or remove it to go without the record"


def _read_record(fields: Mapping[str, object]) -> FitRecord:
    return FitRecord(
        rules_sha256=_section(fields, "rules", "sha256"),
        data_sha256=_section(fields, "data", "sha256"),
        missing=tuple(_texts(read_field(fields, "", "reading", read_object))),
        target=read_field(fields, "", "target", _read_text),
        cuts=tuple(read_field(fields, "", "cuts", lambda value, at: read_list(value, at, read_number))),
        columns=tuple(read_field(fields, "", "columns", lambda value, at: read_list(value, at, _read_column))),
        split=read_field(fields, "", "split", _read_split),
        n_rows=sum(_section_count(fields, "split", key) for key in ("train_rows", "test_rows")),
        dates=_read_dates(fields.get("dates", {}), "dates"),  # earlier records have none
        labels=_texts_by_name(fields, "labels"),
        units=_texts_by_name(fields, "units"),
    )


def _texts_by_name(fields: Mapping[str, object], key: str) -> dict[str, str]:
    """Read a mapping that older records do not have."""
    named = read_object(fields.get(key, {}), key)
    return {name: _read_text(value, f"{key}.{name}") for name, value in named.items()}


def _section_count(fields: Mapping[str, object], name: str, key: str) -> int:
    return read_field(read_field(fields, "", name, read_object), name, key, _read_count)


def _read_count(value: object, path: str) -> int:
    return read_whole(value, path, low=0, high=_MAX_ROWS)


def _read_dates(value: object, path: str) -> dict[str, tuple[str, ...]]:
    return {
        column: tuple(read_list(words, f"{path}.{column}", _read_date_word))
        for column, words in read_object(value, path).items()
    }


def _read_date_word(value: object, path: str) -> str:
    if value not in _DATE_WORDS:
        refuse(value, path, f"one of {', '.join(_DATE_WORDS)}")
    return str(value)


def _section(fields: Mapping[str, object], name: str, key: str) -> str:
    return read_field(read_field(fields, "", name, read_object), name, key, _read_sha256)


def _texts(reading: Mapping[str, object]) -> list[str]:
    return read_field(reading, "reading", "missing", lambda value, at: read_list(value, at, _read_text))


def _read_column(value: object, path: str) -> RecordedColumn:
    fields = read_object(value, path)
    name, part, kind = (read_field(fields, path, key, _read_text) for key in ("name", "part", "kind"))
    return RecordedColumn(name, part, kind, read_field(fields, path, "missing", _read_count))


def _read_split(value: object, path: str) -> RecordedSplit:
    fields = read_object(value, path)
    share = read_field(fields, path, "test", read_number)
    if not 0.0 <= share < 1.0:
        refuse(share, f"{path}.test", "a share from 0 to below 1")

    def whole(key: str) -> int:
        return read_field(fields, path, key, _read_count)

    seed, train, test = map(whole, ("seed", "train_rows", "test_rows"))
    return RecordedSplit(share, seed, train, test, read_field(fields, path, "sha256", _read_sha256))


def _read_text(value: object, path: str) -> str:
    if not isinstance(value, str):
        refuse(value, path, "text")
    return value


def _read_sha256(value: object, path: str) -> str:
    if not isinstance(value, str) or len(value) != _SHA256_DIGITS or not set(value) <= set("0123456789abcdef"):
        refuse(value, path, f"a SHA-256 hash of {_SHA256_DIGITS} hexadecimal digits")
    return value
