"""Which picture an experiment asks for, drawn where matplotlib is installed."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from evoter.experiments.results import Result, paper_points, points_of
from evoter.experiments.trade_off import REFERENCE

NOTICE = "no pictures: matplotlib is not installed; pip install 'evoter[plots]' and call again"


def can_draw() -> bool:
    """Say whether pictures can be drawn here."""
    return find_spec("matplotlib") is not None


def draw_pictures(folder: Path, results: Mapping[str, Result], seed: int) -> dict[str, list[str]]:
    """Draw the pictures of all experiments into their folders, and return the names of the files."""
    drawn: dict[str, list[str]] = {}
    for name, result in results.items():
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        drawn[name] = _draw(place, result, results, seed)
    return drawn


def _draw(place: Path, result: Result, results: Mapping[str, Result], seed: int) -> list[str]:
    from evoter.experiments.pictures import alarms, boundaries, curves

    match result.experiment.picture if result.n_runs else "":
        case "alarms" if alarms.draw(result, place / "alarms.png"):
            return ["alarms.png"]
        case "curves" if curves.draw(result, place / "curves.png"):
            return ["curves.png"]
        case "boundaries":
            boundaries.draw(place / "boundaries.png", seed, result.experiment.settings["n_examples"])
            return ["boundaries.png"]
        case "trade-off":
            variants = result.experiment.variants
            return [f"{name}.png" for name in variants if _draw_trade_off(place, result, results, name)]
        case _:
            return []


def _own(models: Mapping[str, str]) -> list[str]:
    """Return the titles of EVOTER's own models."""
    return [title for name, title in models.items() if name.startswith(REFERENCE)]


def _draw_trade_off(place: Path, result: Result, results: Mapping[str, Result], variant: str) -> bool:
    from evoter.analysis.displays.complexity_display import ComplexityDisplay, Spot
    from evoter.experiments.pictures.trade_off import draw

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
    return draw(plots, title, place / f"{variant}.png")
