"""Recommendations in plain words: what is prescribed, why, and what is predicted for it and its alternatives."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from evoter.language.catalogue import Catalogue, load_catalogue
from evoter.language.explanations import plain_explanation
from evoter.language.names.labels import Labels, labels_of
from evoter.language.names.reserved import bare_or_quoted
from evoter.language.statements.numerals import write_number
from evoter.language.templates import fill
from evoter.rules.explain import Explanation

DIGITS = 4
"""Predictions are shown to this many digits."""


class Goal(Protocol):
    """What is predicted."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def maximise(self) -> bool:
        """Whether more of it is better."""
        ...


class Option(Protocol):
    """What can be done, with a prediction for each goal."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def scores(self) -> tuple[float, ...]:
        """The prediction for each goal."""
        ...

    @property
    def allowed(self) -> bool:
        """Whether guardrails allow it."""
        ...


class Recommended(Protocol):
    """A recommendation, as `EvoterPrescriptor.explain` returns it; the first alternative is what is recommended."""

    @property
    def name(self) -> str:
        """What is recommended."""
        ...

    @property
    def explanation(self) -> Explanation:
        """Why it is."""
        ...

    @property
    def objectives(self) -> Sequence[Goal]:
        """What is predicted."""
        ...

    @property
    def alternatives(self) -> Sequence[Option]:
        """What can be done."""
        ...


def plain_recommendation(
    recommended: Recommended, *, language: str = "en", labels: Labels | Mapping[str, Any] | None = None
) -> str:
    """Say a recommendation in plain words: the decision, why, and a sentence of predictions for each goal."""
    catalogue = load_catalogue(language)
    names = labels_of(labels, recommended.explanation.ruleset.schema).actions
    explanation = plain_explanation(recommended.explanation, language=language, labels=labels)
    lines = [fill(catalogue["recommendation.name"], {"name": _named(recommended.name, names, catalogue)})]
    lines += explanation.split("\n")[1:]  # the first line says the decision, which the recommendation has said
    for position, goal in enumerate(recommended.objectives):
        scores = [
            fill(
                catalogue[f"recommendation.{_key(number, option)}"],
                {
                    "value": write_number(float(f"{option.scores[position]:.{DIGITS}g}"), catalogue),
                    "name": _named(option.name, names, catalogue),
                },
            )
            for number, option in enumerate(recommended.alternatives)
        ]
        better = catalogue["recommendation.higher" if goal.maximise else "recommendation.lower"]
        parts = {"goal": bare_or_quoted(goal.name, catalogue), "better": better, "scores": "; ".join(scores)}
        lines.append(fill(catalogue["recommendation.predicted"], parts))
    return "\n".join(lines)


def _key(number: int, option: Option) -> str:
    if number == 0:
        return "recommended"
    return "score" if option.allowed else "forbidden"


def _named(name: str, labels: Mapping[str, str], catalogue: Catalogue) -> str:
    return bare_or_quoted(labels.get(name, name), catalogue)
