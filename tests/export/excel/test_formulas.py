"""Formulas in a form that people can follow, and the limits of Excel."""

import pytest

from evoter.export.excel.formulas import Formulas, number_literal, text_literal
from evoter.rules.errors import RuleError
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse


def formula(text: str, declared: str = "") -> str:
    """The formula of the first rule; its features are in A2, B2 and so on."""
    ruleset: RuleSet = parse(f"{text} -> yes; Default -> no\n{f'where {declared}' if declared else ''}")
    cells = {(name, 0): f"{letter}2" for letter, name in zip("ABCD", ruleset.schema.names, strict=False)}
    return Formulas(ruleset.schema, cells).rule(1, ruleset.rules[0]).removeprefix("=IF(").removesuffix(',"yes","no")')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x > 1.5", "AND(ISNUMBER(A2),A2>1.5)"),
        ("30 < x <= 40", "AND(ISNUMBER(A2),A2>30,A2<=40)"),
        ("x < y", "AND(ISNUMBER(A2),ISNUMBER(B2),A2<B2)"),
        ("2*x^2 != 0.5*y", "IF(AND(ISNUMBER(A2),ISNUMBER(B2)),2*(A2*A2)<>0.5*B2,FALSE)"),
        ("x - 0.5*y <= 3", "IF(AND(ISNUMBER(A2),ISNUMBER(B2)),(A2-0.5*B2)<=3,FALSE)"),
        ("x is missing", "NOT(ISNUMBER(A2))"),
        ("x is present", "ISNUMBER(A2)"),
    ],
)
def test_conditions_on_numbers(text: str, expected: str) -> None:
    assert formula(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c = red", 'EXACT(A2,"red")'),
        ("c != red", 'AND(A2<>"",NOT(EXACT(A2,"red")))'),
        ("c in {red, blue}", 'OR(EXACT(A2,"blue"),EXACT(A2,"red"))'),
        ("c is missing", 'NOT(A2<>"")'),
    ],
)
def test_conditions_on_categories(text: str, expected: str) -> None:
    assert formula(text, "c: one of red | blue") == expected


def test_conditions_on_truth_values() -> None:
    assert formula("b = true", "b: yes/no") == "N(A2)=1"
    assert formula("b = false", "b: yes/no") == "AND(OR(ISLOGICAL(A2),ISNUMBER(A2)),N(A2)=0)"
    assert (
        formula('c = "true"', 'c: one of "true" | other') == 'EXACT(IF(ISLOGICAL(A2),IF(A2,"true","false"),A2),"true")'
    )


def test_long_texts_are_divided_and_escapes_of_the_file_format_are_broken_up() -> None:
    assert text_literal("a" * 300) == f'"{"a" * 255}"&"{"a" * 45}"'
    assert text_literal("x_x0041_y") == '"x_"&"x0041_y"'
    assert text_literal("SORT(a) (b)") == '"SORT"&"(a) (b)"'
    assert text_literal("a\r\n\tb") == '"a"&CHAR(13)&CHAR(10)&CHAR(9)&"b"'


def test_limits_of_excel() -> None:
    for number in (1e308, -1e308, 1e-310):
        with pytest.raises(RuleError, match="Excel has no numbers above"):
            number_literal(number)
    assert number_literal(-0.0) == "0"
    many = [f"{'c' * 90}{place}" for place in range(90)]
    with pytest.raises(RuleError, match=r"rule 1 is a formula of 9,\d{3} characters, and Excel reads 8,192 at most"):
        formula(f"c in {{{', '.join(many)}}}", f"c: one of {' | '.join([*many, 'other'])}")
    with pytest.raises(RuleError, match="257 conditions or categories in one list, and Excel reads 255 at most"):
        formula(" AND ".join(f"x != {number}" for number in range(256)))
