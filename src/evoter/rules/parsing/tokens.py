"""The tokens of rule text: their regular expressions, and a stream that walks over them and points at errors."""

import json
import re
from functools import cache

from evoter.rules.errors import RuleSyntaxError, did_you_mean

MAX_TEXT_LENGTH = 50_000_000
"""Longer text (in characters) is refused before any work is done on it."""

MAX_DIGITS = 9
"""Of powers and lags: enough for any of them, and far from the limit of `int`."""

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"

KEYWORDS = ("AND", "OR", "IF", "THEN", "ELSE", "IS", "WHERE")
"""The words that end a name; they are recognised in any case."""

SCALED = "scaled"
"""Followed by a name in parentheses, with no blank between: the feature scaled to its range, as in `scaled(age)`."""

NUMERIC = "numeric"
"""The first word of the declaration of a feature that has numbers, and of actions that are numbers."""

SPECIAL_NAMES = frozenset({"default", "default action", "pinned", "actions", "lags", "decide", "true", "false"})
"""Names that mean something else in some places, and are therefore printed in quotes."""

_BLANK = r"[^\S\n]"
_LETTER = rf"[^\W\d{SUPERSCRIPTS}]"
_CHARACTER = rf"[^\W{SUPERSCRIPTS}]"
_WORD_END = rf"(?!{_CHARACTER}|\.|[-/]{_CHARACTER})"
_IN_SET = r"(?ai:(?:not\s++)?in)(?=\s*+\{)"  # words like others, unless a set follows
_OTHER = rf"(?!(?ai:{'|'.join(KEYWORDS)}){_WORD_END})(?!{_IN_SET})"
_WORD = rf"{_OTHER}{_LETTER}{_CHARACTER}*+(?:(?:\.|[-/](?={_CHARACTER})){_CHARACTER}*+)*+"
_WORDS = rf"{_WORD}(?:{_BLANK}++{_WORD})*+"
_NUMBER = r"[+\-−]?(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+"


def _keyword(word: str) -> str:
    return rf"(?ai:{word}){_WORD_END}"


# Possessive quantifiers keep every token linear in its length, whatever the input. The order matters where one token
# could start another: a coefficient and a rule's number before a number, two dots before a number that starts with one.
_TOKENS = {
    "NAME": rf"{_WORDS}(?:{_BLANK}++\({_WORDS}\))?+",
    "COEFFICIENT": rf"{_NUMBER}{_BLANK}*+[*·×⋅]",
    "ORDINAL": r"[0-9]++\.(?![0-9.])",
    "DOTS": r"\.\.",
    "NUMBER": _NUMBER,
    "ARROW": rf"-{{1,2}}>|[→⟶]|{_keyword('THEN')}",
    "SIGN": r"[+\-−]",
    "OPERATOR": r"<=|>=|!=|<>|==|[=<>≤≥≠](?!>)",
    "POWER": rf"\^{_BLANK}*+[0-9]++|[{SUPERSCRIPTS}]++",
    "LAG": rf"\[{_BLANK}*+[0-9]++{_BLANK}*+\]",
    "RANGE": rf"\[{_BLANK}*+(?:{_NUMBER})?+{_BLANK}*+\.\.{_BLANK}*+(?:{_NUMBER})?+{_BLANK}*+\]",
    "AND": rf"{_keyword('AND')}|&&?|∧",
    "OR": _keyword("OR"),
    "IF": _keyword("IF"),
    "ELSE": _keyword("ELSE"),
    "IS": _keyword("IS"),
    "NOT_IN": r"(?ai:not\s++in)(?=\s*+\{)|∉",
    "IN": r"(?ai:in)(?=\s*+\{)|∈",
    "OPEN_SET": r"\{",
    "CLOSE_SET": r"\}",
    "WHERE": _keyword("WHERE"),
    "STRING": r'"(?:[^"\\\n]++|\\.)*+"',
    "SYMBOL": rf"[%‰$€£¥₹]|°{_LETTER}*+",
    "OPEN": r"\(",
    "CLOSE": r"\)",
    "COLON": ":",
    "COMMA": ",",
    "BAR": r"\|",
    "SEMICOLON": r";(?:\s*+;)*+",
    "NEWLINE": r"\n",
    "END": r"\Z",
    "UNKNOWN": r"(?s:.)",
}
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]*")
_ANY_TOKEN = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _TOKENS.items())
_DIGITS = str.maketrans(SUPERSCRIPTS, "0123456789", "^[] \t")
_BARE_NAME = re.compile(_TOKENS["NAME"])
_BARE_UNIT = re.compile(_TOKENS["SYMBOL"])


