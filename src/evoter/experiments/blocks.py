"""Pages as lists of blocks, written as Markdown and as HTML."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch

from evoter.analysis.html_pages import render


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; links refer to it by its slug."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; Markdown's `code`, [links](page), *emphasis* and **strong emphasis** work in all texts."""

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
    """A table whose first `n_names` columns are names and the others numbers; rows in `strong` are bold."""

    head: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    n_names: int = 1
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Code:
    """Preformatted text; with a `summary`, HTML shows it folded."""

    text: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture in a file, with its description."""

    path: str
    text: str


Block = Heading | Paragraph | Points | Table | Code | Image


def to_markdown(blocks: Sequence[Block]) -> str:
    """Return a page as Markdown."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def to_html(blocks: Sequence[Block], title: str) -> str:
    """Return a page as HTML that needs nothing but its pictures."""
    return render(
        "reproduction.html.j2",
        title=title,
        blocks=[(_kind(block), block) for block in blocks],
        inline=lambda text: list(_inline(text)),
        slug=slug,
    )


def _kind(block: Block) -> str:
    if not isinstance(block, Block):
        raise TypeError(f"not a block: {block!r}")
    return type(block).__name__


@singledispatch
def _markdown(block: object) -> str:
    raise TypeError(f"not a block: {block!r}")


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
    lines = [block.head, tuple("---" if column < block.n_names else "---:" for column in range(len(block.head)))]
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


def slug(heading: str) -> str:
    """Return the name of a heading in links, as Markdown renderers derive it.

    >>> slug("Human Activity, time series")
    'human-activity-time-series'
    """
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


@dataclass(frozen=True, slots=True)
class Inline:
    """A piece of a text: plain text, code, or one of the other kinds around pieces; `target` is that of a link."""

    kind: str
    text: str
    pieces: tuple["Inline", ...] = ()
    target: str = ""


_MARKS = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\*\*(?P<strong>[^*]+)\*\*"
    r"|(?<![\w*])\*(?P<emphasis>[^*\s][^*]*)\*(?![\w*])"
    r"|\[(?P<link>[^\]]+)\]\((?P<target>[^)\s:]+)\)"
)
"""Targets have no colon: links lead to headings and files of the reproduction, never to a script or another site."""


def _inline(text: str) -> Iterator[Inline]:
    """Split a text at Markdown's marks.

    >>> [(piece.kind, piece.text) for piece in _inline("see [iris](#iris), `a < b`")]
    [('plain', 'see '), ('link', 'iris'), ('plain', ', '), ('code', 'a < b')]
    """
    end = 0
    for match in _MARKS.finditer(text):
        if match.start() > end:
            yield Inline("plain", text[end : match.start()])
        kind = "link" if match["link"] else str(match.lastgroup)
        within = match[kind]
        pieces = () if kind == "code" else tuple(_inline(within))
        yield Inline(kind, within, pieces, match["target"] or "")
        end = match.end()
    if end < len(text):
        yield Inline("plain", text[end:])
