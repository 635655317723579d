"""The glossary of a rule set in one language: what each name is called, and which name is meant."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evoter.language.catalogue import Catalogue, load_catalogue
from evoter.language.names.labels import Labels, known_values, labels_of
from evoter.language.names.quoting import QUOTES, is_wordlike, quote
from evoter.language.names.reserved import bare_or_quoted, is_bare, prefixes
from evoter.language.statements.times import unit_key
from evoter.rules.errors import SchemaError
from evoter.rules.printing.pieces import TimeStep
from evoter.rules.schema import Feature, Kind, Schema

Value = str | bool | float
"""What a category, a truth value or a binary feature is compared with."""

_UNIT_AT_END = re.compile(r"(\S.*\S|\S) \(([^()\s]+)\)")
_WELL_KNOWN_UNITS = frozenset({
    "mm", "cm", "m", "km", "µm", "mg", "g", "kg", "t", "ml", "l", "%", "°C", "°F", "K", "ms", "s", "min", "h", "Hz",
    "kHz", "mmHg", "kPa", "bpm", "mg/dL", "mmol/L", "g/dL", "kg/m2", "years", "months", "weeks", "days", "hours",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Subject:
    """What a feature is called: with its article, and as one or several."""

    phrase: str
    plural: bool = False
    has_article: bool = False


class Glossary:
    """What features, values, actions and units are called in one language.

    All names of one kind differ, and those that could be misread are in quotation marks, so that sentences can be read
    back.
    """

    def __init__(
        self,
        schema: Schema,
        language: str = "en",
        labels: Labels | Mapping[str, Any] | None = None,
        time_step: TimeStep | None = None,
    ) -> None:
        self.schema = schema
        self.catalogue: Catalogue = load_catalogue(language)
        self.labels = labels_of(labels, schema)
        self.time_step = time_step
        self.subjects = self._subjects()
        self.feature_of = _reversed({name: each.phrase for name, each in self.subjects.items()}, "features")
        self.statements = self._statements()
        self.statement_of = _reversed(self.statements, "statements")
        self._categories: dict[str, dict[str, str]] = {}
        self._category_of: dict[str, dict[str, str]] = {}
        named = schema.actions if schema.target is None else ()  # numbers have no names
        labelled = {action: self.labels.actions.get(action, action) for action in named}
        self.actions = {name: bare_or_quoted(label, self.catalogue) for name, label in labelled.items()}
        self.action_of = _reversed(self.actions, "actions")
        for name in self.labels.values:  # so that labels that two categories share are refused at once
            if name in schema and schema.feature(name).categories:
                self.category_of(name)
        self.decision = self.labels.decision or self.catalogue["outcomes.decision"]
        self.target = self._target()
        self.target_unit = "" if schema.target is None else schema.target.unit
        self.says = self.catalogue["outcomes.is" if self.labels.decision else "outcomes.says"]

    def categories(self, feature: str) -> Mapping[str, str]:
        """Return what the categories of a feature are called."""
        if feature not in self._categories:
            labels = self.labels.values.get(feature, {})
            phrase = self.subjects[feature].phrase
            # Where a category stands directly after the name, it must not look like the rest of a longer name.
            is_ambiguous = any(other.phrase.startswith(f"{phrase} ") for other in self.subjects.values())
            found = {}
            for category in self.schema.feature(feature).categories:
                label = labels.get(category, category)
                quoted = bare_or_quoted(label, self.catalogue)
                found[category] = self.quoted(label) if is_ambiguous and quoted == label else quoted
            self._categories[feature] = found
        return self._categories[feature]

    def category_of(self, feature: str) -> Mapping[str, str]:
        """Return which category is meant by what it is called."""
        if feature not in self._category_of:
            self._category_of[feature] = _reversed(self.categories(feature), f"categories of {feature!r}")
        return self._category_of[feature]

    def quoted(self, name: str) -> str:
        """Return a name in quotation marks."""
        return quote(name, self.catalogue.quotes)

    def quantity(self, number: str, feature: Feature | None, *, is_one: bool = False) -> str:
        """Return a number that is written already together with the unit of a feature."""
        return self.amount(number, "" if feature is None else self.unit_of(feature), is_one=is_one)

    def amount(self, number: str, unit: str, *, is_one: bool = False) -> str:
        """Return a number that is written already together with a unit, if there is one."""
        if not unit:
            return number
        if unit in self.catalogue.lists["units_before"] and unit not in self.labels.units:
            return f"{unit}{number}"
        if unit in self.catalogue.lists["units_attached"] and unit not in self.labels.units:
            return f"{number}{unit}"
        return f"{number} {self.unit_forms(unit)[0 if is_one else 1]}"

    def unit_of(self, feature: Feature) -> str:
        """Return the unit of a feature: as declared, or a well-known one in brackets at the end of its name."""
        unit = feature.unit or _bracketed(feature)
        return "" if self.labels.features.get(feature.name, "").endswith(f"({unit})") else unit

    def units(self) -> list[str]:
        """Return all units, each once."""
        found = dict.fromkeys([*(self.unit_of(feature) for feature in self.schema.features), self.target_unit])
        return [unit for unit in found if unit]

    def unit_forms(self, unit: str) -> tuple[str, str]:
        """Return what a unit is called after 1 and after other numbers."""
        label = self.labels.units.get(unit)
        if label is None and (key := unit_key(unit)) in self.catalogue.units and len(unit) > 2:
            return self.catalogue.units[key]
        named = unit if label is None else label
        is_sign = is_wordlike(named) and not any(map(str.isalnum, named))
        named = named if is_sign else bare_or_quoted(named, self.catalogue)
        return named, named

    def _subjects(self) -> dict[str, Subject]:
        """Return what each feature is called; where two would be called the same, the latter by its name in quotes."""
        subjects: dict[str, Subject] = {}
        phrases: dict[str, str] = {}
        labels = self.labels.features
        names = _readable(self.schema.features, self.labels.features)
        for feature, name in zip(self.schema.features, names, strict=True):
            subject = self._subject(feature, name)
            other = phrases.get(subject.phrase)
            if other is not None and not {other, feature.name} & labels.keys():
                subject = Subject(self.quoted(feature.name), subject.plural)
            phrases[subject.phrase] = feature.name
            subjects[feature.name] = subject
        return subjects

    def _subject(self, feature: Feature, name: str) -> Subject:
        catalogue, labels = self.catalogue, self.labels
        first = name.split(" ", maxsplit=1)[0].casefold()
        has_own = first in catalogue.lists["own_articles"] and " " in name
        if not is_bare(name, catalogue, is_feature=True):
            return Subject(self.quoted(name), feature.name in labels.plurals, False)
        plural = feature.name in labels.plurals or (
            feature.name not in labels.singulars and _is_plural(name, catalogue)
        )
        takes_article = bool(catalogue.article) and not has_own and feature.kind is not Kind.BOOLEAN
        is_words = re.fullmatch(r"[^\W\d_][^\W\d_]+[^\d]*", name) is not None
        if not takes_article or feature.is_binary or not is_words:
            return Subject(name, plural, has_own)
        with_article = f"{catalogue.article} {name}"
        if any(f"{with_article} ".startswith(prefix) for prefix in prefixes(catalogue)):
            return Subject(self.quoted(name), plural, False)
        return Subject(with_article, plural, True)

    def _target(self) -> Subject | None:
        """Return what numbers predict; None where it has no name, or is called otherwise, or actions are no numbers."""
        target, catalogue = self.schema.target, self.catalogue
        name = "" if target is None else self.labels.target or _spaced(target.name)
        if target is None or not name or self.labels.decision:
            return None
        first, _, rest = name.partition(" ")
        if catalogue.article and rest and first.casefold() in catalogue.lists["own_articles"]:
            name = rest  # the sentence has an article: "the predicted cost"
        if not is_bare(name, catalogue, is_feature=True):
            return Subject(self.quoted(name), target.name in self.labels.plurals)
        plural = target.name in self.labels.plurals or (
            target.name not in self.labels.singulars and _is_plural(name, catalogue)
        )
        return Subject(name, plural)

    def _statements(self) -> dict[tuple[str, str], str]:
        """Return the whole statements that labels give for features that are yes or no."""
        found = {}
        for name, values in self.labels.values.items():
            if name not in self.schema or self.schema.feature(name).categories:
                continue
            for value, statement in values.items():
                if value in known_values(self.schema, name):
                    self._check_statement(f"{name}={value}", statement)
                    found[name, value] = statement
        return found

    def _check_statement(self, name: str, statement: str) -> None:
        """Refuse a statement that could not be told from others."""
        spaced = f"{statement} "
        separators = [self.catalogue[f"lists.{key}"] for key in ("comma", "and", "last_and")]
        problem = ""
        if not statement.isprintable() or any(mark in statement for mark in f"{QUOTES}\\;:"):
            problem = "has quotation marks, colons, semicolons or signs that cannot be seen"
        elif found := [each for each in separators if each in spaced or statement.endswith(each.strip())]:
            problem = f"contains {found[0].strip()!r}, which joins statements"
        elif any(spaced.startswith(f"{subject.phrase} ") for subject in self.subjects.values()):
            problem = "begins with the name of a feature"
        elif spaced.startswith(prefixes(self.catalogue)) or not statement[0].isalpha():
            problem = "begins like a sum or a product"
        if problem:
            raise SchemaError(f"labels: the statement for {name!r} {problem}; say it in other words")


def _bracketed(feature: Feature) -> str:
    """Return the unit in brackets at the end of a name: the declared one, or a well-known one."""
    match = _UNIT_AT_END.fullmatch(feature.name) if feature.kind is Kind.NUMERIC else None
    if match is None:
        return ""
    known = match[2] == feature.unit if feature.unit else match[2] in _WELL_KNOWN_UNITS
    return match[2] if known else ""


def _spaced(name: str) -> str:
    """Return a name of one word with spaces in place of dots and underscores."""
    if re.fullmatch(r"[^\W\d_][\w./-]*\w", name):
        return re.sub(r"(?<=\w)[._](?=\w)", " ", name)
    return name


def _readable(features: Iterable[Feature], labels: Mapping[str, str]) -> list[str]:
    """Return labels, and names in which dots, underscores and units are left out where they stay different."""
    features = list(features)
    taken = {*(feature.name for feature in features), *labels.values()}
    shown = []
    for feature in features:
        name = feature.name
        unit = _bracketed(feature)
        spaced = _spaced(name.removesuffix(f" ({unit})") if unit else name)
        if name in labels:
            shown.append(labels[name])
        elif spaced in taken or " " * 2 in spaced:
            shown.append(name)
        else:
            taken.add(spaced)
            shown.append(spaced)
    return shown


def _reversed(named: "Mapping[Any, str]", what: str) -> dict[str, Any]:
    """Return which name is meant by a phrase; two that share one are refused."""
    found: dict[str, Any] = {}
    for name, phrase in named.items():
        if phrase in found:
            raise SchemaError(
                f"labels: two {what}, {found[phrase]!r} and {name!r}, would both be called {phrase!r}; rename one"
            )
        found[phrase] = name
    return found


def _is_plural(name: str, catalogue: Catalogue) -> bool:
    """Guess from its main word whether a name is a plural."""
    if not catalogue.lists["plural_endings"]:
        return False
    ends = [at for mark in catalogue.lists["main_word_before"] if (at := name.find(mark)) > 0]
    word = name[: min(ends, default=len(name))].rsplit(" ", maxsplit=1)[-1]
    lowered = word.casefold()
    if word.isupper() or lowered in catalogue.lists["singular_words"] or len(word) < 4:
        return False
    return lowered.endswith(catalogue.lists["plural_endings"]) and not lowered.endswith(
        catalogue.lists["singular_endings"]
    )
