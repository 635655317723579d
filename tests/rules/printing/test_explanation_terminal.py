"""Explanations in a terminal say the same as in plain text."""

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from evoter.rules.explain import explain
from evoter.rules.parser import parse
from evoter.rules.printing.explanation_terminal import colour_explanation
from strategies import rows, rulesets


@given(st.data())
def test_colours_do_not_change_the_text(data: st.DataObject) -> None:
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
