"""Limits of JSON from outside, checked before it is parsed."""

import json
import re
from typing import Final, NoReturn

MAX_DEPTH: Final = 20
MAX_STRING: Final = 250_000
"""The most characters of a text in a request; rules have stricter limits of their own."""

_PIECES: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)


def check_json(body: bytes) -> None:
    """Refuse a body that is no JSON object, that nests deeply, or that has numbers that are none.

    >>> check_json(b'{"base": 1}')
    >>> check_json(b"[" * 30 + b"]" * 30)
    Traceback (most recent call last):
    ValueError: the request nests deeper than 20 levels
    """
    depth = 0
    for piece in _PIECES.finditer(body):
        start = body[piece.start()]
        if start == ord('"'):
            if piece.end() - piece.start() > 4 * MAX_STRING:
                raise ValueError(f"a text in the request has more than {MAX_STRING:,} characters")
            continue
        depth += 1 if start in b"[{" else -1
        if depth > MAX_DEPTH:
            raise ValueError(f"the request nests deeper than {MAX_DEPTH} levels")
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"the request is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError("the request is no JSON object")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"the request has {name}, which is no number")
