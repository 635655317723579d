"""Templates such as "{left} is at most {number}": filled with words, and read back from what was written."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

PLACEHOLDER = re.compile(r"\{(\w+)\}")


def fill(template: str, parts: Mapping[str, str]) -> str:
    """Return a template with words in place of the names in braces.

    >>> fill("{left} is {operator} {number}", {"left": "{x}", "operator": "below", "number": "3"})
    '{x} is below 3'
    """
    return PLACEHOLDER.sub(lambda match: parts[match[1]], template)


def placeholders(template: str) -> list[str]:
    """Return the names in braces, in order."""
    return PLACEHOLDER.findall(template)


@dataclass(frozen=True, slots=True)
class Template:
    """A template that can be read: its first placeholder is free, and each of the others has a pattern."""

    prefix: str
    first: str
    follows: str
    rest: re.Pattern[str]
    suffix: str

    @classmethod
    def of(cls, template: str, patterns: Mapping[str, str]) -> "Template":
        """Prepare a template; a placeholder without a pattern stands for any text."""
        begin = PLACEHOLDER.search(template)
        assert begin is not None
        rest, end = "", begin.end()
        for match in PLACEHOLDER.finditer(template, end):
            pattern = patterns.get(match[1], ".+")
            rest += re.escape(template[end : match.start()]) + f"(?P<{match[1]}>{pattern})"
            end = match.end()
        follows = PLACEHOLDER.split(template[begin.end() :], maxsplit=1)[0]
        compiled = _compiled(rest + re.escape(template[end:]))
        return cls(template[: begin.start()], begin[1], follows, compiled, template[end:])

    def readings(self, text: str) -> Iterator[dict[str, str]]:
        """Yield each way to read a text as this template, with the shortest words for the first placeholder first.

        >>> template = Template.of("{left} is {operator} {number}", {"operator": "below|at most", "number": "[0-9]+"})
        >>> list(template.readings("my age is at most 30"))
        [{'left': 'my age', 'operator': 'at most', 'number': '30'}]
        """
        if not (text.startswith(self.prefix) and text.endswith(self.suffix)):
            return
        start = len(self.prefix)
        for end in range(start + 1, len(text) + 1):
            match = self.rest.fullmatch(text, end) if text.startswith(self.follows, end) else None
            if match is not None:
                yield {self.first: text[start:end], **match.groupdict()}


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL)


def any_of(texts: Mapping[object, str] | list[str]) -> str:
    """Return the pattern of one of several texts, the longest first."""
    found = texts.values() if isinstance(texts, Mapping) else texts
    return "|".join(map(re.escape, sorted(set(found), key=len, reverse=True)))
