"""Reads terms, operators and constants, the parts of which conditions of several forms are made."""

from dataclasses import replace

from evoter.rules.condition import COMPARISONS, Operator, Term
from evoter.rules.errors import RuleError
from evoter.rules.parsing.drafts import Remarks, TermDraft
from evoter.rules.parsing.tokens import SCALED, TokenStream

_OPERATORS = {operator.value: operator for operator in COMPARISONS} | {
    "==": Operator.EQ,
    "<>": Operator.NE,
    "≠": Operator.NE,
    "≤": Operator.LE,
    "≥": Operator.GE,
}


def take_operator(stream: TokenStream) -> Operator:
    """Move over an operator such as `<=` and return it."""
    return _OPERATORS[stream.advance()]


def at_sign(stream: TokenStream) -> bool:
    """Tell whether a plus or a minus follows, be it on its own or at the beginning of a number."""
    return stream.kind == "SIGN" or (stream.kind in ("COEFFICIENT", "NUMBER") and stream.value[0] in "+-−")


def parse_addend(stream: TokenStream) -> TermDraft:
    """Addend = ( "+" | "-" ) Term ."""
    text = stream.value
    sign = stream.take_sign() if stream.kind == "SIGN" else 1.0
    if stream.kind not in ("NAME", "STRING", "COEFFICIENT", "NUMBER", "ORDINAL"):
        raise stream.unexpected(f"a feature after '{text}' (a name with a '{text}' in it goes in double quotes)")
    if stream.kind in ("NUMBER", "ORDINAL"):
        raise stream.error("a sum adds two features: write the number after the operator, as in 'a + 0.5*b <= 3'")
    draft = parse_term(stream)
    term = draft.term
    return draft._replace(term=replace(term, coefficient=sign * term.coefficient), is_word=False)


def refuse_sum(stream: TokenStream) -> None:
    """Refuse a plus or a minus after the right-hand side of a condition."""
    if at_sign(stream):
        raise stream.error("a sum has its features on the left and a number on the right, as in 'a - 0.5*b <= 3'")


def parse_term(stream: TokenStream) -> TermDraft:
    """Term = [ COEFFICIENT ] ( Name | "scaled(" Name ")" ) { POWER | LAG } ."""
    at = stream.start
    is_word = stream.kind != "COEFFICIENT"
    coefficient = stream.take_coefficient()
    scaled = (
        stream.kind == "NAME" and stream.value.lower() == SCALED and stream.text[stream.end : stream.end + 1] == "("
    )
    if scaled:
        is_word = False
        stream.advance()
        stream.advance()
    quoted = stream.kind == "STRING"
    name = stream.take_name("a feature" if scaled else "a feature or a number")
    if scaled:
        stream.take("CLOSE", f"')' after '{SCALED}({name}'")
    power = lag = None
    while stream.kind in ("POWER", "LAG"):
        if stream.kind == "POWER" and power is None:
            power = stream.take_digits()
        elif stream.kind == "LAG" and lag is None:
            lag = stream.take_digits()
        else:
            raise stream.error(f"a second {stream.kind.lower()} of {name!r}")
        is_word = False
    try:
        return TermDraft(Term(name, coefficient, 1 if power is None else power, lag or 0), at, is_word, quoted, scaled)
    except RuleError as error:
        raise stream.error(str(error), at) from None


def parse_constant(stream: TokenStream) -> tuple[float, Remarks | None]:
    """Constant = NUMBER [ Unit ] [ RANGE ] ."""
    number_end = stream.end
    constant = stream.take_number()
    unit = ""
    unit_at = bounds_at = stream.start
    bounds = None
    if stream.kind in ("NAME", "STRING", "SYMBOL") and "\n" not in stream.text[number_end : stream.start]:
        unit = stream.take_unit()
    if stream.kind == "RANGE":
        bounds_at = stream.start
        bounds = stream.take_range()
    if not unit and bounds is None:
        return constant, None
    return constant, Remarks(unit, unit_at, bounds, bounds_at)
