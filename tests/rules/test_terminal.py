"""Tests of the coloured form: the aligned text, with a look for each kind of thing."""

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from evoter.rules.explain import explain
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from evoter.rules.terminal import colour_explanation, colour_rules, colour_ruleset
from evoter.rules.text import print_ruleset
from laws import examples
from samples import RULESET, hostile_ruleset
from strategies import rows, rulesets


@examples(40)
@given(ruleset=rulesets())
def test_the_plain_text_is_the_aligned_form(ruleset: RuleSet) -> None:
    assert colour_ruleset(ruleset).plain == print_ruleset(ruleset, "aligned")


@examples(40)
@given(ruleset=rulesets())
def test_single_rules_are_the_lines_of_the_compact_form(ruleset: RuleSet) -> None:
    lines = print_ruleset(ruleset, declarations=False).splitlines()
    assert [f"{number}. {text.plain}" for number, text in enumerate(colour_rules(ruleset), start=1)] == lines


def test_ranges_declarations_and_counts_can_be_chosen() -> None:
    text = colour_ruleset(RULESET, ranges=True, declarations=False, applied=[1, 2, 3, 4])
    assert text.plain == print_ruleset(RULESET, "aligned", ranges=True, declarations=False, applied=[1, 2, 3, 4])


def test_features_constants_operators_actions_and_certainties_look_different() -> None:
    text = colour_ruleset(RULESET)
    looks = {
        text.plain[span.start : span.end]: str(span.style)
        for span in text.spans
        if text.plain[span.start : span.end] in ("velocity.of.cart", "2.45", "<=", "Left", "0.59")
    }
    assert len(looks) == len(set(looks.values())) == 5


def test_rich_prints_a_rule_set_in_colours() -> None:
    console = Console(width=200, force_terminal=True, color_system="truecolor")
    with console.capture() as capture:
        console.print(RULESET)
    assert "\x1b[" in capture.get()


def test_names_are_no_console_markup_and_no_escapes() -> None:
    plain = colour_ruleset(hostile_ruleset()).plain
    assert "\x1b" not in plain
    assert "[x](javascript:alert(1))" in plain


def test_lags_are_times_where_a_step_takes_some() -> None:
    text = colour_ruleset(RULESET, time_step=(5, "min")).plain
    assert text == RULESET.to_text("aligned", time_step=(5, "min"))


@given(st.data())
def test_colours_do_not_change_the_text_of_explanations(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    explanation = explain(ruleset, data.draw(rows(ruleset.schema)))
    assert colour_explanation(explanation).plain == str(explanation)


def test_what_held_and_what_did_not_differ_in_colour() -> None:
    explanation = explain(parse("1. x > 2 -> a; 2. x > 1 -> b; Default -> a"), {"x": 1.5})
    console = Console(force_terminal=True, color_system="standard", width=80)
    with console.capture() as capture:
        console.print(explanation)
    assert "\x1b[1mrule 2 decided: b\x1b[0m" in capture.get()
    assert "\x1b[32m  x > 1\x1b[0m" in capture.get()
    assert "\x1b[31m  x > 2\x1b[0m" in capture.get()
