"""The probabilities of a report on two classes: ROC curve and calibration."""

from typing import NamedTuple

import numpy as np

from evoter.analysis.formatting import percent
from evoter.analysis.model_inputs import match_labels
from evoter.analysis.probability_quality import Bin, brier_score, calibration_bins, roc_curve
from evoter.analysis.report.charts import Chart, Line, make_chart
from evoter.analysis.report.material import Material

_DIAGONAL = [(0.0, 0.0), (1.0, 1.0)]


class ProbabilitiesSection(NamedTuple):
    """How well the probability of one of two labels ranks rows, and how far it can be believed.

    `constant` is the Brier score of the same probability for every row.
    """

    label: str
    n_rows: int
    area: float
    interval: tuple[float, float] | None
    brier: float
    constant: float
    roc: Chart
    calibration: Chart
    bins: list[tuple[float, Bin]]


def probabilities_section(material: Material) -> ProbabilitiesSection | None:
    """Return the quality of probabilities, of the rarer label; None unless rows have two labels and probabilities."""
    probabilities, sample = material.probabilities, material.sample
    actions = material.ruleset.schema.actions
    if probabilities is None or sample.y is None or len(actions) != 2:
        return None
    names, codes = match_labels(sample.y, actions)
    n_first, n_second = int((codes == 0).sum()), int((codes == 1).sum())
    if len(names) != 2 or n_first == 0 or n_second == 0:
        return None
    positive = 0 if n_first < n_second else 1
    label, scores, hits = names[positive], probabilities[:, positive], codes == positive
    curve, bins = roc_curve(scores, hits), calibration_bins(scores, hits)
    decided = sample.statistics.predictions == label
    rules_point = float((decided & ~hits).sum() / (~hits).sum()), float((decided & hits).sum() / hits.sum())
    roc = make_chart(
        [
            Line("chance", _DIAGONAL, "guide"),
            Line("thresholds on the probability", curve.points, "first", marked=len(curve.points) <= 20),
            Line("the rules' own decisions", [rules_point], "chosen", joined=False),
        ],
        x=f"share of other rows decided {_short(label)}",
        y=f"share of {_short(label)} found",
        title=f"ROC curve for {label}",
        description=f"The area under the curve is {curve.area:.3f}; the rules find {percent(rules_point[1])} of "
        f"{label} and decide so for {percent(rules_point[0])} of the other rows.",
    )
    calibration = make_chart(
        [
            Line("as often as said", _DIAGONAL, "guide"),
            *(Line("", [(each.probability, each.low), (each.probability, each.high)], "interval") for each in bins),
            Line("rows with this probability, 95% interval", [(b.probability, b.share) for b in bins], "first", False),
        ],
        x=f"probability of {_short(label)}",
        y=f"share of rows that are {_short(label)}",
        title=f"Calibration of the probability of {label}",
        description=". ".join(f"{percent(b.probability)}: {b.n_hits} of {b.n_rows} rows" for b in bins),
    )
    assert roc is not None
    assert calibration is not None
    share = float(hits.mean())
    return ProbabilitiesSection(
        label,
        len(codes),
        curve.area,
        curve.interval,
        brier_score(scores, hits),
        brier_score(np.full(len(codes), share), hits),
        roc,
        calibration,
        [(each.probability, each) for each in bins],
    )


def _short(label: str) -> str:
    """Return a label as it fits beside an axis.

    >>> _short("benign"), _short("a very long name of a label")
    ('benign', 'a very long na…')
    """
    return label if len(label) <= 15 else f"{label[:14]}…"
