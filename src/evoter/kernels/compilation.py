"""How kernels are compiled: without the GIL, and cached on disk (see `machine_code`)."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from numba import njit

from evoter.kernels.linking import EntryCompiler, InnerCompiler
from evoter.kernels.machine_code import KernelCache

P = ParamSpec("P")
R = TypeVar("R")

# numba's type hints know only some of its options.
_ALL: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_ENTRY: dict[str, Any] = {**_ALL, "pipeline_class": EntryCompiler}
_NOT_COUNTING: dict[str, Any] = {"_nrt": False}
_INNER: dict[str, Any] = {**_ALL, **_NOT_COUNTING, "no_cpython_wrapper": True, "pipeline_class": InnerCompiler}


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that other kernels call, on first use.

    It allocates nothing and has no entry from Python. Without reference counting, a call with a tuple of twenty arrays
    costs nothing instead of forty atomic operations; without the entry, it compiles in half the time.
    """
    compiled: Callable[P, R] = njit(**_INNER)(function)
    return compiled


def inlined_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel into its callers.

    A call would copy the descriptors of the arrays, fifty words and more; and where a caller passes a constant, the
    branches on it vanish.
    """
    compiled: Callable[P, R] = njit(**_INNER, forceinline=True)(function)
    return compiled


def entry_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that Python calls, cached on disk with all that it calls; it allocates nothing either."""
    return _cached(njit(**_ENTRY, **_NOT_COUNTING)(function))


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that Python calls and that makes scratch space for others; its own loops count references."""
    return _cached(njit(**_ENTRY)(function))


def _cached(dispatcher: Any) -> Any:
    """Let a kernel keep its machine code in our cache instead of numba's."""
    dispatcher._cache = KernelCache(dispatcher.py_func)
    return dispatcher


def is_loaded(entry: Callable[..., object]) -> bool:
    """Tell whether machine code for a kernel is in memory."""
    return bool(entry.signatures)  # type: ignore[attr-defined]


def compiled_before(entry: Callable[..., object]) -> bool:
    """Tell whether machine code for a kernel is in memory or in the cache on disk."""
    if is_loaded(entry):
        return True
    return bool(entry._cache.has_code())  # type: ignore[attr-defined]


@contextmanager
def compiling() -> Iterator[None]:
    """Pause the garbage collector, which finds nothing to free during compilation and takes a tenth of its time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
