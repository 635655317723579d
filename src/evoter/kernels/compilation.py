"""How kernels are compiled: cached on disk, without the GIL, and never from stale sources."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")

_HERE = Path(__file__).parent
_STAMP = "kernels.sha256"


def _forget_stale_kernels() -> None:
    """Drop cached machine code when any kernel source has changed.

    numba looks only at the file of the function itself, so an edit to a kernel that another file calls would
    keep the old code alive.
    """
    cache = _HERE / "__pycache__"
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(_HERE.glob("*.py")))).hexdigest()
    stamp = cache / _STAMP
    try:
        if stamp.is_file() and stamp.read_text() == digest:
            return
        cache.mkdir(exist_ok=True)
        for pattern in ("*.nbi", "*.nbc"):
            for path in cache.glob(pattern):
                path.unlink(missing_ok=True)
        stamp.write_text(digest)
    except OSError:
        return  # A read-only installation: its sources do not change under a running cache either.


_forget_stale_kernels()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that other kernels call, on first use.

    It allocates nothing and has no entry from Python. Without reference counting, a call with a tuple of twenty arrays
    costs nothing instead of forty atomic operations; without the entry, it compiles in half the time.
    """
    options = {"_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    compiled: Callable[P, R] = njit(nogil=True, error_model="numpy", **options)(function)
    return compiled


def entry_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that Python calls, cached on disk with all that it calls; it may allocate scratch space."""
    compiled: Callable[P, R] = njit(cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    return compiled


def compiled_before(entry: Callable[..., object]) -> bool:
    """Tell whether machine code for a kernel is in memory or in the cache on disk."""
    if entry.signatures:  # type: ignore[attr-defined]
        return True
    path = Path(entry.stats.cache_path)  # type: ignore[attr-defined]
    return any(path.glob(f"*.{entry.__name__}-*.nbi"))
