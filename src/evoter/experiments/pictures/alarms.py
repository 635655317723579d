"""Alarms: how many episodes are foreseen, against how many alarms are false, here and in the paper."""

from itertools import cycle
from pathlib import Path

from evoter.analysis.displays.style import COLOURS, MARKERS, QUIET, plain, tidy
from evoter.experiments.pictures.canvas import new_figure
from evoter.experiments.results import Result


def draw(result: Result, path: Path) -> bool:
    """Draw a point for each model and variant; False where there is none."""
    experiment = result.experiment
    figure = new_figure(6.4, 4.6)
    axes = figure.subplots()
    drawn = False
    for marker, variant in zip(cycle(MARKERS), experiment.variants, strict=False):
        for colour, model in zip(cycle(COLOURS), experiment.models, strict=False):
            rates = [result.figure(model, variant, f"{kind}_positive_rate") for kind in ("false", "true")]
            if any(rate is None or rate.ours is None for rate in rates):
                continue
            x, y = (rate.ours.mean for rate in rates if rate is not None and rate.ours is not None)
            label = f"{experiment.models[model]}, {experiment.variants[variant]}"
            axes.plot(x, y, marker, color=colour, markersize=9, label=plain(label))
            drawn = True
    for each in experiment.paper:
        x, y = each.values["false_positive_rate"], each.values["true_positive_rate"]
        axes.plot(x, y, "*", color="none", markeredgecolor=QUIET, markersize=15, label="the paper, other patients")
    axes.set(xlabel="false alarms (FPR)", ylabel="episodes foreseen (TPR)", xlim=(0, None), ylim=(None, 1.02))
    tidy(axes)
    axes.legend(frameon=False, fontsize=8)
    if drawn:
        figure.savefig(path)
    return drawn
