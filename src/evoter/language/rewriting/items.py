"""What sentences are about: features, values, numbers and actions in their order, and the words that are left."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evoter.language.names.glossary import Glossary
from evoter.language.statements.numerals import number_pattern
from evoter.language.templates import PLACEHOLDER, any_of, fill


@dataclass(frozen=True, slots=True)
class Items:
    """The things that a sentence names, in order, and the rest of it."""

    named: tuple[str, ...]
    rest: str


class Vocabulary:
    """Everything that sentences about a rule set can name: by what it is called, and by its own name."""

    def __init__(self, glossary: Glossary) -> None:
        self.glossary = glossary
        catalogue = glossary.catalogue
        before, after = list(catalogue.lists["units_before"]), list(catalogue.lists["units_attached"])
        for unit in glossary.units():
            after += [f" {form}" for form in glossary.unit_forms(unit)]
        quantity = f"(?:{any_of(before)})?{number_pattern(catalogue)}(?:{any_of(after)})?"
        operators = any_of([*catalogue.operators.values(), *catalogue.term_operators.values()])
        spoken, own, turns = (frozenset(each) for each in (self._phrases(), self._own_names(), _turns(glossary)))
        self._unspoken = own - spoken - turns
        # A comparison belongs to its number: "at most 5" is not "at least 5", and neither is "5".
        parts = [any_of([*spoken, *own]), f"(?:{operators})(?: {quantity})?", quantity, any_of([*turns])]
        self.pattern = re.compile("|".join(rf"(?<!\w)(?:{part})(?!\w)" for part in parts if part))

    def items(self, sentence: str) -> Items:
        """Take a sentence apart."""
        named, rest, end = [], "", 0
        for match in self.pattern.finditer(sentence):
            named.append(match.group())
            rest += sentence[end : match.start()] + " "
            end = match.end()
        return Items(tuple(named), rest + sentence[end:])

    def is_unspoken(self, name: str) -> bool:
        """Tell whether something has this name, but sentences call it otherwise, and mean nothing else by it."""
        return name in self._unspoken

    def _phrases(self) -> Iterator[str]:
        """Yield what things are called in sentences."""
        glossary, schema = self.glossary, self.glossary.schema
        article = f"{glossary.catalogue.article} "
        for feature in schema.features:
            yield glossary.subjects[feature.name].phrase.removeprefix(article)
            if feature.categories:
                yield from glossary.categories(feature.name).values()
        yield from glossary.statements.values()
        if glossary.target is not None:
            yield glossary.target.phrase
        yield from glossary.actions.values()

    def _own_names(self) -> Iterator[str]:
        """Yield the names of things themselves, which a rewritten sentence must not use for something else."""
        schema = self.glossary.schema
        for feature in schema.features:
            yield feature.name
            yield from feature.categories
        yield from schema.actions if schema.target is None else ()  # numbers are quantities


def _turns(glossary: Glossary) -> Iterator[str]:
    """Yield the words of a language that change what a name stands for: factors, powers, times, and the like."""
    catalogue = glossary.catalogue
    yield from catalogue.multiples.values()
    yield from catalogue.lists["words"]
    yield from (form for forms in catalogue.times.values() for form in forms)
    for key in ("terms.times", "terms.square", "terms.cube", "terms.scaled", "terms.lag"):
        yield from (text for piece in PLACEHOLDER.split(catalogue[key])[::2] if (text := piece.strip(" -()")))
    for key in ("missing", "present", "difference"):
        pieces = PLACEHOLDER.split(catalogue[f"conditions.{key}"])[::2]
        yield from (text for piece in pieces for text in [piece.strip()] if len(text) > 2 and text not in ("is", "ist"))
    if glossary.schema.target is not None:
        for key in ("plus", "minus", "less"):
            yield from filter(None, map(str.strip, PLACEHOLDER.split(catalogue[f"amounts.{key}"])[::2]))
        if unit := glossary.target_unit:
            parts = {"term": "", "unit": glossary.unit_forms(unit)[1]}
            yield fill(catalogue["amounts.in"], parts).strip(" ()")
