"""Entries for tests to kernels that only other kernels call."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function without caching it, since numba would not notice when a kernel it calls has changed."""
    entry: Callable[P, R] = njit(nogil=True, no_cfunc_wrapper=True)(function)
    return entry
