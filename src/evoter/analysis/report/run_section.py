"""How the rules of a report were found: scores and sizes by generation, and the front they were chosen from."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from evoter.analysis.formatting import counted
from evoter.analysis.report.charts import Line, chart, legend
from evoter.analysis.report.markup import details, escaped, number_text, section, table
from evoter.analysis.report.material import Material
from evoter.evolution.fronts.front import Front
from evoter.evolution.fronts.front_text import front_columns

MAX_CANDIDATES = 200
"""A front of more is cut off in the table, not in the picture."""


def learning_section(material: Material) -> str:
    """Return scores and size of the best rule set by generation; scores on validation rows where there are any."""
    history = material.history
    if not history or "best" not in history or len(history["best"]) == 0:
        return ""
    generations = [int(each) for each in history.get("generation", range(len(history["best"])))]
    first_to_last = f"From generation {generations[0]} to {generations[-1]}"
    scores = [Line("training", _points(generations, history["best"]), "first")]
    if "validation" in history:
        scores.append(Line("validation", _points(generations, history["validation"]), "second"))
    charts = [
        chart(
            scores,
            x="generation",
            y="score of the best",
            title="Score of the best rule set by generation",
            description=f"{first_to_last}, the score of the best rule set goes {_course(history['best'])}.",
            whole_x=True,
        )
        + (legend(scores) if len(scores) > 1 else "")
    ]
    if "n_conditions" in history:
        sizes = [Line("conditions", _points(generations, history["n_conditions"]), "first")]
        charts.append(
            chart(
                sizes,
                x="generation",
                y="conditions of the best",
                title="Conditions of the best rule set by generation",
                description=f"{first_to_last}, the conditions of the best go {_course(history['n_conditions'])}.",
                whole_x=True,
                whole_y=True,
            )
        )
    figures = "".join(f"<figure>{each}</figure>" for each in charts if each)
    return section(
        "learning",
        "How the rules were found",
        f"<p>{_effort(history, generations[-1])}</p>",
        f'<div class="pair">{figures}</div>',
    )


def _points(generations: Sequence[float], values: Sequence[float]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in zip(generations, values, strict=True)]


def _course(values: Sequence[float]) -> str:
    return f"from {number_text(float(values[0]))} to {number_text(float(values[-1]))}"


def _effort(history: Mapping[str, Any], n_generations: int) -> str:
    """Say what it took; the random generation that a run begins with, number 0, is not counted."""
    parts = [f"The rules were evolved in {counted(n_generations, 'generation')}"]
    if "evaluations" in history:
        parts.append(f", in which {int(history['evaluations'][-1]):,} rule sets were tried")
    if "seconds" in history and math.isfinite(float(history["seconds"][-1])):
        parts.append(f", within {float(history['seconds'][-1]):.3g} seconds")
    told = (
        "Scores are those that evolution works with, on training rows; the winner was pruned and simplified afterwards."
    )
    return f"{''.join(parts)}. {told}"


def front_section(material: Material) -> str:
    """Return the front that the rule set was chosen from, as a picture and a table."""
    front = material.front
    if front is None or len(front) == 0:
        return ""
    names = [objective.name for objective in front.objectives]
    x, y = (names[1] if len(names) > 1 else "conditions"), names[0]
    points = sorted((candidate.value(x), candidate.value(y)) for candidate in front)
    lines = [Line("candidates", points, "first", joined=len(names) == 2, marked=True)]
    if front.chosen is not None:
        chosen = front[front.chosen]
        lines.append(Line("this model", [(chosen.value(x), chosen.value(y))], "chosen", joined=False))
    picture = chart(
        lines,
        x=x,
        y=y,
        title=f"Front: {y} against {x}",
        description=f"{len(front)} candidates, none of which is better than another one in every objective.",
        whole_x=all(point[0] == round(point[0]) for point in points if math.isfinite(point[0])),
    )
    said = (
        "<p>No candidate is better than another one in every objective; the model is one of them. "
        "Scores are those of evolution, on training rows.</p>"
    )
    figure = f'<figure class="single">{picture}{legend(lines)}</figure>'
    return section("front", "What else was possible", said, figure, _candidates(front))


def _candidates(front: Front) -> str:
    heads, *rows = zip(*front_columns(front), strict=True)
    shown = [[escaped(cell) for cell in row] for row in rows[:MAX_CANDIDATES]]
    numbers = range(1, len(heads))
    listed = table(
        [escaped(head) for head in heads], shown, caption="The one with a star is this model", numbers=numbers
    )
    return details(f"All {len(front)} candidates", listed)
