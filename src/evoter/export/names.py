"""Names in a target language: new ones that are not taken, and those of the inputs that a rule set reads."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from evoter.export.deciding import added_features, numbered
from evoter.rules.errors import RuleError
from evoter.rules.forms.registry import form_of
from evoter.rules.model import RuleSet
from evoter.rules.schema import Feature
from evoter.rules.text import print_condition


class Input(NamedTuple):
    """A feature at a lag, and the name under which its values come in."""

    name: str
    feature: Feature
    lag: int


class Names:
    """The names that are taken in a document, and new ones that are not.

    >>> names = Names(["rule"])
    >>> [names.fresh("rule"), names.fresh("rule"), names.fresh("label")]
    ['rule_1', 'rule_2', 'label']
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}

    def fresh(self, stem: str) -> str:
        """Return the stem, or the stem with a number, and remember it among the names that are taken."""
        # A name stays taken, so the search goes on where the last one for this stem ended: thousands are asked for.
        number = self._numbers.get(stem, 0)
        while (name := f"{stem}_{number}" if number else stem) in self._taken:
            number += 1
        self._numbers[stem] = number + 1
        self._taken.add(name)
        return name


def identifiers(names: Iterable[str], reserved: Iterable[str], *, ascii_only: bool = True) -> list[str]:
    """Return variables that are called almost as the features are, all different and none of them reserved.

    >>> identifiers(["petal length (cm)", "petal.length cm", "class", "2nd", "Größe", "測定"], {"class"})
    ['petal_length_cm', 'petal_length_cm_1', 'class_1', 'x2nd', 'Gro_e', 'x']
    >>> identifiers(["Größe", "x²"], (), ascii_only=False)
    ['Größe', 'x2']
    """
    taken = Names(reserved)
    return [taken.fresh(_stem(name, ascii_only)) for name in names]


def _stem(name: str, ascii_only: bool) -> str:
    if not ascii_only:
        stem = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", name)).strip("_")  # as Python reads names
        if stem.isidentifier():
            return stem
    plain = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    stem = re.sub(r"\W+", "_", plain, flags=re.ASCII).strip("_")
    return stem if re.match("[A-Za-z]", stem) else f"x{stem}"


def spellings(feature: Feature, category: str) -> tuple[str, ...]:
    """Return how a category may look as text: one that is a whole number is often kept in a column of floats.

    >>> from evoter.rules.schema import Kind
    >>> grade = Feature("grade", Kind.CATEGORICAL, categories=("3", "A"))
    >>> spellings(grade, "3"), spellings(grade, "A")
    (('3', '3.0'), ('A',))
    """
    as_float = f"{category}.0"
    is_whole = re.fullmatch("0|-?[1-9][0-9]{0,14}", category) is not None
    return (category, as_float) if is_whole and not feature.has_category(as_float) else (category,)


def all_spellings(feature: Feature, categories: Iterable[str]) -> tuple[str, ...]:
    """Return how any of several categories may look as text."""
    return tuple(text for category in categories for text in spellings(feature, category))


def inputs(ruleset: RuleSet, language: str) -> dict[tuple[str, int], Input]:
    """Return the inputs of a language that sees one row at a time: a value two steps ago is an input called `x[2]`.

    Where there is too little history that input is missing, so that conditions are false. Only a test whether it is
    missing would need to know more, and is refused.
    """
    read: set[tuple[str, int]] = set()
    for number, rule in numbered(ruleset):
        for condition in rule.conditions:
            looks_back = any(term.lag > 0 for term in condition.terms)
            if looks_back and form_of(condition).holds_if_missing(condition):
                tested = print_condition(condition, ruleset.schema)
                raise RuleError(
                    f"rule {number} tests an earlier value ({tested}): {language} cannot tell "
                    "one that is missing from one that does not exist yet; leave the condition out"
                )
            read.update((term.feature, term.lag) for term in condition.terms)
    read.update((name, 0) for name in added_features(ruleset))
    order = {name: position for position, name in enumerate(ruleset.schema.names)}
    found = {
        (name, lag): Input(f"{name}[{lag}]" if lag > 0 else name, ruleset.schema.feature(name), lag)
        for name, lag in sorted(read, key=lambda each: (order[each[0]], each[1]))
    }
    for name, times in Counter(each.name for each in found.values()).items():
        if times > 1:
            raise RuleError(f"{name!r} is a feature and an earlier value of another feature: rename the feature")
    return found