@cache
def _next_token(*, by_line: bool) -> re.Pattern[str]:
    """Return the expression of blanks and a token; made when text is read first, since compiling it takes a while."""
    blank = _BLANK if by_line else r"\s"
    return re.compile(rf"(?:{blank}++|#[^\n]*+)*+(?:{_ANY_TOKEN})")


def is_bare_name(name: str) -> bool:
    """Tell whether a name can be written in rule text without quotes.

    >>> [is_bare_name(name) for name in ("petal length (cm)", "hours-per-week", "age[60-70)", "is missing", "true")]
    [True, True, False, False, False]
    """
    return (
        _BARE_NAME.fullmatch(name) is not None
        and " ".join(name.split()) == name
        and name.lower() not in SPECIAL_NAMES
        and not begins_with_not(name)
    )


def begins_with_not(name: str) -> bool:
    """Tell whether a name without quotes may be meant as the negation of a condition."""
    return name[:4].lower() == "not "


def is_whole_number(text: str) -> bool:
    """Tell whether a text is a whole number as actions are named: without a plus or leading zeros."""
    return _WHOLE_NUMBER.fullmatch(text) is not None


def is_bare_action(name: str) -> bool:
    """Tell whether an action can be written without quotes; a whole number can, since no other number is in its place.

    >>> [is_bare_action(name) for name in ("sepsis", "1", "-1", "1.5", "01")]
    [True, True, True, False, False]
    """
    if name.split(" ", 1)[0].lower() == NUMERIC:  # which begins the declaration of numeric actions
        return False
    return is_bare_name(name) or is_whole_number(name)


def is_bare_unit(unit: str) -> bool:
    """Tell whether a unit can be written after a constant without quotes."""
    return is_bare_name(unit) or _BARE_UNIT.fullmatch(unit) is not None


def _to_number(digits: str) -> float:
    return float(digits.replace("−", "-"))


