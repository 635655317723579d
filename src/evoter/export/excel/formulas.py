"""Conditions as formulas of a spreadsheet: what compares equal, what counts as missing, and how text is quoted."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evoter.export.names import all_spellings
from evoter.export.xml import check_characters
from evoter.rules.errors import RuleError
from evoter.rules.forms.language import Language
from evoter.rules.model import Operator, Rule, Term
from evoter.rules.schema import Kind, Schema

MAX_FORMULA = 8_192
"""Longer formulas are refused by Excel, as is more than 255 of anything in a list."""

_MAX_LIST = _MAX_TEXT = 255
_LARGEST, _SMALLEST = 9.99999999999999e307, 2.2250738585073e-308
_SIGNS = {
    Operator.EQ: "=",
    Operator.NE: "<>",
    Operator.LT: "<",
    Operator.LE: "<=",
    Operator.GT: ">",
    Operator.GE: ">=",
}


class Piece(NamedTuple):
    """An expression, or conditions that must all be true; `cells` must hold numbers before an expression is read."""

    texts: tuple[str, ...]
    cells: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The expression, where it is one."""
        return self.texts[0]


class Formulas(Language[Piece]):
    """Conditions on the cells of one row, such as `B2`.

    A cell of a numeric column that holds no number is missing, be it empty or text: an empty cell would count as 0, and
    text as larger than every number.
    """

    def __init__(self, schema: Schema, cells: Mapping[tuple[str, int], str]) -> None:
        super().__init__(schema)
        self._cells = cells

    def rule(self, number: int, rule: Rule) -> str:
        """Write a formula that says yes where a rule holds, and no elsewhere."""
        conditions = [text for condition in rule.conditions for text in self.condition(condition).texts]
        formula = f'=IF({_listed("AND", list(dict.fromkeys(conditions)))},"yes","no")'
        if len(formula) > MAX_FORMULA:
            raise RuleError(
                f"rule {number} is a formula of {len(formula):,} characters, and Excel reads {MAX_FORMULA:,} at most: "
                "divide the rule, or export to SQL or Python"
            )
        return formula

    def _read(self, term: Term) -> str:
        return self._cells[term.feature, term.lag]

    def missing(self, term: Term) -> Piece:
        return Piece((_negated(self._present(term)),))

    def present(self, term: Term) -> Piece:
        return Piece((self._present(term),))

    def _present(self, term: Term) -> str:
        cell, kind = self._read(term), self.schema.feature(term.feature).kind
        if kind is Kind.NUMERIC:
            return f"ISNUMBER({cell})"
        return f"OR(ISLOGICAL({cell}),ISNUMBER({cell}))" if kind is Kind.BOOLEAN else f'{cell}<>""'

    def is_one_of(self, term: Term, categories: Sequence[str]) -> Piece:
        return Piece((_listed("OR", self._comparisons(term, categories)),))

    def is_none_of(self, term: Term, categories: Sequence[str]) -> Piece:
        others = [_negated(comparison) for comparison in self._comparisons(term, categories)]
        return Piece((self._present(term), *others))

    def _comparisons(self, term: Term, categories: Sequence[str]) -> list[str]:
        """Compare with EXACT, to which case matters; a number or truth value in a cell is a category too."""
        feature, cell = self.schema.feature(term.feature), self._read(term)
        if feature.has_category("true") or feature.has_category("false"):
            cell = f'IF(ISLOGICAL({cell}),IF({cell},"true","false"),{cell})'
        return [f"EXACT({cell},{text_literal(text)})" for text in all_spellings(feature, categories)]

    def is_truth(self, term: Term, truth: bool) -> Piece:
        cell = self._read(term)  # N is 1 or 0 for a truth value, the number for a number, and 0 for anything else
        return Piece((f"N({cell})=1",)) if truth else Piece((self._present(term), f"N({cell})=0"))

    def read_number(self, term: Term) -> Piece:
        return Piece((self._read(term),), (self._read(term),))

    def number(self, number: float) -> Piece:
        return Piece((number_literal(number),))

    def zero(self, value: Piece) -> Piece:
        return Piece(("0",), value.cells)

    def scaled(self, value: Piece, low: float, width: float) -> Piece:
        return Piece((f"(({value.text}-{_signed(low)})/{number_literal(width)})",), value.cells)

    def raised(self, value: Piece, power: int) -> Piece:
        return Piece((f"({'*'.join([value.text] * power)})",), value.cells)

    def times(self, coefficient: float, value: Piece) -> Piece:
        return Piece((f"{number_literal(coefficient)}*{value.text}",), value.cells)

    def plus(self, first: Piece, second: Piece) -> Piece:
        joint = "" if second.text.startswith("-") else "+"
        return Piece((f"({first.text}{joint}{second.text})",), (*first.cells, *second.cells))

    def compare(self, operator: Operator, left: Piece, right: Piece) -> Piece:
        comparison = f"{left.text}{_SIGNS[operator]}{right.text}"
        numbers = [f"ISNUMBER({cell})" for cell in dict.fromkeys((*left.cells, *right.cells))]
        if left.cells == (left.text,) and right.cells in ((), (right.text,)):
            return Piece((*numbers, comparison))  # compared as it is, a cell with text is no error
        return Piece((f"IF({_listed('AND', numbers)},{comparison},FALSE)",))


def number_literal(number: float) -> str:
    """Write a number with as few digits as identify it.

    >>> number_literal(2.45), number_literal(3.0), number_literal(-1e-07)
    ('2.45', '3', '-1E-07')
    """
    if abs(number) > _LARGEST or 0 < abs(number) < _SMALLEST:
        raise RuleError(
            f"Excel has no numbers above {_LARGEST} or between 0 and {_SMALLEST}, but the rules contain {number!r}: "
            "simplify the rules, narrow the range of the feature, or export to another format"
        )
    return repr(number + 0.0).removesuffix(".0").upper()  # the sign of a zero means nothing here


def text_literal(text: str) -> str:
    r"""Quote a string, so that it is nothing but a string; line ends are written as what Excel calls them.

    >>> print(text_literal('a "big" word\nand another'))
    "a ""big"" word"&CHAR(10)&"and another"
    """
    check_characters(text)
    pieces = []
    # Broken up where it looks like an escape of the file format (_x0041_) or like a newer function.
    for piece in re.split(r"([\t\n\r]|(?<=_)(?=x[0-9A-Fa-f]{4}_)|(?<=\w)(?=\())", text):
        if piece in ("\t", "\n", "\r"):
            pieces.append(f"CHAR({ord(piece)})")
        elif piece:
            chunks = [piece[start : start + _MAX_TEXT] for start in range(0, len(piece), _MAX_TEXT)]
            pieces += ['"' + chunk.replace('"', '""') + '"' for chunk in chunks]
    return "&".join(pieces)


def _listed(function: str, arguments: Sequence[str]) -> str:
    if len(arguments) > _MAX_LIST:
        raise RuleError(
            f"a rule has {len(arguments)} conditions or categories in one list, and Excel reads {_MAX_LIST} at most: "
            "divide the rule, or export to SQL or Python"
        )
    return arguments[0] if len(arguments) == 1 else f"{function}({','.join(arguments)})"


def _negated(condition: str) -> str:
    return f"NOT({condition})"


def _signed(number: float) -> str:
    return f"({number_literal(number)})" if number < 0 else number_literal(number)
