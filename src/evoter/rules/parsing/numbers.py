"""Reads actions that are numbers, with or without a unit and a linear term in one feature."""

from evoter.rules.parsing.drafts import NumericDraft
from evoter.rules.parsing.terms import at_sign
from evoter.rules.parsing.tokens import TokenStream, is_whole_number


def take_numeric_action(stream: TokenStream) -> NumericDraft:
    """NumericAction = NUMBER [ Unit ] [ ( "+" | "-" ) [ COEFFICIENT ] Name ] ."""
    is_label = stream.kind == "NUMBER" and is_whole_number(stream.value)
    constant = stream.take_number(by_line=True)
    unit, unit_at = "", stream.start
    if stream.kind in ("NAME", "STRING", "SYMBOL"):
        unit = stream.take_unit(by_line=True)
    coefficient, feature, feature_at = 0.0, "", stream.start
    if at_sign(stream):
        sign = stream.take_sign() if stream.kind == "SIGN" else 1.0
        if stream.kind == "NUMBER":
            raise stream.error("a numeric action adds a multiple of a feature to a number, as in '12 + 0.3*age'")
        coefficient = sign * stream.take_coefficient()
        feature_at = stream.start
        feature = stream.take_name("a feature, as in '12 + 0.3*age'", by_line=True)
        if stream.kind in ("POWER", "LAG"):
            raise stream.error("a numeric action reads a feature as it is now: leave out its power or lag")
        if coefficient == 0.0:
            raise stream.error("a coefficient of 0 has no effect: leave out the linear term", feature_at)
    return NumericDraft(
        constant, unit, unit_at, coefficient, feature, feature_at, is_label and not unit and not feature
    )
