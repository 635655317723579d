"""Formats of rule sets as commands use them: what one cannot do is a failure with a hint."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from evoter.cli.failure import Failure, nearest, split_hint

if TYPE_CHECKING:
    from evoter.export import Format


def find_form(name: str) -> "Format":
    """Return a format by name."""
    from evoter.export import FORMATS

    if name not in FORMATS:
        raise Failure(f"unknown format {name!r}", nearest(name, FORMATS, f"known: {', '.join(FORMATS)}"))
    return FORMATS[name]


@contextmanager
def formatting(what: str, hint: str = "") -> Iterator[None]:
    """Turn what a format cannot say, an option that it does not have and a package that it lacks into failures.

    `what` is being written; the hint is given where the error has none.
    """
    try:
        yield
    except ImportError as error:
        message, _, remedy = str(error).partition(": ")
        raise Failure(f"{what}: {message}", remedy or hint) from None
    except (ValueError, TypeError) as error:  # a RuleError is a ValueError; an unknown option a TypeError
        message, remedy = split_hint(str(error))
        raise Failure(f"{what}: {message}", remedy or hint) from None
