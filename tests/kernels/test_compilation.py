"""Compiled kernels call each other, and what has been compiled is known."""

from evoter.kernels.compilation import compiled_before, entry_kernel, is_loaded, kernel


@kernel
def _twice(x: int) -> int:
    return 2 * x


@entry_kernel
def four_times(x: int) -> int:
    return _twice(_twice(x))


def test_kernels_call_each_other() -> None:
    assert four_times(3) == 12
    assert is_loaded(four_times)
    assert compiled_before(four_times)
