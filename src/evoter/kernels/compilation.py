"""How kernels are compiled: without the GIL, and cached on disk (see `machine_code`)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypeVar

from evoter.kernels.collector import importing

with importing():
    from numba import njit
    from numba.core.types import unliteral

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
    return _for_any_constant(njit(**_INNER)(function))


def inlined_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel into its callers.

    A call would copy the descriptors of the arrays, fifty words and more; and where a caller passes a constant, the
    branches on it vanish.
    """
    return _for_any_constant(njit(**_INNER, forceinline=True)(function))


def entry_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that Python calls, cached on disk with all that it calls; it allocates nothing either."""
    return _cached(njit(**_ENTRY, **_NOT_COUNTING)(function))


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that Python calls and that makes scratch space for others; its own loops count references."""
    return _cached(njit(**_ENTRY)(function))


def _for_any_constant(dispatcher: Any) -> Any:
    """Let calls with different constants share one translation, which numba would make anew for each of them.

    Where a kernel is compiled into its caller, LLVM sees the constants all the same.
    """
    find = dispatcher.get_call_template

    def find_for_any_constant(arguments: Iterable[Any], keywords: Mapping[str, Any]) -> Any:
        any_keywords = {name: unliteral(each) for name, each in keywords.items()}
        return find(tuple(unliteral(each) for each in arguments), any_keywords)

    dispatcher.get_call_template = find_for_any_constant
    return dispatcher


def _cached(dispatcher: Any) -> Any:
    """Let a kernel keep its machine code in our cache instead of numba's, compiled by one process at a time."""
    cache = dispatcher._cache = KernelCache(dispatcher.py_func)
    compile_now = dispatcher.compile

    def compile_once(signature: Any) -> Any:
        with cache.reserving():
            return compile_now(signature)

    dispatcher.compile = compile_once
    return dispatcher


def is_loaded(entry: Callable[..., object]) -> bool:
    """Tell whether machine code for a kernel is in memory."""
    return bool(entry.signatures)  # type: ignore[attr-defined]


def compiled_before(entry: Callable[..., object]) -> bool:
    """Tell whether machine code for a kernel is in memory or in the cache on disk."""
    if is_loaded(entry):
        return True
    return bool(entry._cache.has_code())  # type: ignore[attr-defined]
