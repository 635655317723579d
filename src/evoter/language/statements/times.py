"""Lags in words: "two hours earlier" where it is known how long a step takes, otherwise "two steps earlier"."""

import re
from fractions import Fraction

from evoter.language.catalogue import Catalogue
from evoter.language.names.reserved import bare_or_quoted
from evoter.language.statements.numerals import number_pattern, read_number, write_number
from evoter.rules.printing.pieces import TimeStep, checked_time_step

SPELLINGS = {
    "ms": "millisecond",
    "s": "second",
    "sec": "second",
    "min": "minute",
    "h": "hour",
    "hr": "hour",
    "d": "day",
    "wk": "week",
    "mo": "month",
    "y": "year",
    "yr": "year",
}
"""Abbreviations of units of time, and their key in a catalogue."""

_LARGER = {"millisecond": ("second", 1000), "second": ("minute", 60), "minute": ("hour", 60), "hour": ("day", 24)}
_LARGER_THAN_DAY = {"day": ("week", 7)}


def unit_key(unit: str) -> str:
    """Return the key of a unit of time in a catalogue; other units are returned as they are.

    >>> [unit_key(unit) for unit in ("h", "minutes", "mmHg")]
    ['hour', 'minute', 'mmHg']
    """
    lowered = unit.casefold().removesuffix(".")
    if lowered in SPELLINGS:
        return SPELLINGS[lowered]
    singular = lowered.removesuffix("s")
    return singular if singular in SPELLINGS.values() else unit


def time_words(lag: int, time_step: TimeStep | None, catalogue: Catalogue) -> str:
    """Say how much earlier a lag is.

    >>> from evoter.language.catalogue import load_catalogue
    >>> [time_words(4, step, load_catalogue("en")) for step in (None, (30, "min"), (45, "s"), (0.5, "shifts"))]
    ['four steps', 'two hours', 'three minutes', 'two shifts']
    """
    amount, unit = Fraction(lag), "step"
    if time_step is not None:
        length, said = checked_time_step(time_step)
        amount, unit = lag * Fraction(repr(float(length))), unit_key(said)
    while unit in _LARGER and amount % _LARGER[unit][1] == 0:
        unit, factor = _LARGER[unit]
        amount /= factor
    if unit in _LARGER_THAN_DAY and amount % 7 == 0 and amount >= 14:
        unit, factor = _LARGER_THAN_DAY[unit]
        amount /= factor
    one, several = _forms(unit, catalogue)
    if amount == 1:
        return one
    words = catalogue.lists["words"]
    is_word = amount.denominator == 1 and amount <= len(words)
    return f"{words[int(amount) - 1] if is_word else write_number(float(amount), catalogue)} {several}"


def read_time(text: str, time_step: TimeStep | None, catalogue: Catalogue, max_lag: int) -> int | None:
    """Return the lag that words say; None if they say none."""
    keys = ["step"] if time_step is None else [*catalogue.times, unit_key(time_step[1])]
    for unit in dict.fromkeys(keys):
        amount = _amount(text, unit, catalogue)
        if amount is None:
            continue
        for lag in _lags(amount, unit, time_step):
            if 0 < lag <= max_lag and time_words(lag, time_step, catalogue) == text:
                return lag
    return None


def _forms(unit: str, catalogue: Catalogue) -> tuple[str, str]:
    if unit in catalogue.times:
        return catalogue.times[unit]
    named = bare_or_quoted(unit, catalogue)
    return f"{catalogue.lists['words'][0]} {named}", named


def _amount(text: str, unit: str, catalogue: Catalogue) -> float | None:
    one, several = _forms(unit, catalogue)
    if text == one:
        return 1.0
    if not text.endswith(f" {several}"):
        return None
    said, words = text.removesuffix(f" {several}"), catalogue.lists["words"]
    if said in words:
        return float(words.index(said) + 1)
    return read_number(said, catalogue) if re.fullmatch(number_pattern(catalogue), said) else None


def _lags(amount: float, unit: str, time_step: TimeStep | None) -> list[int]:
    """Return the whole numbers of steps that are about as long as an amount of time."""
    if time_step is None:
        return [round(amount)]
    length, base = time_step[0], unit_key(time_step[1])
    factor = 1.0
    larger = _LARGER | _LARGER_THAN_DAY
    while base != unit and base in larger:
        base, step = larger[base]
        factor *= step
    if base != unit:
        return []
    steps = amount * factor / length
    return [round(steps) + off for off in (0, -1, 1)] if steps < 1e9 else []
