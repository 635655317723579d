"""A small experiment on embedded data, for the tests of reproductions."""

from dataclasses import replace

from evoter.experiments.declarations import EFFORTS, Experiment, Extent, catalogue

SHORT = {"parameters": {"generations": 2, "population_size": 30, "settings": {"refinement_moves": 100}}}


def small_iris(runs: int = 2) -> Experiment:
    """Return the experiment on iris with few short runs of three models."""
    models = {"evoter": "EVOTER", "bayes": "naive Bayes", "tree": "decision tree"}
    extents = dict.fromkeys(EFFORTS, Extent(runs, 1.0, SHORT))
    iris = catalogue()["iris"]
    paper = tuple(each for each in iris.paper if each.model in models)
    return replace(iris, models=models, extents=extents, paper=paper)
