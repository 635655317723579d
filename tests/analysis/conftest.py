"""What all pictures need in tests: matplotlib without windows, and none left open."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def no_windows() -> Iterator[None]:
    """Draw into memory, and forget what was drawn."""
    matplotlib: Any = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pyplot: Any = pytest.importorskip("matplotlib.pyplot")
    yield
    pyplot.close("all")
