"""Untrusted JSON documents, read strictly: every error names the path, the value and the remedy."""

import json
import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from evoter.rules.condition import MAX_POWER, Term
from evoter.rules.errors import RuleError, RuleFileError, SchemaError, did_you_mean
from evoter.rules.schema import MAX_LAG, MAX_NAME_LENGTH, check_name

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Longer files are taken for an accident or an attack; this is room for half a million rules."""

_MAX_INTEGER_DIGITS = 400
"""No finite number has more; Python takes quadratic time over long integers, or refuses them."""

_SHOWN = 60
"""Number of characters of an offending value that are shown: enough to find it."""

_T = TypeVar("_T")
_Choice = TypeVar("_Choice", bound=StrEnum)
Reader = Callable[[object, str], Any]
"""Turns a JSON value at a path into what it stands for, or raises a RuleFileError."""


class _Repeated:
    """Stands for a JSON object with a repeated key, until a reader can say where it was."""

    def __init__(self, key: str) -> None:
        self.key = key


def parse_document(text: str | bytes) -> object:
    """Parse JSON text; only what no reader could locate is refused here."""
    if len(text) > MAX_FILE_BYTES:
        raise RuleFileError(f"the document is longer than {MAX_FILE_BYTES:,} bytes; split it into several rule sets")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RuleFileError(f"byte {error.start} is not valid UTF-8; save the document as UTF-8") from None
    if text.startswith("\ufeff"):
        raise RuleFileError("the document starts with a byte order mark; save it as UTF-8 without one")
    if not text.strip():
        raise RuleFileError("the document is empty; a JSON object is needed")
    try:
        return json.loads(text, object_pairs_hook=_distinct_keys, parse_int=_parse_integer)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise RuleFileError(
            f"not valid JSON at {where}: {error.msg}; check quotes, commas and brackets there"
        ) from None
    except RecursionError:
        raise RuleFileError("the document is nested too deeply; rule files are a few levels deep") from None


def _distinct_keys(pairs: list[tuple[str, object]]) -> "dict[str, object] | _Repeated":
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    return _Repeated(next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1))


def _parse_integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else math.inf


def read_object(value: object, path: str) -> dict[str, object]:
    """Return a JSON object whose keys are distinct."""
    if isinstance(value, _Repeated):
        raise RuleFileError(f"the key {shown(value.key)} occurs more than once; keep one of them", path=path)
    if not isinstance(value, dict):
        refuse(value, path, "an object")
    return value


def read_field(fields: Mapping[str, object], path: str, key: str, reader: Callable[[object, str], _T]) -> _T:
    """Read the value of a key that must be there."""
    check_required(fields, path, (key,))
    return reader(fields[key], below(path, key))


def below(path: str, key: str) -> str:
    """Return the path of a key of the object at a path."""
    return f"{path}.{key}" if path else key


def check_required(fields: Mapping[str, object], path: str, required: Collection[str]) -> None:
    """Refuse an object that lacks a required key."""
    for key in required:
        if key not in fields:
            raise RuleFileError(f"the key {key!r} is missing; add it", path=path)


def check_keys(fields: Mapping[str, object], path: str, required: Collection[str], known: Collection[str]) -> None:
    """Refuse an object that lacks a required key or has an unknown one."""
    check_required(fields, path, required)
    for key in fields:
        if key not in known:
            hint = did_you_mean(key, known) if len(key) <= _SHOWN else ""
            raise RuleFileError(f"unknown key {shown(key)}{hint}", path=path)


def read_record(
    value: object, path: str, make: Callable[..., _T], readers: Mapping[str, Reader], required: Collection[str]
) -> _T:
    """Read each value of an object with the reader of its key and make one thing of them."""
    fields = read_object(value, path)
    check_keys(fields, path, required, readers)
    return at(path, make, **{key: readers[key](field, below(path, key)) for key, field in fields.items()})


def at(path: str, make: Callable[..., _T], *arguments: object, **fields: object) -> _T:
    """Make something; an error about it names its path in the document."""
    try:
        return make(*arguments, **fields)
    except RuleError as error:
        raise RuleFileError(str(error), path=path) from None


def read_list(value: object, path: str, reader: Callable[[object, str], _T]) -> list[_T]:
    """Read each item of a JSON array."""
    if not isinstance(value, list):
        refuse(value, path, "a list")
    return [reader(item, f"{path}[{position}]") for position, item in enumerate(value)]


def read_name(value: object, path: str) -> str:
    """Return a text that may name something."""
    if not isinstance(value, str):
        refuse(value, path, "text")
    try:
        check_name(path, value)
    except SchemaError:
        requirement = f"1 to {MAX_NAME_LENGTH:,} characters of valid Unicode, without a space at either end"
        raise RuleFileError(f"a name has {requirement}; got {shown(value)}", path=path) from None
    return value


def read_number(value: object, path: str) -> float:
    """Return a finite number; text that looks like one is not one, nor is true."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        refuse(value, path, "a number")
    if not abs(value) <= sys.float_info.max:  # in this form, NaN is refused as well
        raise RuleFileError(f"must be a finite number that fits 64 bits, not {shown(value)}", path=path)
    return float(value)


def read_whole(value: object, path: str, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`; JSON does not tell 2 from 2.0."""
    number = read_number(value, path)
    if not number.is_integer() or not low <= number <= high:
        refuse(value, path, f"a whole number from {low} to {high}")
    return int(number)


def read_certainty(value: object, path: str) -> float:
    """Return a number above 0 and at most 1."""
    certainty = read_number(value, path)
    if not 0.0 < certainty <= 1.0:
        refuse(value, path, "above 0 and at most 1")
    return certainty


def read_truth(value: object, path: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        refuse(value, path, "true or false")
    return value


def read_choice(value: object, path: str, choices: type[_Choice]) -> _Choice:
    """Return one of the members of an enumeration."""
    if not isinstance(value, str) or value not in [choice.value for choice in choices]:
        refuse(value, path, "one of " + ", ".join(f'"{choice}"' for choice in choices))
    return choices(value)


def read_term_fields(value: object, path: str) -> Term:
    """Read a term from its fields."""
    return read_record(value, path, Term, _TERM, ("feature",))


def term_fields(term: Term) -> dict[str, object]:
    """Return the fields of a term; those at their default are left out."""
    return (
        {"feature": term.feature} | unless(1, coefficient=term.coefficient, power=term.power) | unless(0, lag=term.lag)
    )


def unless(default: object, **fields: object) -> dict[str, object]:
    """Return the fields whose value is not the default."""
    return {key: value for key, value in fields.items() if value != default}


def refuse(value: object, path: str, wanted: str) -> NoReturn:
    """Say what a value must be and what it is instead."""
    raise RuleFileError(f"must be {wanted}, not {shown(value)}", path=path)


def shown(value: object) -> str:
    """Describe a JSON value for an error message, shortened; containers are not looked into, however deep they are."""
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict | _Repeated):
        return "an object"
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return what a file holds, or as much of it as shows that it is too long."""
    with Path(path).open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)


_TERM: dict[str, Reader] = {
    "feature": read_name,
    "coefficient": read_number,
    "power": partial(read_whole, low=1, high=MAX_POWER),
    "lag": partial(read_whole, low=0, high=MAX_LAG),
}
