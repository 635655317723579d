"""Blocks are written as Markdown and as HTML that say the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.experiments.blocks import Block, Cell, Code, Heading, Image, Paragraph, Points, Table, to_html, to_markdown
from pages import Page

BLOCKS: list[Block] = [
    Heading("Title", 1),
    Paragraph("See [iris](#iris) and `a < b`."),
    Points(("one", "two & three")),
    Table(("model", "paper"), (("EVOTER", Cell("0.98", "not reached")), ("a|b", "1")), strong=frozenset({0})),
    Code("1. x > 1 -> a", "The rules"),
    Image("p.png", "a picture"),
]


def test_markdown() -> None:
    text = to_markdown(BLOCKS)
    assert text.startswith("# Title\n\nSee [iris](#iris)")
    assert "| model | paper |\n| --- | ---: |\n| **EVOTER** | 0.98, not reached |\n| a\\|b | 1 |" in text
    assert "The rules:\n\n```text\n1. x > 1 -> a\n```" in text
    assert "- one\n- two & three" in text
    assert "![a picture](p.png)" in text


def test_html() -> None:
    text = to_html(BLOCKS, "A < B")
    page = Page(text)
    assert not page.mistakes
    assert "<title>A &lt; B</title>" in text
    assert '<span class="mark not-reached">not reached</span>' in text
    assert "<code>a &lt; b</code>" in text
    assert not page.all("script")
    assert [each["src"] for each in page.all("img")] == ["p.png"]
    assert "http:" not in text, "a page needs nothing from elsewhere"
    assert "https:" not in text


@given(st.text())
def test_text_is_never_markup(text: str) -> None:
    blocks: list[Block] = [
        Heading(text),
        Paragraph(text),
        Points((text,)),
        Code(text, text),
        Table((text,), ((text,), (Cell(text),))),
    ]
    assert not Page(to_html(blocks, text)).mistakes


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "a\u202eb"])
def test_names_from_data_stay_text(hostile: str) -> None:
    blocks: list[Block] = [
        Heading(hostile),
        Paragraph(f"**Not run:** {hostile}"),
        Table((hostile,), ((Cell(hostile, hostile),),)),
        Code(f"1. {hostile} > 1 -> a\n2. Default -> b", hostile),
        Image(hostile, hostile),
    ]
    source = to_html(blocks, hostile)
    page = Page(source)
    assert not page.mistakes
    assert not page.all("script")
    assert len(page.all("img")) == 1, "the one that is a block"
    assert not any("onerror" in attributes for _, attributes in page.elements)
    assert "\u202e" not in source


@pytest.mark.parametrize("target", ["javascript:alert(1)", "https://elsewhere.example/", "data:text/html,x"])
def test_links_lead_to_headings_and_files_of_the_reproduction_only(target: str) -> None:
    assert not Page(to_html([Paragraph(f"[x]({target})")], "t")).all("a")
    assert Page(to_html([Paragraph("[x](#iris)")], "t")).all("a") == [{"href": "#iris"}]


def test_the_target_of_a_link_cannot_leave_its_attribute() -> None:
    text = to_html([Paragraph('[x](a"onclick="b)')], "t")
    assert Page(text).all("a") == [{"href": 'a"onclick="b'}]


def test_what_is_not_a_block_is_refused() -> None:
    with pytest.raises(TypeError, match="not a block"):
        to_markdown(["text"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="not a block"):
        to_html([3], "t")  # type: ignore[list-item]


def test_emphasis_is_told_from_a_star() -> None:
    text = to_html([Paragraph("*Table 1.* a * b, 2*x and **bold [link](#a)**")], "t")
    assert '<p><em>Table 1.</em> a * b, 2*x and <strong>bold <a href="#a">link</a></strong></p>' in text
