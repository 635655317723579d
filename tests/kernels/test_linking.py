"""Kernels that only other kernels call become machine code inside their callers, and nowhere else."""

from typing import Any

import numpy as np
import pytest
from numba.core.caching import NullCache

from evoter.kernels.compilation import allocating_kernel, entry_kernel, kernel
from evoter.kernels.layout import Floats
from evoter.kernels.linking import EntryCode, InnerCode


@kernel
def _checked(x: float) -> float:
    if x < 0.0:
        raise ValueError("negative")
    return x


@kernel
def _scaled(x: float, power: int) -> float:
    return _checked(x) * power


@kernel
def _unused(x: float) -> float:
    return _scaled(x, 3)


@entry_kernel
def total(values: Floats) -> float:
    """Call `_scaled` with two constants, and `_checked` both directly and below it."""
    result = 0.0
    for value in values:
        if value > 1e300:
            result += _unused(value)
        result += _scaled(value, 1) + _scaled(value, 2) + _checked(value)
    return result


@allocating_kernel
def sorted_sum(values: Floats) -> float:
    """Use functions of numba, which are linked as they are."""
    return float(np.sort(values)[:2].sum())


for _each in (total, sorted_sum):  # what an earlier run of the tests has stored is loaded, and not linked
    _each._cache = NullCache()  # type: ignore[attr-defined]


def code_of(function: Any) -> list[Any]:
    return [result.library for result in function.overloads.values()]


def test_a_kernel_is_linked_with_everything_below_it() -> None:
    assert total(np.array([1.0, 2.0])) == 4.0 * 3.0
    assert sorted_sum(np.array([3.0, 1.0, 2.0])) == 3.0
    assert all(isinstance(library, EntryCode) for library in [*code_of(total), *code_of(sorted_sum)])


def test_calls_with_different_constants_share_one_translation() -> None:
    total(np.array([1.0]))
    assert len(code_of(_scaled)) == 1
    assert isinstance(code_of(_scaled)[0], InnerCode)


def test_errors_of_inner_kernels_arrive_in_python() -> None:
    with pytest.raises(ValueError, match="negative"):
        total(np.array([-1.0]))
