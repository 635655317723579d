"""Names in sentences: in quotation marks where they could be misread, and found again outside of them."""

import re
from collections.abc import Iterator

from evoter.rules.printing.pieces import visible

QUOTES = '“”„"«»‹›'
"""Marks that no name without quotes contains, whatever the language."""

_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|.)", re.DOTALL)
_WORD = re.compile(r"[\w(%‰€£$¥°#&+-][\w./'’&%‰()+°²³#*-]*(?<!\.)")


def quote(name: str, quotes: tuple[str, str]) -> str:
    r"""Put a name in quotation marks; what would end them, or cannot be seen, is escaped.

    >>> print(quote("a ” b", ("“", "”")))
    “a \” b”
    """
    begin, end = quotes
    escaped = re.sub(rf"([\\{begin}{end}])", r"\\\1", name)
    return f"{begin}{visible(escaped)}{end}"


def unquote(text: str, quotes: tuple[str, str]) -> str | None:
    r"""Return the name that `quote` has put in quotation marks; None if it is not that.

    >>> unquote(r"“a \” b”", ("“", "”"))
    'a ” b'
    """
    begin, end = quotes
    if re.fullmatch(rf"{begin}(?:[^\\{begin}{end}]|\\.)*{end}", text, re.DOTALL) is None:
        return None
    plain = _ESCAPE.sub(lambda match: chr(int(match[1][1:], 16)) if len(match[1]) > 1 else match[1], text[1:-1])
    # Characters beyond the first 65,536 are escaped as two halves.
    return plain.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "replace")


def is_wordlike(name: str) -> bool:
    """Tell whether a name consists of words with single spaces between, none of which could end a sentence.

    >>> [is_wordlike(name) for name in ("petal length (cm)", "a, b", "x.", "3", "age[60-70)")]
    [True, False, False, True, False]
    """
    return (
        name.isprintable()
        and all(_WORD.fullmatch(word) for word in name.split(" "))
        and name.count("(") == name.count(")")
    )


def words_of(text: str) -> set[str]:
    """Return the words of a text in lower case, without punctuation around them."""
    return {word for each in text.split() if (word := each.strip("()[]{}.,;:!?").casefold())}


def outside_quotes(text: str, wanted: re.Pattern[str], quotes: tuple[str, str]) -> Iterator[re.Match[str]]:
    """Yield where a pattern occurs outside quotation marks."""
    begin, end = quotes
    either = re.compile(rf"{begin}(?:[^\\{begin}{end}]|\\.)*{end}|(?P<wanted>{wanted.pattern})", re.DOTALL)
    return (match for match in either.finditer(text) if match["wanted"] is not None)
