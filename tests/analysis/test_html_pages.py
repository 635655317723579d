"""Pages are rendered strictly: what is undefined is an error, and nothing but our own templates is markup."""

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from evoter.analysis.html_pages import render
from pages import Page

TEMPLATES = sorted(path for path in files("evoter.analysis").joinpath("templates").rglob("*.j2"))  # type: ignore[attr-defined]


def test_there_are_templates() -> None:
    assert len(TEMPLATES) > 8


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_trust_no_value(path: object) -> None:
    source = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    for way_out in ("|safe", "| safe", "Markup", "autoescape", "|tojson", "|xmlattr"):
        assert way_out not in source


def test_what_a_page_does_not_get_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'title' is undefined"):
        render("page.html.j2")


@given(st.text())
def test_titles_are_text(title: str) -> None:
    page = Page(render("page.html.j2", title=title))
    assert not page.mistakes
    assert [tag for tag, _ in page.elements if tag not in ("html", "head", "meta", "title", "style", "body")] == []
