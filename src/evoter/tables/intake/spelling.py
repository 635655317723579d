"""Names that may be the same name, spelt differently."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

from evoter.tables.intake.limits import MAX_NAMES_TO_COMPARE

_RARE = 0.02
_MIN_LENGTH = 5
_SIMILARITY = 0.8
_MAX_LISTED = 3


def misspelt(counts: Mapping[str, int]) -> dict[str, str]:
    """Return names that may be misspellings of others: other capitals or spaces, or rare and a letter or two off.

    >>> misspelt({"paid": 90, "due": 50, "PAID": 2, "default": 60, "defualt": 1})
    {'PAID': 'paid', 'defualt': 'default'}
    """
    found: dict[str, str] = {}
    others: dict[str, str] = {}
    rare = _RARE * sum(counts.values())
    for name in sorted(counts, key=lambda name: (-counts[name], name)):
        folded = _folded(name)
        similar = [folded] if folded in others else []
        if not similar and counts[name] <= rare and len(counts) <= MAX_NAMES_TO_COMPARE:
            near = get_close_matches(folded, others, cutoff=_SIMILARITY)
            similar = [each for each in near if _is_slip(folded, each)]
        if similar:
            found[name] = others[similar[0]]
        else:
            others[folded] = name
    return found


def spelling_question(counts: Mapping[str, int]) -> str:
    """List the names that may be misspellings, each with the name it may stand for; return "" if there are none.

    >>> spelling_question({"Köln": 90, "köln": 1, "Bonn": 50})
    "'köln' and 'Köln'"
    """
    found = misspelt(counts)
    shown = ", ".join(f"{name!r} and {other!r}" for name, other in list(found.items())[:_MAX_LISTED])
    return f"{shown} and {len(found) - _MAX_LISTED} more such pairs" if len(found) > _MAX_LISTED else shown


def _is_slip(name: str, other: str) -> bool:
    """Tell whether names differ by a slip of the pen, not in short words, in numbers or by a prefix."""
    words, others = name.split(), other.split()
    if len(words) != len(others) or re.findall(r"\d+", name) != re.findall(r"\d+", other):
        return False
    different = [(a, b) for a, b in zip(words, others, strict=True) if a != b]
    return all(
        min(len(a), len(b)) >= _MIN_LENGTH and abs(len(a) - len(b)) <= 1 and not (a.endswith(b) or b.endswith(a))
        for a, b in different
    )


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
