"""Numbers as SQL literals that a database reads back to exactly the same double."""

from fractions import Fraction

_MANTISSA = 2**53
"""Whole numbers up to here are doubles."""

_EXACT_TEN = 22
"""Powers of ten up to here are doubles."""

_SAFE_DECIMALS = 4
_STEP = 2**50


def float_literal(number: float) -> str:
    """Write a number with an exponent, which marks it as a double and not as a decimal number.

    >>> float_literal(2.45), float_literal(-1e300)
    ('2.45e0', '(-1e+300)')
    """
    text = repr(number + 0.0)  # the sign of a zero means nothing here
    marked = text if "e" in text else f"{text.removesuffix('.0')}e0"
    return f"({marked})" if number < 0 else marked


def quotient_literal(number: float) -> str:
    """Write a number for SQLite, whose reading of many digits is wrong in the last bit, as it is or by exact divisions.

    A decimal number with four decimals or fewer is read right: it is a quotient by 10**4 at most, which is too far from
    the middle between two doubles for being rounded twice, to 64 bits and then to 53. Others are written as a quotient
    or product of two doubles, which is rounded once, or as a whole number that is scaled by powers of two.

    >>> quotient_literal(2.45), quotient_literal(-64.387791), quotient_literal(1e300)
    ('2.45', '(-(64387791.0 / 1e6))', '(... * 1125899906842624.0 * ...)')
    """
    if number < 0:
        return f"(-{quotient_literal(-number)})"
    text = repr(number + 0.0)
    digits, _, exponent = text.partition("e")
    whole, _, decimals = digits.partition(".")
    decimals = "" if decimals == "0" else decimals
    significand, power = int(whole + decimals), int(exponent or 0) - len(decimals)
    if significand < _MANTISSA and -_SAFE_DECIMALS <= power <= 0:
        return text
    if significand < _MANTISSA and abs(power) <= _EXACT_TEN:
        return f"({significand}.0 {'/' if power < 0 else '*'} 1e{abs(power)})"
    return _by_powers_of_two(Fraction(number))


def _by_powers_of_two(number: Fraction) -> str:
    sign, scale = ("/", number.denominator) if number.denominator > 1 else ("*", 1)
    whole = number.numerator
    while whole >= _MANTISSA:
        whole, scale = whole // 2, scale * 2
    pieces = [f"{whole}.0"]
    while scale > 1:
        step = min(scale, _STEP)
        pieces.append(f"{sign} {step}.0")
        scale //= step
    return f"({' '.join(pieces)})"
