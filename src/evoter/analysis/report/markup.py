"""The small pieces of HTML that a report is made of; what comes from outside goes through `escaped`."""

from collections.abc import Iterable, Sequence
from html import escape

from evoter.analysis.formatting import percent
from evoter.rules.printing.pieces import visible

_LONG, _TOO_LONG = 9_999.5, 1e10
"""Between these, numbers are printed with all digits before the point."""


def escaped(text: object) -> str:
    r"""Return text as it may stand anywhere in a page, with characters that cannot be seen written out.

    >>> escaped("<b>\n")
    '&lt;b&gt;\\u000a'
    """
    return escape(visible(str(text)))


def share_text(share: float | None) -> str:
    """Print a share as a percentage, as it may stand in a page; a dash where it is unknown.

    >>> [share_text(share) for share in (None, 0.9583, 0.00001)]
    ['–', '95.8%', '&lt;0.1%']
    """
    return "–" if share is None else escaped(percent(share))


def number_text(value: float) -> str:
    """Print a number to four digits, for eyes; amounts are not spared their digits before the point.

    >>> [number_text(value) for value in (0.30000000000000004, 18830.44, 1234567.0, 2.0, 2.5e10)]
    ['0.3', '18,830', '1,234,567', '2', '2.5e+10']
    """
    return f"{value:,.0f}" if _LONG <= abs(value) < _TOO_LONG else f"{value:.4g}"


def bar(share: float, look: str = "") -> str:
    """Draw a share as a bar, for eyes only: the number stands beside it."""
    width = f"{min(max(share, 0.0), 1.0) * 100:.1f}"
    return f'<span class="bar {look}" aria-hidden="true"><span style="width:{width}%"></span></span>'


def section(name: str, title: str, *parts: str) -> str:
    """Return a section of the page with its heading; `name` is what links call it."""
    body = "\n".join(part for part in parts if part)
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">\n<h2 id="{name}-title">{title}</h2>\n{body}\n</section>'
    )


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str = "",
    numbers: Iterable[int] = (),
    looks: str = "",
) -> str:
    """Return a table of cells that are HTML already; the first cell of each row is its heading.

    `numbers` are the columns that hold numbers.
    """
    right = set(numbers)

    def look(place: int) -> str:
        return ' class="number"' if place in right else ""

    titles = "".join(f'<th scope="col"{look(place)}>{title}</th>' for place, title in enumerate(head))
    lines = [f'<div class="scroll" tabindex="0"><table class="{looks}">']
    lines += [f"<caption>{caption}</caption>"] if caption else []
    lines += [f"<thead><tr>{titles}</tr></thead>", "<tbody>"]
    for first, *others in rows:
        cells = "".join(f"<td{look(place)}>{cell}</td>" for place, cell in enumerate(others, start=1))
        lines.append(f'<tr><th scope="row"{look(0)}>{first}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody></table></div>"])


def details(summary: str, body: str) -> str:
    """Return something to unfold."""
    return f"<details><summary>{summary}</summary>\n{body}\n</details>"
