"""How kernels are compiled: cached on disk, without the GIL, and never from stale sources."""

import gc
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")

_HERE = Path(__file__).parent
_STAMP = "kernels.sha256"

# numba's type hints know only some of its options.
_ALL: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_NOT_COUNTING: dict[str, Any] = {**_ALL, "_nrt": False}
_INNER: dict[str, Any] = {**_NOT_COUNTING, "no_cpython_wrapper": True}


def _forget_stale_kernels() -> None:
    """Drop all cached machine code when any source of a kernel has changed, in whichever folder.

    numba looks only at the file of the function itself, so an edit to a kernel, or to a constant, that is imported from
    another file would leave the old code in use.
    """
    folders = (_HERE, _HERE.parent / "environments")  # environments have kernels that call those here
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(path.relative_to(_HERE.parent).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    stamp = _HERE / "__pycache__" / _STAMP
    try:
        if stamp.is_file() and stamp.read_text() == digest.hexdigest():
            return
        stamp.parent.mkdir(exist_ok=True)
        for folder in folders:
            for path in folder.rglob("__pycache__/*.nb[ic]"):
                path.unlink(missing_ok=True)
        stamp.write_text(digest.hexdigest())
    except OSError:
        return  # A read-only installation: its sources do not change under a running cache either.


_forget_stale_kernels()


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
    compiled: Callable[P, R] = njit(**_NOT_COUNTING, cache=True)(function)
    return compiled


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that Python calls and that allocates scratch space for others; its loops count references."""
    compiled: Callable[P, R] = njit(**_ALL, cache=True)(function)
    return compiled


def is_loaded(entry: Callable[..., object]) -> bool:
    """Tell whether machine code for a kernel is in memory."""
    return bool(entry.signatures)  # type: ignore[attr-defined]


def compiled_before(entry: Callable[..., object]) -> bool:
    """Tell whether machine code for a kernel is in memory or in the cache on disk."""
    if is_loaded(entry):
        return True
    path = Path(entry.stats.cache_path)  # type: ignore[attr-defined]
    return any(path.glob(f"*.{entry.__name__}-*.nbi"))


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
