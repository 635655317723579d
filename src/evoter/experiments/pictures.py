"""The pictures that experiments ask for, drawn where matplotlib is installed."""

import math
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import cycle, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.displays.complexity_display import ComplexityDisplay, Spot
from evoter.analysis.displays.evolution_display import EvolutionDisplay
from evoter.analysis.displays.style import COLOURS, MARKERS, QUIET, plain, tidy
from evoter.experiments.results import REFERENCE, Result, paper_points, points_of
from evoter.experiments.runners import RUNNERS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOTICE = "no pictures: matplotlib is not installed; pip install 'evoter[plots]' and call again"

MODEL_TITLES = {
    "evoter": "EVOTER",
    "evoter-paper": "EVOTER, preset paper",
    "bayes": "naive Bayes",
    "tree": "decision tree, four levels",
    "forest": "random forest, ten trees",
}
"""The models whose decision boundaries are drawn beside the rule."""

CURVE_TITLES = {"death": "predicted death rate of the best, training patients"}
"""What curves show that are not called as a measure is."""

N_COLUMNS = 2
MAX_TICKS = 7
"""An axis with more powers of ten has a number at every second one."""

Histories = dict[str, list[Mapping[str, NDArray[np.float64]]]]
"""Histories of runs, by the name of their line."""


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw_pictures(folder: Path, results: Mapping[str, Result], seed: int) -> dict[str, list[str]]:
    """Draw the pictures of all experiments into their folders, and return the names of the files."""
    drawn: dict[str, list[str]] = {}
    for name, result in results.items():
        experiment_folder = folder / name
        experiment_folder.mkdir(parents=True, exist_ok=True)
        drawn[name] = _draw(experiment_folder, result, results, seed)
    return drawn


def _draw(experiment_folder: Path, result: Result, results: Mapping[str, Result], seed: int) -> list[str]:
    match result.experiment.picture if result.n_runs else "":
        case "alarms" if draw_alarms(result, experiment_folder / "alarms.png"):
            return ["alarms.png"]
        case "curves" if draw_curves(result, experiment_folder / "curves.png"):
            return ["curves.png"]
        case "boundaries":
            n_examples = result.experiment.settings["n_examples"]
            draw_boundaries(experiment_folder / "boundaries.png", seed, n_examples)
            trees = [f"tree-{name}.png" for name in result.experiment.variants]
            for name, file in zip(result.experiment.variants, trees, strict=True):
                draw_tree(experiment_folder / file, name, seed, n_examples)
            return ["boundaries.png", *trees]
        case "trade-off":
            variants = result.experiment.variants
            return [f"{name}.png" for name in variants if _draw_variant(experiment_folder, result, results, name)]
        case _:
            return []


def _own(models: Mapping[str, str]) -> list[str]:
    """Return the titles of EVOTER's own models."""
    return [title for name, title in models.items() if name.startswith(REFERENCE)]


def _draw_variant(experiment_folder: Path, result: Result, results: Mapping[str, Result], variant: str) -> bool:
    plots = {}
    for name, title in result.experiment.models.items():
        ours = points_of(results[name], variant) if name in results else {}
        if not ours:
            continue
        models = results[name].experiment.models
        paper = {f"{models[model]}, paper": point for model, point in paper_points(results[name].experiment).items()}
        here = {models[model]: point for model, point in ours.items()}
        spots = {label: Spot(point.complexity, point.accuracy) for label, point in {**here, **paper}.items()}
        plots[title] = ComplexityDisplay(spots, highlight=_own(models), muted=tuple(paper), log=True)
    title = f"{result.experiment.variants[variant]}: more accurate is higher, simpler is further left; grey: the paper"
    return draw_trade_off(plots, title, experiment_folder / f"{variant}.png")


