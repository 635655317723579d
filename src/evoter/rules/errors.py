"""The errors of the rule language, each saying what is wrong, where, and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches
from functools import partial
from typing import Any

_EXCERPT_LENGTH = 160  # so that the caret under a line of megabytes can still be found

MAX_COMPARED = 20_000
"""Among more names than this, looking for near ones takes seconds; the hint is left out."""


class RuleError(ValueError):
    """A rule set, or a piece of one, does not make sense."""


class SchemaError(RuleError):
    """A schema is inconsistent, or a rule does not fit its schema."""


class RuleSyntaxError(RuleError):
    """Rule text cannot be parsed; `line` and `column` count from 1."""

    def __init__(self, message: str, *, line: int, column: int, source: str) -> None:
        start = max(0, column - _EXCERPT_LENGTH // 2) if len(source) > _EXCERPT_LENGTH else 0
        excerpt = "".join(
            character if character.isprintable() else " " for character in source[start : start + _EXCERPT_LENGTH]
        )
        pointer = " " * (column - 1 - start) + "^"
        super().__init__(f"line {line}, column {column}: {message}\n  {excerpt}\n  {pointer}")
        self.message = message
        self.line = line
        self.column = column
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        remade = partial(type(self), self.message, line=self.line, column=self.column, source=self.source)
        return remade, (), self.__dict__


class RuleFileError(RuleError):
    """A rule file cannot be read; `path` says where in the document."""

    def __init__(self, message: str, *, path: str = "") -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.message = message
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.message, path=self.path), (), self.__dict__


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint with the known names nearest to `name`, or an empty string."""
    known = list(known)
    if len(known) > MAX_COMPARED:
        return ""
    folded = {candidate.casefold(): candidate for candidate in known}
    near = [folded[match] for match in get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)]
    if near:
        return f"; did you mean {' or '.join(repr(candidate) for candidate in near)}?"
    if 0 < len(known) <= 8:
        return f"; known: {', '.join(repr(candidate) for candidate in known)}"
    return ""
