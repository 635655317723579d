"""Pages as lists of blocks, written as Markdown and as HTML."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

STYLE = """
:root { color-scheme: light dark; --line: #d9dde2; --soft: #f5f6f8; --ink: #1c2430; --dim: #667080; --paper: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a424e; --soft: #222932; --ink: #e6eaf0; --dim: #98a3b3; --paper: #171c23; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.2rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 .3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .3rem; }
p { margin: .5rem 0; max-width: 48rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--dim); }
td.number, th.number { text-align: right; padding-left: .6rem; white-space: nowrap; }
tr.strong td { font-weight: 600; }
.mark { display: inline-block; font-size: .74rem; font-weight: 600; padding: 0 .45rem; border-radius: .7rem;
  margin-left: .4rem; white-space: nowrap; }
.mark.reached { background: #d8f0de; color: #14602b; }
.mark.not-reached { background: #fbdcd8; color: #8f1d10; }
.mark.not-comparable { background: #e6e8ec; color: #454d59; }
.mark.not-run { background: #fdf0cf; color: #715100; }
code { background: var(--soft); padding: .05rem .3rem; border-radius: .25rem; font-size: .88em; }
pre { background: var(--soft); padding: .8rem 1rem; border-radius: .5rem; overflow-x: auto; font-size: .82rem;
  line-height: 1.45; }
pre code { padding: 0; background: none; font-size: inherit; }
img { max-width: 100%; border-radius: .4rem; background: #fff; }
ul { padding-left: 1.2rem; max-width: 48rem; } li { margin: .25rem 0; }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--dim); }
a { color: #2563b0; } @media (prefers-color-scheme: dark) { a { color: #7db2f0; } }
@media print { body { max-width: none; padding: 0; } h2 { break-after: avoid; } .wide, img { break-inside: avoid; } }
"""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, which links lead to by its slug."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; `code` and [links](page) in it are Markdown's."""

    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """A list of short paragraphs."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, with a mark beside its text, such as a verdict."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose first `n_names` columns are names and the others numbers; rows in `strong` stand out."""

    head: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    n_names: int = 1
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Code:
    """Text that is kept as it is; with a `summary`, HTML shows it when asked."""

    text: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture beside the page."""

    path: str
    text: str


Block = Heading | Paragraph | Points | Table | Code | Image


def to_markdown(blocks: Sequence[Block]) -> str:
    """Return a page as Markdown."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def to_html(blocks: Sequence[Block], title: str) -> str:
    """Return a page as HTML that needs nothing but the pictures beside it."""
    body = "\n".join(_html(block) for block in blocks)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!doctype html>\n<html lang="en">\n<head>{head}<title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n"
    )


@singledispatch
def _markdown(block: object) -> str:
    raise TypeError(f"no block: {block!r}")


@_markdown.register
def _(block: Heading) -> str:
    return f"{'#' * block.level} {block.text}"


@_markdown.register
def _(block: Paragraph) -> str:
    return block.text


@_markdown.register
def _(block: Points) -> str:
    return "\n".join(f"- {item}" for item in block.items)


@_markdown.register
def _(block: Table) -> str:
    lines = [block.head, tuple("---" if place < block.n_names else "---:" for place in range(len(block.head)))]
    for number, row in enumerate(block.rows):
        first, *others = (_markdown_cell(cell) for cell in row)
        lines.append((f"**{first}**" if number in block.strong and first else first, *others))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _markdown_cell(cell: str | Cell) -> str:
    text = cell if isinstance(cell, str) else ", ".join(part for part in (cell.text, cell.mark) if part)
    return text.replace("|", "\\|").replace("\n", " ")


@_markdown.register
def _(block: Code) -> str:
    head = f"{block.summary}:\n\n" if block.summary else ""
    return f"{head}```text\n{block.text}\n```"


@_markdown.register
def _(block: Image) -> str:
    return f"![{block.text}]({block.path})"


@singledispatch
def _html(block: object) -> str:
    raise TypeError(f"no block: {block!r}")


@_html.register
def _(block: Heading) -> str:
    return f'<h{block.level} id="{slug(block.text)}">{_inline(block.text)}</h{block.level}>'


@_html.register
def _(block: Paragraph) -> str:
    return f"<p>{_inline(block.text)}</p>"


@_html.register
def _(block: Points) -> str:
    return f"<ul>{''.join(f'<li>{_inline(item)}</li>' for item in block.items)}</ul>"


@_html.register
def _(block: Table) -> str:
    kinds = ["" if place < block.n_names else ' class="number"' for place in range(len(block.head))]
    head = "".join(f"<th{kind}>{_inline(text)}</th>" for kind, text in zip(kinds, block.head, strict=True))
    rows = []
    for number, row in enumerate(block.rows):
        cells = "".join(f"<td{kind}>{_html_cell(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        rows.append(f"<tr{' class=strong' if number in block.strong else ''}>{cells}</tr>")
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(rows)}</table></div>'


def _html_cell(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return _inline(cell)
    mark = f'<span class="mark {cell.mark.replace(" ", "-")}">{cell.mark}</span>' if cell.mark else ""
    return _inline(cell.text) + mark


@_html.register
def _(block: Code) -> str:
    code = f"<pre><code>{html.escape(block.text)}</code></pre>"
    return f"<details><summary>{_inline(block.summary)}</summary>{code}</details>" if block.summary else code


@_html.register
def _(block: Image) -> str:
    return f'<p><img src="{html.escape(block.path)}" alt="{html.escape(block.text)}"></p>'


def slug(heading: str) -> str:
    """Return what a heading is called in links, as renderers of Markdown make it.

    >>> slug("Human Activity, time series")
    'human-activity-time-series'
    """
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def _inline(text: str) -> str:
    """Return text with Markdown's code, links and emphasis as HTML.

    >>> _inline("see [iris](#iris), `a < b`")
    'see <a href="#iris">iris</a>, <code>a &lt; b</code>'
    """
    escaped = html.escape(text)
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    escaped = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", escaped)
    escaped = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", escaped)
    return re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", r'<a href="\2">\1</a>', escaped)
