"""The settings of the documentation; it builds offline, and a warning is an error."""

import inspect
from typing import Any, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text
from sphinx.application import Sphinx

import evoter

project = "EVOTER"
author = "the EVOTER authors"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx reads this name
version = release = evoter.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build"]
autosummary_generate = False
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Docstrings write names between single backticks, as they do for a person reading the source.
default_role = "code"
autodoc_default_options = {"members": True, "exclude-members": "__new__"}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
maximum_signature_line_length = 88  # one line for each parameter of a longer one
napoleon_google_docstring = False
napoleon_use_ivar = True  # attributes beside the parameters, not as entries of their own
napoleon_attr_annotations = False  # the types of arrays are no text to read
toc_object_entries_show_parents = "hide"

# Examples are executed when they have changed; one that fails fails the build.
sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "auto_examples",
    "within_subsection_order": "FileNameSortKey",
    "copyfile_regex": "",
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "EVOTER"
html_static_path = ["_static"]
html_css_files = ["evoter.css"]
html_show_sourcelink = False
html_sidebars = {"index": [], "installation": [], "faq": []}  # pages without a section to navigate
html_theme_options = {
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "navigation_with_keys": False,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "show_toc_level": 2,
    "logo": {"text": "EVOTER"},
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
}


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


def plain_signature(
    app: Sphinx, what: str, name: str, thing: Any, options: object, signature: str, returns: str
) -> tuple[str, str] | None:
    """Leave out the types of a signature whose parameters the docstring describes with their types."""
    if not signature or "Parameters\n----------" not in (inspect.getdoc(thing) or ""):
        return None
    defaults = getattr(thing.__init__ if inspect.isclass(thing) else thing, "__kwdefaults__", None) or {}
    plain = [
        each.replace(annotation=inspect.Parameter.empty, default=defaults.get(each.name, each.default))
        for each in inspect.signature(thing).parameters.values()
        if each.name != "self"
    ]
    return str(inspect.Signature(plain)), returns


def setup(app: Sphinx) -> None:
    """Register the colours of rule text, and the short form of long signatures."""
    app.add_lexer("rules", RulesLexer)
    app.connect("autodoc-process-signature", plain_signature)
