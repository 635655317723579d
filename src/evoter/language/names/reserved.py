"""Which names need quotation marks in a language: those with words that its sentences use between names."""

from functools import cache

from evoter.language.catalogue import Catalogue
from evoter.language.names.quoting import is_wordlike, quote, words_of
from evoter.language.templates import PLACEHOLDER

_SPOKEN = ("conditions.", "terms.", "lists.", "rules.", "outcomes.", "amounts.")


def bare_or_quoted(name: str, catalogue: Catalogue, *, is_feature: bool = False) -> str:
    """Return a name as it is, or in quotation marks where it could be misread.

    >>> from evoter.language.catalogue import load_catalogue
    >>> [bare_or_quoted(name, load_catalogue("en")) for name in ("number of children", "black and white")]
    ['number of children', '“black and white”']
    """
    return name if is_bare(name, catalogue, is_feature=is_feature) else quote(name, catalogue.quotes)


def is_bare(name: str, catalogue: Catalogue, *, is_feature: bool = False) -> bool:
    """Tell whether a name needs no quotation marks; a feature begins with a letter, and not like a sentence."""
    harmless: frozenset[str] = frozenset() if is_feature else frozenset(catalogue.lists["harmless_in_values"])
    if not is_wordlike(name) or words_of(name) & reserved_words(catalogue) - harmless:
        return False
    if not any(map(str.isalnum, name)):  # a lone sign is overlooked
        return False
    if not is_feature:
        return True
    begins = any(f"{name} ".startswith(prefix) for prefix in prefixes(catalogue))
    return name[0].isalpha() and not begins


@cache
def reserved_words(catalogue: Catalogue) -> frozenset[str]:
    """Return the words that stand after or between names in the sentences of a language."""
    said = [forms for verb in catalogue.verbs.values() for forms in verb]
    said += [*catalogue.operators.values(), *catalogue.term_operators.values()]
    for key, sentence in catalogue.sentences.items():
        if key.startswith(_SPOKEN):
            begin = PLACEHOLDER.search(sentence)
            said.append(PLACEHOLDER.sub(" ", sentence[begin.end() :] if begin else sentence))
    words = frozenset().union(*map(words_of, said))
    return words - frozenset(word.casefold() for word in catalogue.lists["harmless"])


@cache
def prefixes(catalogue: Catalogue) -> tuple[str, ...]:
    """Return what stands before terms in the sentences of a language, with a space at the end."""
    found = [f"{words} " for words in catalogue.multiples.values()]
    for key, sentence in catalogue.sentences.items():
        if key.startswith(("conditions.", "terms.")):
            prefix = PLACEHOLDER.split(sentence, maxsplit=1)[0]
            found += [prefix] if prefix else []
    return tuple(found)
