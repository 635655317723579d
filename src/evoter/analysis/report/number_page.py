"""The report on rules with numbers: what they predict, how far off they are, and in which intervals the truth lies."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from markupsafe import Markup

from evoter.analysis.html_pages import render
from evoter.analysis.number_statistics import NumberStatistics, measure_numbers
from evoter.analysis.report.audit_section import model_hash
from evoter.analysis.report.charts import Chart, Line, make_chart
from evoter.analysis.report.material import setting_text
from evoter.rules.answers.explanations import Explanations
from evoter.rules.explain import explain
from evoter.rules.model import RuleSet
from evoter.tables import rows as table_rows

MAX_DOTS = 600
"""How many rows the picture of predictions shows, evenly spaced."""

TITLES = {
    "rules": "The rules",
    "each": "Each rule in detail",
    "predictions": "Predicted and true numbers",
    "features": "Use of features",
    "cases": "Predictions explained",
    "learning": "How the rules were found",
    "record": "For the record",
}


def number_page(
    ruleset: RuleSet,
    X: Any,
    y: Any,
    *,
    rows_called: str,
    train: tuple[Any, Any] | None,
    history: Mapping[str, Any] | None,
    importances: Mapping[str, float],
    settings: Mapping[str, object],
    title: str,
    date: str | None,
    data_hash: str | None,
    n_examples: int,
    row_names: Sequence[object] | None,
    warnings: Sequence[str],
) -> str:
    """Return the whole page: one file without scripts that needs no network."""
    statistics = measure_numbers(ruleset, X, y)
    seen = None if train is None else measure_numbers(ruleset, *train)
    return render(
        "report/numbers.html.j2",
        title=title,
        date=date,
        version=str(import_module("evoter").__version__),
        titles=TITLES,
        rows_called=rows_called,
        sentence=statistics.sentence(),
        seen_sentence="" if seen is None else seen.sentence(),
        warnings=list(warnings),
        rules_html=Markup(ruleset.to_text("html", declarations=False)),
        each=_each(statistics),
        predictions_chart=_chart(statistics, y),
        importances=sorted(((name, share) for name, share in importances.items() if share > 0.0), key=lambda x: -x[1]),
        cases=_cases(ruleset, X, n_examples, row_names),
        learning=_learning(history),
        settings=[(name, setting_text(value)) for name, value in settings.items()],
        prints=[("model, as evoter.save writes it", model_hash(ruleset)), *_data_print(data_hash)],
        ruleset_lines=str(ruleset).splitlines(),
    )


def _each(statistics: NumberStatistics) -> list[tuple[str, ...]]:
    """Return a line for each rule: its text, its rows, how far off it is, and its interval."""
    residuals = statistics.ruleset.residuals
    lines: list[tuple[str, ...]] = []
    for place, rule in enumerate(statistics.rules):
        spread = residuals[place] if residuals else None
        lines.append(
            (
                f"{rule.number}. {rule.text}",
                f"{rule.held:,}",
                f"{rule.decided:,}",
                "–" if rule.error is None else f"{rule.error:.4g}",
                "–" if rule.bias is None else f"{rule.bias:+.3g}",
                "–" if spread is None else f"{spread.cases:,}",
                "–" if spread is None else f"-{spread.below:.4g} to +{spread.above:.4g}",
            )
        )
    return lines


def _chart(statistics: NumberStatistics, y: Any) -> Chart | None:
    if y is None:
        return None
    truth = np.asarray(y, np.float64)
    shown = np.unique(np.linspace(0, len(truth) - 1, min(MAX_DOTS, len(truth))).astype(int))
    dots = [(float(statistics.predictions[row]), float(truth[row])) for row in shown]
    ends = [min(map(min, dots)), max(map(max, dots))]
    lines = [
        Line("rows", dots, "mean", joined=False),
        Line("predicted = true", [(end, end) for end in ends], "best"),
    ]
    about = "Dots near the line are predicted well; a column of dots are rows of one rule with a constant."
    return make_chart(lines, x="predicted", y="true", title="Predicted and true numbers", description=about)


def _cases(
    ruleset: RuleSet, X: Any, n_examples: int, row_names: Sequence[object] | None
) -> list[tuple[str, list[str]]]:
    """Return some rows, evenly spaced, with the explanation of their number in lines."""
    read = ruleset.schema
    found = table_rows(X, read) if read.features else []
    if not found or n_examples == 0:
        return []
    places = np.unique(np.linspace(0, len(found) - 1, min(n_examples, len(found))).astype(int)).tolist()
    explanations = Explanations(explain(ruleset, found[place]) for place in places)
    names = [str(place) if row_names is None else str(row_names[place]) for place in places]
    return [(name, str(each).splitlines()) for name, each in zip(names, explanations, strict=True)]


def _learning(history: Mapping[str, Any] | None) -> Chart | None:
    if not history:
        return None
    best = [float(score) for score in history["best"]]
    lines = [Line("best", list(enumerate(best)), "best")]
    about = "The score of the best rule set of each generation, on denoised training rows."
    return make_chart(lines, x="generation", y="score", title="Best score", description=about, whole_x=True)


def _data_print(data_hash: str | None) -> list[tuple[str, str]]:
    return [] if data_hash is None else [("data file", data_hash)]
