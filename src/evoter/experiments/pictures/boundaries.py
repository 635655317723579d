"""Decision boundaries: the paper's rule beside models that learn it from examples."""

from pathlib import Path

from evoter.experiments.boundaries.surfaces import RULES, plane, surfaces
from evoter.experiments.pictures.canvas import new_figure

TITLES = {"bayes": "naive Bayes", "tree": "decision tree, four levels", "forest": "random forest, ten trees"}


def draw(path: Path, seed: int = 0, n_examples: int = 500) -> None:
    """Draw the linear and the cubic rule, each in a row with the models: green is Left, red is Right."""
    figure = new_figure(12, 5.6)
    velocity, angle = plane()
    for axes, name in zip(figure.subplots(2, 4, sharex=True, sharey=True), RULES, strict=True):
        for axis, (model, surface) in zip(axes, surfaces(name, seed, n_examples).items(), strict=True):
            axis.pcolormesh(velocity, angle, surface.shares, cmap="RdYlGn_r", vmin=0, vmax=1, rasterized=True)
            title = f"{TITLES[model]}: {surface.wrong:.1%} wrong" if model in TITLES else f"{name} rule: 1 condition"
            axis.set_title(title, fontsize=9)
    figure.supxlabel("velocity of cart")
    figure.supylabel("angle of pole")
    figure.savefig(path)
