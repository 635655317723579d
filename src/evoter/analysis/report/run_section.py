"""How the rules of a report were found: scores and sizes by generation, and the front they were chosen from."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evoter.analysis.formatting import rounded
from evoter.analysis.report.charts import Chart, Line, make_chart
from evoter.analysis.report.material import Material
from evoter.evolution.fronts.front_text import front_columns

MAX_CANDIDATES = 200
"""Further candidates of a front are in the chart, but not in the table."""


class Learning(NamedTuple):
    """Charts by generation, and what the run took; the random generation that a run begins with is not counted."""

    charts: list[Chart]
    n_generations: int
    n_evaluations: int | None
    seconds: float | None


class FrontSection(NamedTuple):
    """The front that the rule set was chosen from, as a chart and a table."""

    chart: Chart | None
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]
    numbers: range
    n_candidates: int


def learning_section(material: Material) -> Learning | None:
    """Return scores and size of the best rule set by generation; scores on validation rows where there are any."""
    history = material.history
    if not history or "best" not in history or len(history["best"]) == 0:
        return None
    generations = [int(each) for each in history.get("generation", range(len(history["best"])))]
    first_to_last = f"From generation {generations[0]} to {generations[-1]}"
    scores = [Line("training", _points(generations, history["best"]), "first")]
    if "validation" in history:
        scores.append(Line("validation", _points(generations, history["validation"]), "second"))
    charts = [
        make_chart(
            scores,
            x="generation",
            y="score of the best",
            title="Score of the best rule set by generation",
            description=f"{first_to_last}, the score of the best rule set goes {_from_to(history['best'])}.",
            whole_x=True,
        )
    ]
    if "n_conditions" in history:
        charts.append(
            make_chart(
                [Line("conditions", _points(generations, history["n_conditions"]), "first")],
                x="generation",
                y="conditions of the best",
                title="Conditions of the best rule set by generation",
                description=f"{first_to_last}, the conditions of the best go {_from_to(history['n_conditions'])}.",
                whole_x=True,
                whole_y=True,
            )
        )
    evaluations = _last(history, "evaluations")
    return Learning(
        charts=[each for each in charts if each is not None],
        n_generations=generations[-1],
        n_evaluations=None if evaluations is None else int(evaluations),
        seconds=_last(history, "seconds"),
    )


def _points(generations: Sequence[float], values: Sequence[float]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in zip(generations, values, strict=True)]


def _from_to(values: Sequence[float]) -> str:
    return f"from {rounded(float(values[0]))} to {rounded(float(values[-1]))}"


def _last(history: Mapping[str, Any], column: str) -> float | None:
    """Return the last value of a column of the history; None where it is not there or not finite."""
    if column not in history or not math.isfinite(float(history[column][-1])):
        return None
    return float(history[column][-1])


def front_section(material: Material) -> FrontSection | None:
    """Return the front that the rule set was chosen from; None where there is none."""
    front = material.front
    if front is None or len(front) == 0:
        return None
    names = [objective.name for objective in front.objectives]
    x, y = (names[1] if len(names) > 1 else "conditions"), names[0]
    points = sorted((candidate.value(x), candidate.value(y)) for candidate in front)
    lines = [Line("candidates", points, "first", joined=len(names) == 2, marked=True)]
    if front.chosen is not None:
        chosen = front[front.chosen]
        lines.append(Line("this model", [(chosen.value(x), chosen.value(y))], "chosen", joined=False))
    chart = make_chart(
        lines,
        x=x,
        y=y,
        title=f"Front: {y} against {x}",
        description=f"{len(front)} candidates, none of which is better than another in every objective.",
        whole_x=all(point[0] == round(point[0]) for point in points if math.isfinite(point[0])),
    )
    head, *rows = zip(*front_columns(front), strict=True)
    return FrontSection(chart, head, rows[:MAX_CANDIDATES], range(1, len(head)), len(front))
