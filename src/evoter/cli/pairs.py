"""Options that are pairs, such as `complexity=8` or `dialect=postgres`."""

import json
from collections.abc import Sequence

from evoter.cli.failure import Failure


def named_numbers(pairs: Sequence[str], option: str) -> dict[str, float]:
    """Read options such as `complexity=8`.

    >>> named_numbers(["complexity=8"], "--limit")
    {'complexity': 8.0}
    """
    read = named_values(pairs, option)
    for name, value in read.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Failure(f"{option} {name}={value} is no number", f"write {option} {name}=NUMBER")
    return {name: float(value) for name, value in read.items()}  # type: ignore[arg-type]


def named_values(pairs: Sequence[str], option: str) -> dict[str, object]:
    """Read options such as `smoothing=0` or `operators=[1,1,1,1,1,1]`; what is no JSON is text."""
    read: dict[str, object] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.strip():
            raise Failure(f"{option} {pair!r} does not say what is set", f"write {option} NAME=VALUE")
        try:
            read[name.strip()] = json.loads(text)
        except ValueError:
            read[name.strip()] = text.strip()
    return read