def new_figure(width: float, height: float) -> "Figure":
    """Return a figure that is drawn into a file and never into a window."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def draw_alarms(result: Result, path: Path) -> bool:
    """Draw true against false alarms, here and in the paper; return False where there is nothing to draw.

    Colours are models, and shapes are tasks.
    """
    experiment = result.experiment
    figure = new_figure(8.4, 4.6)
    axes = figure.subplots()
    models = dict(zip(experiment.models, cycle(COLOURS), strict=False))
    tasks = dict(zip(experiment.variants, cycle(MARKERS), strict=False))
    drawn = False
    for (variant, marker), (model, colour) in product(tasks.items(), models.items()):
        rates = [result.figure(model, variant, f"{kind}_positive_rate") for kind in ("false", "true")]
        ours = [rate.ours.mean for rate in rates if rate is not None and rate.ours is not None]
        if len(ours) == len(rates):
            axes.plot(*ours, marker, color=colour, markersize=9, alpha=0.85, clip_on=False)
            drawn = True
    for each in experiment.paper:
        x, y = each.values["false_positive_rate"], each.values["true_positive_rate"]
        axes.plot(x, y, "*", color="none", markeredgecolor=QUIET, markersize=15)
    axes.set(xlabel="false alarms (FPR)", ylabel="episodes predicted (TPR)", xlim=(0, None), ylim=(0, 1.02))
    tidy(axes)
    for model, colour in models.items():
        axes.plot([], [], color=colour, linewidth=6, label=plain(experiment.models[model]))
    looks = [(experiment.variants[variant], marker, QUIET) for variant, marker in tasks.items()]
    for label, marker, colour in (*looks, ("the paper, other patients", "*", "none")):
        axes.plot([], [], marker, color=colour, markeredgecolor=QUIET, markersize=8, label=plain(label))
    figure.legend(loc="outside right center", frameon=False, fontsize=8)
    if drawn:
        figure.savefig(path)
    return drawn


def draw_boundaries(path: Path, seed: int = 0, n_examples: int = 500) -> None:
    """Draw the linear and the cubic rule, each in a row with the models: green is Left, red is Right."""
    from evoter.experiments.boundaries import RULES, plane, surfaces

    figure = new_figure(18, 5.6)
    velocity, angle = plane()
    for axes, name in zip(figure.subplots(2, 6, sharex=True, sharey=True), RULES, strict=True):
        for axis, (model, surface) in zip(axes, surfaces(name, seed, n_examples).items(), strict=True):
            axis.pcolormesh(velocity, angle, surface.shares, cmap="RdYlGn_r", vmin=0, vmax=1, rasterized=True)
            learnt = MODEL_TITLES.get(model)
            title = f"{learnt}: {surface.wrong:.1%} wrong" if learnt else f"{name} rule: 1 condition"
            axis.set_title(title, fontsize=9)
    figure.supxlabel("velocity of cart")
    figure.supylabel("angle of pole")
    figure.savefig(path)


def draw_tree(path: Path, name: str, seed: int = 0, n_examples: int = 500) -> None:
    """Draw the four-level tree that approximates a rule, as in Figures 7e and 8e."""
    from sklearn.tree import plot_tree

    from evoter.experiments.boundaries import FEATURES, fitted_tree

    tree = fitted_tree(name, seed, n_examples)
    figure = new_figure(18, 6)
    axes = figure.subplots()
    plot_tree(tree, feature_names=list(FEATURES), class_names=list(tree.classes_), filled=True, fontsize=6, ax=axes)
    axes.set_title(f"The four-level decision tree that approximates the {name} rule", fontsize=11)
    figure.savefig(path)


def draw_curves(result: Result, path: Path) -> bool:
    """Draw the mean of runs over generations; return False where there is nothing to draw.

    There is a plot for each curve, and a line of them for each variant.
    """
    experiment = result.experiment
    curves = list(dict.fromkeys(name for runs in result.outcomes.values() for run in runs for name in run.curves))
    variants = [variant for variant in experiment.variants if any(histories(result, name, variant) for name in curves)]
    if not variants:
        return False
    figure = new_figure(6.0 * len(curves), 4.0 * len(variants))
    grid = figure.subplots(len(variants), len(curves), squeeze=False)
    measures = RUNNERS[experiment.runner].measures
    for (row, variant), (column, name) in product(enumerate(variants), enumerate(curves)):
        axes, drawn = grid[row, column], histories(result, name, variant)
        axes.set_visible(bool(drawn))
        if not drawn:
            continue
        EvolutionDisplay.from_histories(drawn, columns=("best",), score=name, ax=axes)
        title = CURVE_TITLES.get(name) or (measures[name].title if name in measures else name)
        axes.set_ylabel(plain(title))
        if len(variants) > 1:
            axes.set_title(plain(experiment.variants[variant]), fontsize=11)
    figure.savefig(path)
    return True


def histories(result: Result, curve: str, variant: str) -> Histories:
    """Return the runs of a variant that have a curve, by the title of their model."""
    found: Histories = {}
    for model, title in result.experiment.models.items():
        runs = result.outcomes.get((model, variant), ())
        drawn = [np.array(run.curves[curve]) for run in runs if curve in run.curves]
        if drawn:
            found[title] = [{"generation": np.arange(len(each), dtype=np.float64), "best": each} for each in drawn]
    return found


def draw_trade_off(plots: Mapping[str, ComplexityDisplay], title: str, path: Path) -> bool:
    """Draw displays that have not been plotted yet, each under its name, in one file; return False if there is none."""
    if not plots:
        return False
    n_columns = min(N_COLUMNS, len(plots))
    n_lines = math.ceil(len(plots) / n_columns)
    figure = new_figure(7.0 * n_columns, 4.6 * n_lines + 0.6)
    all_axes = figure.subplots(n_lines, n_columns, squeeze=False).flat
    figure.suptitle(title)
    figure.supxlabel("conditions, decision nodes or parameters (logarithmic)")
    figure.supylabel("mean test accuracy")
    for axes, name in zip(all_axes, plots, strict=False):
        axes.set_title(name, fontsize=12, fontweight="bold", loc="left")
    for axes in all_axes[len(plots) :]:
        axes.set_visible(False)
    for axes, display in zip(all_axes, plots.values(), strict=False):
        display.plot(ax=axes)
        axes.set(xlabel="", ylabel="")
        ticks = axes.get_xticks()
        if len(ticks) > MAX_TICKS:
            axes.set_xticks(ticks[::2])
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    return True