class TokenStream:
    """Walks over the tokens of a text; `kind`, `start` and `end` describe the current one.

    Newlines are blanks inside a rule and separators after it, so the caller of `advance` says which of the two holds
    for the next token.
    """

    __slots__ = ("_before", "end", "kind", "start", "text")

    def __init__(self, text: str) -> None:
        if len(text) > MAX_TEXT_LENGTH:
            message = f"the text has {len(text):,} characters; at most {MAX_TEXT_LENGTH:,} are read"
            raise RuleSyntaxError(message, line=1, column=1, source=text[:80].partition("\n")[0])
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text = text.removeprefix("\ufeff")
        self.kind = "START"
        self.start = self.end = self._before = 0
        self.advance()

    @property
    def value(self) -> str:
        """The text of the current token."""
        return self.text[self.start : self.end]

    def advance(self, *, by_line: bool = False) -> str:
        """Move to the next token and return the text of the one left behind."""
        match = _next_token(by_line=by_line).match(self.text, self.end)
        # END and UNKNOWN match wherever nothing else does.
        assert match is not None
        assert match.lastgroup is not None
        self._before = start = self.start
        end = self.end
        self.kind = match.lastgroup
        self.start = match.start(match.lastgroup)
        self.end = match.end()
        return self.text[start:end]

    def peek(self) -> str:
        """Return the kind of the token after the current one."""
        match = _next_token(by_line=False).match(self.text, self.end)
        return str(match.lastgroup) if match else "END"

    def take(self, kind: str, expected: str, *, by_line: bool = False) -> str:
        """Move over a token of the given kind and return its text, or say what was expected instead."""
        if self.kind != kind:
            raise self.unexpected(expected)
        return self.advance(by_line=by_line)

    def take_name(self, expected: str, *, by_line: bool = False) -> str:
        """Move over a name, bare or in quotes, and return it."""
        if self.kind == "NAME":
            return " ".join(self.advance(by_line=by_line).split())
        if self.kind != "STRING":
            raise self.unexpected(expected)
        try:
            name = json.loads(self.value, strict=False)
        except ValueError:
            raise self.error(
                r"""wrong escape in a quoted name; only \" \\ \/ \b \f \n \r \t and \u0000 to \uffff are known"""
            ) from None
        self.advance(by_line=by_line)
        return str(name)

    def take_action(self, expected: str) -> str:
        """Move over the name of an action, which may be a whole number, and return it."""
        if self.kind == "NUMBER" and is_whole_number(self.value):
            return self.advance(by_line=True)
        return self.take_name(expected, by_line=True)

    def take_number(self, *, by_line: bool = False) -> float:
        """Move over a number and return it."""
        if self.kind not in ("NUMBER", "ORDINAL"):
            raise self.unexpected("a number")
        return _to_number(self.advance(by_line=by_line))

    def take_coefficient(self) -> float:
        """Move over a coefficient or a certainty and its `*`, if there is one, and return it; 1 if there is none."""
        return _to_number(self.advance()[:-1]) if self.kind == "COEFFICIENT" else 1.0

    def take_sign(self) -> float:
        """Move over a plus or a minus and return 1 or -1."""
        return 1.0 if self.take("SIGN", "'+' or '-'") == "+" else -1.0

    def take_digits(self) -> int:
        """Move over a power or a lag and return it."""
        digits = self.value.translate(_DIGITS)
        if len(digits) > MAX_DIGITS:
            raise self.error(f"a {self.kind.lower()} of {len(digits)} digits; at most {MAX_DIGITS} are read")
        self.advance()
        return int(digits)

    def take_range(self, *, by_line: bool = False) -> tuple[float | None, float | None]:
        """Move over a range and return its two ends, None where open."""
        low, _, high = self.advance(by_line=by_line)[1:-1].partition("..")
        return _to_number(low) if low.strip() else None, _to_number(high) if high.strip() else None

    def take_unit(self, *, by_line: bool = False) -> str:
        """Move over a unit and return it."""
        return self.advance(by_line=by_line) if self.kind == "SYMBOL" else self.take_name("a unit", by_line=by_line)

    def error(self, message: str, at: int | None = None) -> RuleSyntaxError:
        """Make an error that points at the current token, or at the position `at`."""
        at = self.start if at is None else at
        line_start = self.text.rfind("\n", 0, at) + 1
        line_end = self.text.find("\n", at)
        return RuleSyntaxError(
            message,
            line=self.line(at),
            column=at - line_start + 1,
            source=self.text[line_start : line_end if line_end >= 0 else len(self.text)],
        )

    def line(self, at: int) -> int:
        """Return the number of the line that contains the position `at`."""
        return self.text.count("\n", 0, at) + 1

    def unexpected(self, expected: str) -> RuleSyntaxError:
        """Make an error that says what was expected instead of the current token, with a hint where one helps."""
        found = {"END": "the end of the text", "NEWLINE": "the end of the line"}.get(self.kind, repr(self.value))
        return self.error(f"expected {expected}, got {found}{self._hint()}")

    def _hint(self) -> str:
        if self.kind == "UNKNOWN" and self.value == '"':
            return "; this quoted name does not end on its line"
        if self.text.startswith("=>", self.start):
            return "; did you mean '>=' or '->'?"
        around = self.text[max(0, self.start - 1) : self.start + 2]
        if around.startswith("=<"):
            return "; did you mean '<='?"
        if self.kind == "COMMA" and around[:1].isdecimal() and around[-1:].isdecimal():
            return "; numbers have a decimal point and nothing else, as in 2000.5"
        if self.value.upper() in KEYWORDS:
            return f"; a name that contains the word {self.value!r} goes in double quotes"
        before = self.text[self._before : self.start]
        if self.kind in ("OPEN", "CLOSE", "LAG", "RANGE", "UNKNOWN") and before[:1].isalpha() and before[-1:].isalnum():
            return "; a name with other characters than letters, digits, '_', '.', '-' and '/' goes in double quotes"
        words = [*before.split(), *(self.value.split() if self.kind == "NAME" else ())]
        hints = (did_you_mean(word, [*KEYWORDS, "Default", "pinned"]) for word in words if not word.startswith('"'))
        return next(filter(None, hints), "")
