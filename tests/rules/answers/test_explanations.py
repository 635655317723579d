"""Tables of explanations: a line for each row, short in a session, and safe in a page."""

import pytest

from evoter.rules.answers.explanations import Explanations
from evoter.rules.explain import explain
from evoter.rules.parser import parse

RULES = parse('length <= 2.45 AND width < 1 -> setosa; width > 1.7 -> "<b>virginica</b>"; Default -> versicolor')
ROWS = [{"length": 2.0, "width": 0.5}, {"length": 5.0, "width": 2.0}, {"length": 5.0, "width": 1.2}]


@pytest.fixture
def table() -> Explanations:
    return Explanations([explain(RULES, row) for row in ROWS], ["p1", "p2", "p3"])


def test_each_row_is_a_line(table: Explanations) -> None:
    assert table.to_text().splitlines()[::3] == [
        "row  decision            rule     because",
        "p3   versicolor          default  no rule held",
    ]
    assert [line.row for line in table.lines()] == ["p1", "p2", "p3"]
    assert table.lines()[0].because == "length <= 2.45 (2) AND width < 1 (0.5)"
    assert [line.rule for line in table.lines()] == ["1", "2", "default"]


def test_single_explanations_are_found_by_position(table: Explanations) -> None:
    assert len(table) == 3
    assert table[1] == explain(RULES, ROWS[1])
    assert table[-1].decision.by_default
    assert table[1:].rows == ("p2", "p3")
    assert [each.decision.action for each in table[:1]] == ["setosa"]
    assert table == Explanations(list(table), table.rows) != Explanations(list(table))
    assert table != list(table)


def test_a_page_escapes_names(table: Explanations) -> None:
    page = table._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;virginica" in page
    assert page.count("<tr>") == 4


def test_a_session_shows_the_first_rows() -> None:
    """A list of 150 explanations used to print 15,000 characters and more."""
    many = Explanations(explain(RULES, ROWS[0]) for _ in range(150))
    assert len(repr(many).splitlines()) == 22
    assert repr(many).endswith("... and 130 more; to_text() prints all")
    assert "... and 130 more" in many._repr_html_()
    assert len(str(many).splitlines()) == 151
    assert many[149].decision.action == "setosa"


def test_all_deciding_rules_are_told() -> None:
    rules = parse("x > 1 -> a; x > 2 -> b; Default -> c\nwhere\n x: numeric\n decide: all")
    (line,) = Explanations([explain(rules, {"x": 3})]).lines()
    assert (line.decision, line.rule, line.because) == ("a, b", "1, 2", "x > 1 (3); x > 2 (3)")


def test_names_and_explanations_must_agree() -> None:
    with pytest.raises(ValueError, match="there are 1 explanations but 2 names"):
        Explanations([explain(RULES, ROWS[0])], ["a", "b"])
