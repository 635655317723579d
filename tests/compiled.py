"""Entries for tests to kernels that only other kernels call."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")

# Nothing calls these functions from C; numba's type hints know only some of its options.
_OPTIONS: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function without caching it, since numba would not notice when a kernel it calls has changed."""
    entry: Callable[P, R] = njit(**_OPTIONS)(function)
    return entry
