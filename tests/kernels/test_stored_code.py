"""Kernels from the cache: they do what they did, others can call them, and numba is not prepared for compiling."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from evoter.kernels import machine_code
from evoter.kernels.compilation import allocating_kernel, entry_kernel
from evoter.kernels.layout import Floats
from evoter.kernels.stored_code import StoredCode

SCRIPT = """
import sys
import numpy as np
from evoter.kernels.compilation import is_loaded
from evoter.kernels.fronts.hypervolume import hypervolume

print(hypervolume(np.array([[0.0, 0.0]]), np.array([2.0, 3.0])), "numba.cpython.unicode" in sys.modules)
"""


def root(x: float) -> float:
    """Return the square root."""
    if x < 0.0:
        raise ValueError("a negative number has none")
    return float(np.sqrt(x))


def squares(n: int) -> Floats:
    """Return an array, which numba's own functions allocate."""
    numbers = np.arange(n) * 1.0
    return numbers * numbers


def loaded(decorate: Any, function: Any, *arguments: object) -> Any:
    """Compile a kernel, and return it as another process would load it."""
    decorate(function)(*arguments)
    again = decorate(function)
    again(*arguments)
    (result,) = again.overloads.values()
    assert isinstance(result.library, StoredCode)
    return again


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(machine_code, "readable_folders", lambda: (tmp_path,))


def test_a_loaded_kernel_returns_and_raises_what_it_did() -> None:
    again = loaded(entry_kernel, root, 4.0)
    assert again(9.0) == 3.0
    with pytest.raises(ValueError, match="a negative number has none"):
        again(-1.0)


def test_a_loaded_kernel_allocates() -> None:
    again = loaded(allocating_kernel, squares, 3)
    assert again(4).tolist() == [0.0, 1.0, 4.0, 9.0]


def test_another_kernel_can_call_a_loaded_one() -> None:
    again = loaded(entry_kernel, root, 4.0)

    def twice(x: float) -> float:
        return 2.0 * float(again(x))

    compiled: Any = njit(twice)
    assert compiled(16.0) == 8.0


def test_what_only_compiling_needs_is_not_imported_for_a_loaded_kernel() -> None:
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["6.0", "False"]
