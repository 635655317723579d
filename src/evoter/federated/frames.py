"""Messages as bytes: a JSON header and arrays of numbers behind it, read strictly and within limits."""

import json
import math
import struct
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.federated.errors import MessageError
from evoter.rules.errors import RuleFileError
from evoter.rules.files.document import parse_document, read_list, read_name, read_object, read_whole

MAX_BYTES: Final = 128 * 2**20
"""The longest message; longer ones are taken for an accident or an attack."""

MAX_HEADER: Final = 8 * 2**20
"""The longest header: names of categories take most of it."""

MAX_ARRAYS: Final = 16
MAX_DIMENSIONS: Final = 2

_MAGIC: Final = b"evoter-federated-2\n"
_LENGTH: Final = struct.Struct(">I")
_TYPES: Final = {"f8": np.dtype("<f8"), "i8": np.dtype("<i8"), "u8": np.dtype("<u8")}


class Frame(NamedTuple):
    """What a message consists of: fields that are JSON, and arrays by name."""

    fields: dict[str, object]
    arrays: dict[str, NDArray[Any]]


def write_frame(fields: Mapping[str, object], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Write a message; equal fields and arrays give equal bytes.

    >>> read_frame(write_frame({"answer": "counts"}, {"counts": np.array([3, 1])})).arrays["counts"].tolist()
    [3, 1]
    """
    described, parts = [], []
    for name, array in arrays.items():
        kind = array.dtype.kind + "8"
        described.append({"name": name, "type": kind, "shape": list(array.shape)})
        parts.append(np.ascontiguousarray(array, _TYPES[kind]).tobytes())
    document = {"fields": dict(fields), "arrays": described}
    header = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    message = b"".join([_MAGIC, _LENGTH.pack(len(header)), header, *parts])
    if len(header) > MAX_HEADER or len(message) > MAX_BYTES:
        raise MessageError(
            f"a message of {len(message):,} bytes is longer than the {MAX_BYTES:,} allowed: use a smaller population, "
            "fewer features or fewer categories"
        )
    return message


def read_frame(message: bytes) -> Frame:
    """Read a message; whatever is wrong with it is a `MessageError`, which shows nothing but names and sizes."""
    if not isinstance(message, bytes) or len(message) > MAX_BYTES:
        raise MessageError(f"a message must be at most {MAX_BYTES:,} bytes")
    start = len(_MAGIC) + _LENGTH.size
    if len(message) < start or not message.startswith(_MAGIC):
        raise MessageError("this is no message of a federated run, or one of another version")
    (length,) = _LENGTH.unpack_from(message, len(_MAGIC))
    if length > MAX_HEADER or start + length > len(message):
        raise MessageError(f"the header of a message must be at most {MAX_HEADER:,} bytes, and complete")
    try:
        document = read_object(parse_document(message[start : start + length]), "")
        fields = read_object(document.get("fields"), "fields")
        described = read_list(document.get("arrays"), "arrays", _read_description)
    except RuleFileError as error:
        raise MessageError(f"the header of a message cannot be read: {error}") from None
    if len(described) > MAX_ARRAYS:
        raise MessageError(f"a message must have at most {MAX_ARRAYS} arrays")
    return Frame(fields, _read_arrays(described, message, start + length))


class _Description(NamedTuple):
    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


def _read_description(value: object, path: str) -> _Description:
    fields = read_object(value, path)
    name, kind = read_name(fields.get("name"), f"{path}.name"), read_name(fields.get("type"), f"{path}.type")
    shape = read_list(fields.get("shape"), f"{path}.shape", lambda size, at: read_whole(size, at, 0, MAX_BYTES))
    if kind not in _TYPES or not 1 <= len(shape) <= MAX_DIMENSIONS:
        raise RuleFileError("must have one or two dimensions of the type f8, i8 or u8", path=path)
    return _Description(name, _TYPES[kind], tuple(shape))


def _read_arrays(described: list[_Description], message: bytes, start: int) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    for each in described:
        n_values = math.prod(each.shape)
        stop = start + 8 * n_values
        if stop > len(message) or each.name in arrays:
            raise MessageError("a message must have as many numbers as its header says, and each array once")
        values = np.frombuffer(message, each.dtype, n_values, start)
        arrays[each.name] = values.astype(each.dtype.newbyteorder("="), copy=True).reshape(each.shape)
        start = stop
    if start != len(message):
        raise MessageError("a message must end with its last array")
    return arrays
