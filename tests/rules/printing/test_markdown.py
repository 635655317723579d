"""Tests of the Markdown form, read back with an independent Markdown parser."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from evoter.rules.printing.markdown import code_span
from evoter.rules.printing.pieces import action_text, name_text
from evoter.rules.schema import Feature, Schema
from evoter.rules.text import print_condition, print_ruleset
from laws import examples
from samples import HOSTILE_NAMES, RULESET, hostile_ruleset
from strategies import rulesets

RULES = """\
| Rule | If | Then | Certainty | Applied |
| --- | --- | --- | --- | --- |
| 1 | `petal length (cm) <= 2.45 cm` | `setosa` | 1 | 50 |
| 2 | `"safety limit" pinned:`<br>`0.11*velocity.of.cart^3 < 0.87*angle.of.pole[2]` and<br>`race != "a\\|b"` and<br>`glucose^2 >= 1e-07` | `Left` | 0.59 | 7 |
| 3 | `glucose is missing` and<br>`anaemia = true` | `Right` | 1 | 0 |
| 4 | *otherwise* | `Right` | 0.13 | 93 |"""

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


class _Codes(HTMLParser):
    """Collects the content of code elements, and the other elements met."""

    def __init__(self) -> None:
        super().__init__()
        self.codes: list[str] = []
        self.elements: set[str] = set()
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self._inside = tag == "code"
        if self._inside:
            self.codes.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "code"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.codes[-1] += data


def rendered(markdown: str) -> _Codes:
    codes = _Codes()
    codes.feed(MARKDOWN.render(markdown))
    codes.close()
    return codes


def expected_codes(ruleset: RuleSet) -> set[str]:
    conditions = {print_condition(c, ruleset.schema) for rule in ruleset.rules for c in rule.conditions}
    actions = {action_text(action) for action in ruleset.schema.actions}
    return conditions | actions | {name_text(name) for name in ruleset.schema.names}


def test_the_table_of_rules() -> None:
    assert print_ruleset(RULESET, "markdown", declarations=False, applied=[50, 7, 0, 93]) == RULES


def test_the_declarations() -> None:
    text = print_ruleset(RULESET, "markdown")
    assert "| `petal length (cm)` | `numeric [1..6.9] cm, scaled, may be missing` |" in text
    assert text.endswith("Actions: `setosa`, `Left`, `Right`. Lags: 0 to 2. Decides by `hardmax`.")


def test_a_rule_set_of_certain_rules_has_no_column_of_certainties() -> None:
    certain = RULESET.replace(rules=RULESET.rules[:1], default_certainty=1.0)
    assert print_ruleset(certain, "markdown").startswith("| Rule | If | Then |\n")


def check_only_tables_and_code(ruleset: RuleSet) -> None:
    codes = rendered(print_ruleset(ruleset, "markdown"))
    assert codes.elements <= {"table", "thead", "tbody", "tr", "th", "td", "code", "br", "em", "p"}
    assert expected_codes(ruleset) <= set(codes.codes)


def test_hostile_names_stay_text() -> None:
    check_only_tables_and_code(hostile_ruleset())


def test_bars_are_escaped_in_tables_only() -> None:
    """The list of actions is a paragraph, in which a backslash inside code is shown."""
    schema = Schema([Feature("x")], ["a", "b|c"])
    check_only_tables_and_code(RuleSet((), "a", schema))
    check_only_tables_and_code(RuleSet((), "b|c", schema))


@examples(40)
@given(ruleset=rulesets())
def test_random_names_stay_text(ruleset: RuleSet) -> None:
    check_only_tables_and_code(ruleset)


@examples(300)
@given(text=st.text("`ab \\|<", min_size=1).map(str.strip).filter(bool))
def test_a_code_span_shows_its_text(text: str) -> None:
    assert rendered(code_span(text)).codes == [text]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_code_span_shows_a_hostile_name(name: str) -> None:
    assert rendered(code_span(name_text(name))).codes == [name_text(name)]


def test_labels_that_are_whole_numbers_are_bare() -> None:
    assert print_ruleset(parse("x > 1 -> 1; Default -> -2"), "markdown").endswith(
        "Actions: `1`, `-2`. Decides by `first`."
    )
