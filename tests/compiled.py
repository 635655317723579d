"""Entries for tests to kernels that only other kernels call."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function without caching it, since numba would not notice when a kernel it calls has changed."""
    options: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}  # numba's hints know only some options
    entry: Callable[P, R] = njit(**options)(function)
    return entry
