"""Recommendations: for one case what is prescribed, which rule says so, and what every alternative would bring."""

from dataclasses import dataclass
from typing import Any

from evoter.evolution.problem import Objective
from evoter.language.recommendations import plain_recommendation
from evoter.rules.explain import Explanation, ExplanationForm, check_explanation_form

_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Alternative:
    """Something that can be done, and the score that is predicted for each goal; `allowed` if guardrails allow it."""

    name: str
    scores: tuple[float, ...]
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What is prescribed for one case and why; `str()` gives it as text for a reader who knows the case.

    `alternatives` begin with what is prescribed, if the predictor knows it; the others are sorted by the first goal,
    the best first.
    """

    name: str
    explanation: Explanation
    objectives: tuple[Objective, ...]
    alternatives: tuple[Alternative, ...]

    def to_text(
        self,
        form: ExplanationForm = "compact",
        *,
        language: str | None = None,
        labels: Any = None,
    ) -> str:
        """Print the recommendation, in the form plain as sentences in a `language`, with `labels` for names."""
        if form == "plain":
            return plain_recommendation(self, language=language or "en", labels=labels)
        check_explanation_form(form, language, labels)
        return "\n".join([f"recommended: {self.name}", str(self.explanation), *self._table()])

    def __str__(self) -> str:
        return self.to_text()

    def _table(self) -> list[str]:
        headings = [f"{each.name} {'↑' if each.maximise else '↓'}" for each in self.objectives]
        rows = [["predicted", *headings]]
        for number, each in enumerate(self.alternatives):
            note = " (recommended)" if number == 0 else "" if each.allowed else " (not allowed)"
            rows.append([each.name + note, *[f"{score:.{_DIGITS}g}" for score in each.scores]])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return [
            "  ".join(
                [row[0].ljust(widths[0]), *[cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]]
            )
            for row in rows
        ]
