"""Explanations of several decisions as a table: row, decision, rule, and the conditions that decided."""

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from evoter.rules.errors import RuleError
from evoter.rules.explain import Explanation, ExplanationForm, check_explanation_form
from evoter.rules.printing.pieces import TimeStep, visible
from evoter.rules.text import plain_words

if TYPE_CHECKING:
    from rich.table import Table

HEADINGS = ("row", "decision", "rule", "because")
SHOWN = 20
"""How many rows a table shows where nobody asked for all of them."""

_IN_WORDS = "evoter.language.explanations:plain_explanations"
_NO_RULE = "no rule held"
_STYLE = """<style>.evoter-explanations{border-collapse:collapse}
.evoter-explanations th,.evoter-explanations td{text-align:left;vertical-align:top;padding:.2em .7em}
.evoter-explanations td{border-top:1px solid #8888}
</style>"""


class Line(NamedTuple):
    """One decision as a line of a table."""

    row: str
    decision: str
    rule: str
    because: str


class Explanations(Sequence[Explanation]):
    """Explanations of several rows, which print as a table; each of them is found by its position.

    `rows` are the names of the rows, by default their positions from 0. Printing in a session shows the first 20 rows;
    `to_text()` gives all of them.

    >>> from evoter.rules.explain import explain
    >>> from evoter.rules.parser import parse
    >>> rules = parse("length <= 2.45 -> setosa; width > 1.7 -> virginica; Default -> versicolor")
    >>> table = Explanations(explain(rules, row) for row in [{"length": 5.9, "width": 2.1}, {"length": 4, "width": 1}])
    >>> table
    row  decision    rule     because
    0    virginica   2        width > 1.7 (2.1)
    1    versicolor  default  no rule held
    >>> print(table[0])
    rule 2 decided: virginica
      width > 1.7   (2.1)
    rule 1 did not hold: setosa
      length <= 2.45   (5.9)
    """

    def __init__(self, explanations: Iterable[Explanation], rows: Iterable[object] | None = None) -> None:
        self._explanations = tuple(explanations)
        self.rows = tuple(map(str, range(len(self._explanations)) if rows is None else rows))
        if len(self.rows) != len(self._explanations):
            raise ValueError(f"there are {len(self._explanations)} explanations but {len(self.rows)} names of rows")

    @overload
    def __getitem__(self, number: int) -> Explanation: ...
    @overload
    def __getitem__(self, number: slice) -> "Explanations": ...
    def __getitem__(self, number: "int | slice") -> "Explanation | Explanations":
        if isinstance(number, slice):
            return Explanations(self._explanations[number], self.rows[number])
        return self._explanations[number]

    def __len__(self) -> int:
        return len(self._explanations)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Explanations):
            return NotImplemented
        return (self._explanations, self.rows) == (other._explanations, other.rows)

    def __hash__(self) -> int:
        return hash((self._explanations, self.rows))

    def lines(self) -> list[Line]:
        """Return the cells of the table, safe to print."""
        return [_line(row, each) for row, each in zip(self.rows, self._explanations, strict=True)]

    def to_text(
        self,
        form: ExplanationForm = "compact",
        *,
        language: str | None = None,
        labels: Any = None,
        time_step: TimeStep | None = None,
    ) -> str:
        """Print the whole table, or in the form plain a paragraph for each row, as `Explanation.to_text` does."""
        if form == "plain":
            options = {"language": language or "en", "labels": labels, "time_step": time_step}
            return plain_words(_IN_WORDS)(self, **options)
        check_explanation_form(form, language, labels)
        if time_step is not None:
            raise RuleError("time_step: tables of explanations have lags in steps; print the form plain")
        cells = [HEADINGS, *self.lines()]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in cells)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return "\n".join([self[:SHOWN].to_text(), *self._more()])

    def __rich__(self) -> "Table":
        from evoter.rules.terminal import colour_explanations

        return colour_explanations(self)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{heading}</th>" for heading in HEADINGS)
        body = "".join(
            f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in line)}</tr>" for line in self[:SHOWN].lines()
        )
        more = "".join(f"<p>{text}</p>" for text in self._more())
        table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        return f'{_STYLE}<table class="evoter-explanations">{table}</table>{more}'

    def _more(self) -> list[str]:
        hidden = len(self) - SHOWN
        return [f"... and {hidden:,} more; to_text() prints all"] if hidden > 0 else []


def _line(row: str, explanation: Explanation) -> Line:
    decision = explanation.decision
    because = [
        " AND ".join(f"{condition} ({values})" for condition, values, _ in paragraph.conditions)
        for paragraph in explanation.paragraphs()
        if paragraph.decided and paragraph.conditions
    ]
    return Line(
        visible(row),
        ", ".join(explanation.decided_texts()),
        "default" if decision.by_default else ", ".join(str(index + 1) for index in decision.deciding),
        "; ".join(because) or _NO_RULE,
    )
