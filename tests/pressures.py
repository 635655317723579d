"""Patients whose last minutes are low, and others."""

from typing import Any

import numpy as np

from evoter.tables.panel import Panel
from evoter.tables.series import read_panel


def pressures(n: int = 24, minutes: int = 20) -> tuple[Panel, Any]:
    """Patients whose last minutes are low, and others."""
    rng = np.random.default_rng(0)
    series = rng.normal(90, 2, (n, 1, minutes))
    series[: n // 2, :, -5:] -= 30
    labels = np.repeat(["hypotension", "no hypotension"], n // 2)
    return read_panel(series, channels=["MAP"], units={"MAP": "mmHg"}), labels
