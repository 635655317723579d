"""Columns that name what a row is about, such as patients: recognised by their names and by how their values repeat."""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.tables.intake.limits import (
    MAX_ROWS_PER_IDENTIFIER,
    MIN_IDENTIFIERS,
    MIN_NAMED_IDENTIFIERS,
    MIN_VALUES_TO_JUDGE,
    MOSTLY_DIFFERENT,
    has_strong_id_name,
    is_id_name,
    is_time_name,
    names_somebody,
)

_EVEN = 0.25
"""Blocks of rows are about equal in size if the standard deviation of their sizes is at most this part of the mean."""

_HAS_DIGIT = re.compile(r"\d")


class Verdict(NamedTuple):
    """What a column with repeated values looks like: an identifier for sure, or one perhaps, and why."""

    is_identifier: bool
    reason: str


def judge_repeated(
    name: str,
    codes: NDArray[np.intp],
    *,
    consecutive: bool = False,
    are_numbers: bool = True,
    are_codes: bool = True,
) -> Verdict | None:
    """Tell whether a column whose values repeat is an identifier; None if nothing suggests it.

    `codes` are the numbers of the values, row by row, without missing ones. `consecutive` says that these are whole
    numbers without gaps, `are_numbers` that they are numbers, and `are_codes` that they are numbers or texts with
    digits, not words.

    >>> visits = np.repeat(np.arange(25), 4)
    >>> judge_repeated("patient_id", np.random.default_rng(0).permutation(visits))
    Verdict(is_identifier=True, reason='25 values that repeat, 4 rows each')
    >>> judge_repeated("person 1", visits, consecutive=True)
    Verdict(is_identifier=True, reason='25 values that repeat, in blocks of 4 rows')
    >>> judge_repeated("rooms", np.random.default_rng(0).permutation(visits))
    """
    sizes = np.bincount(codes)
    sizes = sizes[sizes > 0]
    if codes.size < MIN_VALUES_TO_JUDGE or sizes.size == codes.size or sizes.size < MIN_NAMED_IDENTIFIERS:
        return None
    per_value = codes.size / sizes.size
    about = f"{sizes.size:,} values that repeat, {_rounded(per_value)} rows each"
    if is_time_name(name):
        return None
    if names_somebody(name) and (are_codes or has_strong_id_name(name)):
        return Verdict(True, about)
    if sizes.size < MIN_IDENTIFIERS:
        return None
    if has_strong_id_name(name) or (is_id_name(name) and are_codes and not are_numbers):
        return Verdict(True, about) if per_value <= MAX_ROWS_PER_IDENTIFIER else None  # codes, such as those of shops
    is_even = bool(sizes.std() <= _EVEN * sizes.mean())
    n_blocks = 1 + int((np.diff(codes) != 0).sum())
    if n_blocks == sizes.size and is_even and 2 <= per_value <= MAX_ROWS_PER_IDENTIFIER:
        return Verdict(consecutive, f"{sizes.size:,} values that repeat, in blocks of {_rounded(per_value)} rows")
    hardly_repeats = sizes.size > MOSTLY_DIFFERENT * codes.size
    return Verdict(False, about) if is_id_name(name) and hardly_repeats else None


def have_digits(texts: list[str]) -> bool:
    """Tell whether most texts contain a digit, as codes do and words do not."""
    return sum(_HAS_DIGIT.search(text) is not None for text in texts) > len(texts) / 2


def _rounded(number: float) -> str:
    return f"about {number:.1f}" if number < 10 and number != round(number) else f"{number:,.0f}"
