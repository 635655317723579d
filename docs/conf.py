"""The settings of the documentation; it builds offline, and a warning is an error."""

from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text
from sphinx.application import Sphinx

import evoter

project = "EVOTER"
author = "the EVOTER authors"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx reads this name
version = release = evoter.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

# Docstrings write names between single backticks, as they do for a person reading the source.
default_role = "code"
autodoc_default_options = {"members": True, "show-inheritance": True, "exclude-members": "__new__"}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_google_docstring = False

html_theme = "pydata_sphinx_theme"
html_sidebars = {"**": []}  # the pages stand side by side: there are no sections to navigate
html_title = f"EVOTER {release}"
html_static_path = ["_static"]
html_show_sourcelink = False
html_theme_options = {"show_toc_level": 2, "navigation_with_keys": False, "secondary_sidebar_items": ["page-toc"]}


class RulesLexer(RegexLexer):
    """Colours for rule text."""

    name = "Rules"
    aliases: ClassVar = ["rules"]
    tokens: ClassVar = {
        "root": [
            (r"#[^\n]*", Comment),
            (r'"(?:\\.|[^"\\\n])*"', String),
            (r"^\s*\d+\.(?=\s)", Comment),
            (r"\b(?:AND|IF|THEN|Default|pinned|where|is missing|is present)\b", Keyword),
            (r"\b(?:numeric|one of|yes/no|scaled|may be missing|actions|lags|decide)\b", Keyword.Type),
            (r"->", Operator.Word),
            (r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", Number),
            (r"!=|<=|>=|\.\.|[<>=*^|:,\[\]]", Operator),
            (r"[^\W\d][\w.]*(?:[-/]\w[\w.]*)*", Name),
            (r"\s+|.", Text),
        ]
    }


def setup(app: Sphinx) -> None:
    """Register the colours of rule text."""
    app.add_lexer("rules", RulesLexer)
