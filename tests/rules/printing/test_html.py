"""Tests of the HTML form: well formed, accessible, and with names that cannot act as markup."""

from html.parser import HTMLParser

from hypothesis import given

from evoter.rules.model import RuleSet
from evoter.rules.printing.pieces import visible
from evoter.rules.text import print_ruleset
from laws import examples
from samples import HOSTILE_NAMES, RULESET, hostile_ruleset
from strategies import rulesets

ATTRIBUTES = {"div": {"class"}, "th": {"scope"}, "span": {"class"}}
ELEMENTS = {
    "div", "style", "table", "caption", "thead", "tbody", "tr", "th", "td", "span", "sup", "br", "details", "summary",
}  # fmt: skip


class _Reader(HTMLParser):
    """Checks the nesting of elements and collects the text of the spans of each class."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.spans: dict[str, list[str]] = {}
        self._class = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS
        assert {name for name, _ in attrs} <= ATTRIBUTES.get(tag, set())
        if tag != "br":
            self.open.append(tag)
        if tag == "span":
            self._class = dict(attrs)["class"] or ""
            self.spans.setdefault(self._class, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._class = ""

    def handle_data(self, data: str) -> None:
        if self._class:
            self.spans[self._class][-1] += data


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


def check(ruleset: RuleSet) -> None:
    spans = read(print_ruleset(ruleset, "html", ranges=True)).spans
    assert {visible(name) for name in ruleset.schema.names} == set(spans.get("feature", []))
    assert {visible(action) for action in ruleset.schema.actions} == set(spans["action"])


def test_a_notebook_shows_the_html_form() -> None:
    assert RULESET._repr_html_() == print_ruleset(RULESET, "html")


def test_every_condition_is_in_the_table() -> None:
    html = print_ruleset(RULESET, "html", applied=[50, 7, 0, 93])
    assert "<caption>3 rules, 6 conditions, decides by hardmax</caption>" in html
    assert (
        '<tr><th scope="row">1</th><td><span class="feature">petal length (cm)</span> '
        '<span class="operator">≤</span> <span class="constant">2.45</span> cm</td>'
        '<td><span class="action">setosa</span></td><td><span class="certainty">1</span></td><td>50</td></tr>'
    ) in html
    check(RULESET)


def test_the_parts_that_are_not_asked_for_are_left_out() -> None:
    certain = RULESET.replace(rules=RULESET.rules[:1], default_certainty=1.0)
    html = print_ruleset(certain, "html", declarations=False)
    assert "details" not in html
    assert "Certainty" not in html
    assert "Applied" not in html
    assert "1 rule, 1 condition," in html


def test_hostile_names_stay_text() -> None:
    check(hostile_ruleset())
    assert visible(HOSTILE_NAMES[0]) in read(print_ruleset(hostile_ruleset(), "html")).spans["category"]


@examples(40)
@given(ruleset=rulesets())
def test_random_rule_sets_are_well_formed(ruleset: RuleSet) -> None:
    check(ruleset)
