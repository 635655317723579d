"""Progress over generations: the mean of several runs for each model, with 95 % bands."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.displays.evolution_display import EvolutionDisplay
from evoter.experiments.pictures.canvas import new_figure
from evoter.experiments.results import Result

Runs = dict[str, list[Mapping[str, NDArray[np.float64]]]]
"""Histories of runs, by what their line is called."""


def draw(result: Result, path: Path) -> bool:
    """Draw a plot for each curve that runs have; False where there is none."""
    curves = list(dict.fromkeys(name for runs in result.outcomes.values() for run in runs for name in run.curves))
    if not curves:
        return False
    figure = new_figure(6.0 * len(curves), 4.0)
    for place, name in zip(figure.subplots(1, len(curves), squeeze=False).flat, curves, strict=True):
        EvolutionDisplay.from_histories(histories(result, name), columns=("best",), score=name, ax=place)
    figure.savefig(path)
    return True


def histories(result: Result, curve: str) -> Runs:
    """Return the runs that have a curve, by the title of their model and, where there are several, of their variant."""
    found: Runs = {}
    for (model, variant), runs in result.outcomes.items():
        drawn = [run.curves[curve] for run in runs if curve in run.curves]
        if drawn:
            titles = [result.experiment.models[model], result.experiment.variants[variant]]
            name = ", ".join(titles[: 2 if len(result.experiment.variants) > 1 else 1])
            found[name] = [
                {"generation": np.arange(len(each), dtype=np.float64), "best": np.array(each)} for each in drawn
            ]
    return found
