"""The picture of one alarm: what the rules looked at in a test patient whose episode they foresaw."""

from importlib import import_module
from pathlib import Path

import numpy as np

from evoter.analysis.displays.series_display import SeriesDisplay
from evoter.experiments.hypotension.patients import ALARM, FOUND, load
from evoter.experiments.hypotension.window_models import Rules


def draw(path: Path) -> None:
    """Fit the rules with the first seed, and draw the first test patient for whom they were right to raise an alarm."""
    import_module("matplotlib").use("Agg")
    train, tests = load()
    patients = tests["A and B"]
    model = FOUND.make(0).fit(*train)
    assert isinstance(model, Rules)
    foreseen = np.flatnonzero((patients.labels == ALARM) & (model.predict(patients.panel) == ALARM))
    display = SeriesDisplay.from_estimator(model.classifier, patients.panel[foreseen[:1]], time_step=(1, "min"))
    path.parent.mkdir(parents=True, exist_ok=True)
    display.figure_.savefig(path, metadata={"Software": None})
