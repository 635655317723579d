"""Tests of the LaTeX form: the paper's layout, and names that cannot act as commands."""

import re

import pytest
from hypothesis import given

from evoter.rules.model import Condition, Operator, RuleSet, Term
from evoter.rules.schema import Feature, Schema
from evoter.rules.text import print_condition, print_ruleset, print_term
from laws import examples
from samples import HOSTILE_NAMES, RULESET, hostile_ruleset
from strategies import rulesets

DOCUMENT = r"""\begin{align*}
1.\ & \textit{petal length (cm)} \le 2.45 \,\text{cm} \,[1..6.9] && \longrightarrow \textit{setosa} && 50 \\
2.\ & \text{safety limit}\text{ pinned:}\  \\
& 0.11 \cdot \textit{velocity.of.cart}^{3} < 0.87 \cdot \textit{angle.of.pole}[2] \wedge {} \\
& \textit{race} \ne \text{a\textbar{}b} \wedge {} \\
& \textit{glucose}^{2} \ge 1 \cdot 10^{-7} \,[0..] && \longrightarrow 0.59 \cdot \textit{Left} && 7 \\
3.\ & \textit{glucose} \text{ is missing} \wedge {} \\
& \textit{anaemia} = \text{true} && \longrightarrow \textit{Right} && 0 \\
4.\ & \text{Default} && \longrightarrow 0.13 \cdot \textit{Right} && 93
\end{align*}"""

COMMANDS = {
    "begin", "end", "textit", "text", "cdot", "wedge", "longrightarrow", "le", "ge", "ne", "in", "notin",
    "textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar",
}  # fmt: skip


def check_harmless(latex: str) -> None:
    """Check that braces balance, only known commands occur, and no special character stands unescaped in a name."""
    plain = re.sub(r"\\(?:[{}$&#_%]|\\|,| )", "", latex)
    assert set(re.findall(r"\\([a-zA-Z]+)", plain)) <= COMMANDS
    assert not re.search(r"\\[^a-zA-Z]", plain)
    depth = 0
    for character in plain:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
        assert not (depth and character in "$&#_%~^")
    assert depth == 0
    assert latex.count(r"\begin{align*}") == latex.count(r"\end{align*}")


def test_the_layout_of_the_paper() -> None:
    text = print_ruleset(RULESET, "latex", ranges=True, declarations=False, applied=[50, 7, 0, 93])
    assert text == DOCUMENT


def test_the_declarations() -> None:
    text = print_ruleset(RULESET, "latex")
    assert r"\textit{angle.of.pole}:\ & \text{numeric} \,[-0.2..0.2] \\" in text
    assert r"\textit{race}:\ & \text{one of }\text{Asian}\text{ \textbar{} }\text{African American}" in text
    assert r"\text{lags}:\ & 0..2 \\" in text
    assert text.endswith("\\text{decide}:\\ & \\text{hardmax}\n\\end{align*}")


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_name_stays_text(name: str) -> None:
    check_harmless(print_term(Term(name), "latex"))


def test_a_hostile_rule_set_stays_a_display() -> None:
    check_harmless(print_ruleset(hostile_ruleset(), "latex", ranges=True))


@examples(40)
@given(ruleset=rulesets())
def test_random_rule_sets_are_balanced(ruleset: RuleSet) -> None:
    check_harmless(print_ruleset(ruleset, "latex", ranges=True))


def test_characters_in_a_row_are_no_ligature() -> None:
    assert print_term(Term("a--b''c"), "latex") == r"\textit{a-{}-b'{}'c}"


def test_exponents_are_powers_of_ten() -> None:
    schema = Schema([Feature("x", low=-1e-9, high=1e300)], ["A"])
    text = print_condition(Condition(Term("x"), Operator.GT, 2.5e20), schema, "latex", ranges=True)
    assert text == r"\textit{x} > 2.5 \cdot 10^{20} \,[-1 \cdot 10^{-9}..1 \cdot 10^{300}]"
