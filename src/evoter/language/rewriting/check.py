"""Whether a rewritten text says the same: sentence by sentence, the same things in the same order, and nothing else."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from evoter.language.names.glossary import Glossary
from evoter.language.rewriting.items import Vocabulary

MOST_TIMES_AS_LONG = 2
MOST_LONGER = 120
"""A sentence may be so many times as long as the original, and so many characters more."""

_FORBIDDEN = re.compile(r"[<>{}\[\]`|\\@#*_~]|://|www\.")
_NUMBERED = re.compile(r"([0-9]{1,9})\. (.+)")


class Original(NamedTuple):
    """A sentence with its number, on one line, and its content alone: its statements, action and certainty."""

    sentence: str
    content: tuple[str, ...]


def refusal(rewritten: str, originals: Sequence[Original], glossary: Glossary) -> str:
    """Say why a rewritten text is not accepted; nothing if it is.

    Of each original, the rewritten sentence must name the same features, values, comparisons with their numbers, and
    action, in the same order; must have the words that turn a meaning, such as "not", as often; and must not contain
    digits, markup or addresses besides.
    """
    lines = [line.strip() for line in rewritten.strip().splitlines() if line.strip()]
    if len(lines) != len(originals):
        return f"it has {len(lines)} lines instead of {len(originals)}"
    vocabulary = Vocabulary(glossary)
    for number, (line, original) in enumerate(zip(lines, originals, strict=True), start=1):
        match = _NUMBERED.fullmatch(line)
        if match is None or int(match[1]) != number:
            return f"line {number} does not begin with '{number}. '"
        reason = _difference(match[2], original, vocabulary, glossary)
        if reason:
            return f"sentence {number} {reason}"
    return ""


def _difference(sentence: str, original: Original, vocabulary: Vocabulary, glossary: Glossary) -> str:
    if not sentence.isprintable():
        return "has characters that cannot be seen"
    if len(sentence) > MOST_TIMES_AS_LONG * len(original.sentence) + MOST_LONGER:
        return "is much longer than the original"
    before = _NUMBERED.sub(r"\2", original.sentence)
    whole, found = vocabulary.items(before), vocabulary.items(sentence)
    content = [name for piece in original.content for name in vocabulary.items(piece).named]
    if reason := _named_difference(found.named, whole.named, content, vocabulary):
        return reason
    if _numerals(found.rest) not in ("", _numerals(whole.rest)):
        return "contains another number"
    allowed = set(_FORBIDDEN.findall(whole.rest))
    if extra := [mark for mark in _FORBIDDEN.findall(found.rest) if mark not in allowed]:
        return f"contains {extra[0]!r}"
    for word in glossary.catalogue.lists["logic"]:
        counts = [_count(word, text) for text in (sentence, before)]  # in names, too, if something is called "or"
        if counts[0] != counts[1]:
            return f"has the word {word!r} {counts[0]} times instead of {counts[1]}"
    return ""


def _named_difference(
    found: Sequence[str], whole: Sequence[str], content: Sequence[str], vocabulary: Vocabulary
) -> str:
    """Say in which way a sentence names other things than the original does; nothing if it names the same.

    Words of the original that join its statements may be names, too, such as "and" or "one". If sentences call nothing
    so, they do not count. If this one also means something that is called so, they must all stay, since nobody could
    tell which are left.
    """
    joining = Counter(whole) - Counter(content)
    overlooked = {word for word in joining if vocabulary.is_unspoken(word)}
    named, all_of_it, meant = ([word for word in words if word not in overlooked] for words in (found, whole, content))
    ambiguous = any(word in meant for word in joining)
    if named == all_of_it or (named == meant and not ambiguous):
        return ""
    lost, added = Counter(meant) - Counter(named), Counter(named) - Counter(all_of_it)
    if lost:
        return f"lacks {next(iter(lost))!r}"
    if added:
        return f"adds {next(iter(added))!r}"
    return "names things in another order"


def _numerals(text: str) -> str:
    return "".join(filter(str.isnumeric, text))


def _count(word: str, text: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE))
