"""What the studio refuses, with a kind that a page can react to and a sentence that a person can act on."""

from typing import Any, Self

from evoter.rules.editing.editor import NoChangeError
from evoter.rules.errors import RuleError, RuleSyntaxError

MAX_SOURCE = 200
"""How much of a line that cannot be read is sent back."""


class StudioError(Exception):
    """Something that the user, or another tab, has to do otherwise.

    `kind` is a word for programs, such as conflict; `details` are further fields of the answer.
    """

    def __init__(self, kind: str, message: str, hint: str = "", **details: Any) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint
        self.details = details

    @classmethod
    def about_rule(cls, error: RuleError, **details: Any) -> Self:
        """Return what is wrong with rules that somebody typed, and where, if that is known."""
        if isinstance(error, NoChangeError):
            return cls("no_change", str(error), **details)
        if not isinstance(error, RuleSyntaxError):
            return cls("rule", str(error), **details)
        place = {"line": error.line, "column": error.column, "source": error.source[:MAX_SOURCE]}
        return cls("rule", error.message, **{**details, **place})

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {"kind": self.kind, "message": self.message, "hint": self.hint, **self.details}
