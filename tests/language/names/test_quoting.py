"""Tests of names in quotation marks: whatever a name contains, it is found again."""

import re

from hypothesis import given
from hypothesis import strategies as st

from evoter.language import languages
from evoter.language.catalogue import load_catalogue
from evoter.language.names.quoting import outside_quotes, quote, unquote
from laws import examples

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])), st.text(st.sampled_from('“”„"\\ua,\n ') | st.just("𝄞"))
)


@examples(1000)
@given(name=TEXTS)
def test_quoted_names_are_found_again(name: str) -> None:
    for language in languages():
        quotes = load_catalogue(language).quotes
        quoted = quote(name, quotes)
        assert quoted.isprintable()
        assert unquote(quoted, quotes) == name
        assert not list(outside_quotes(quoted, re.compile("."), quotes))


def test_what_is_not_quoted_is_no_name() -> None:
    quotes = load_catalogue("en").quotes
    for text in ("", "a", "“a", "a”", "“a”b”", "“a\\”"):
        assert unquote(text, quotes) is None
