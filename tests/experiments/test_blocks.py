"""Blocks are written as Markdown and as HTML that say the same."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.experiments.blocks import Block, Cell, Code, Heading, Image, Paragraph, Points, Table, to_html, to_markdown

BLOCKS: list[Block] = [
    Heading("Title", 1),
    Paragraph("See [iris](#iris) and `a < b`."),
    Points(("one", "two & three")),
    Table(("model", "paper"), (("EVOTER", Cell("0.98", "not reached")), ("a|b", "1")), strong=frozenset({0})),
    Code("1. x > 1 -> a", "The rules"),
    Image("p.png", "a picture"),
]


class Tags(HTMLParser):
    """The open tags of a page, each closed by its own end."""

    VOID = ("meta", "img")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_markdown() -> None:
    text = to_markdown(BLOCKS)
    assert text.startswith("# Title\n\nSee [iris](#iris)")
    assert "| model | paper |\n| --- | ---: |\n| **EVOTER** | 0.98, not reached |\n| a\\|b | 1 |" in text
    assert "The rules:\n\n```text\n1. x > 1 -> a\n```" in text
    assert "- one\n- two & three" in text
    assert "![a picture](p.png)" in text


def test_html() -> None:
    text = to_html(BLOCKS, "A < B")
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert "<title>A &lt; B</title>" in text
    assert '<span class="mark not-reached">not reached</span>' in text
    assert "<code>a &lt; b</code>" in text
    assert "http" not in text, "a page needs nothing from elsewhere"


@given(st.text())
def test_text_is_never_markup(text: str) -> None:
    tags = Tags()
    tags.feed(to_html([Paragraph(text), Code(text), Table((text,), ((text,),))], text))
    assert tags.open == []


def test_the_target_of_a_link_cannot_leave_its_attribute() -> None:
    text = to_html([Paragraph('[x](a"onclick="b)')], "t")
    assert '<a href="a&quot;onclick=&quot;b">x</a>' in text


def test_what_is_no_block_is_refused() -> None:
    with pytest.raises(TypeError, match="no block"):
        to_markdown(["text"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="no block"):
        to_html([3], "t")  # type: ignore[list-item]


def test_emphasis_is_told_from_a_star() -> None:
    text = to_html([Paragraph("*Table 1.* a * b, 2*x and **bold**")], "t")
    assert "<p><em>Table 1.</em> a * b, 2*x and <strong>bold</strong></p>" in text
