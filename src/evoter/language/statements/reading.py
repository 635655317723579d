"""Conditions read back from words: the same templates as in `conditions`, the other way round."""

import re
from collections.abc import Iterator

from evoter.language.catalogue import Catalogue
from evoter.language.names.glossary import Glossary
from evoter.language.names.quoting import outside_quotes
from evoter.language.statements.conditions import write_interval_end, write_quantity
from evoter.language.statements.numerals import number_pattern, read_number
from evoter.language.statements.terms import number_matches, read_term
from evoter.language.templates import Template, any_of
from evoter.rules.condition import Condition, Operator, Sum, Term
from evoter.rules.errors import RuleError
from evoter.rules.forms.membership import MAX_SET_CATEGORIES
from evoter.rules.schema import MAX_NAME_LENGTH, Feature, Kind

Clauses = tuple[Condition, ...]
"""The one condition, or the two of an interval, that a statement stands for."""


MAX_SEPARATORS = MAX_SET_CATEGORIES + 2
"""No statement has more of what also separates statements, so that reading takes a time that grows with the text."""

MAX_TERM_LENGTH = 13 * MAX_NAME_LENGTH
"""Longer than any term: each character of a name is escaped by at most twelve."""

_STATED: dict[str, bool | float] = {"true": True, "false": False, "1": 1.0, "0": 0.0}


_ORDER = (
    *("interval", "sum", "difference", "number", "missing", "present", "yes", "no"),
    *("none", "any", "not_category", "category", "terms"),
)
"""The templates of conditions in the order in which they are tried."""


class ConditionReader:
    """Reads statements about the features of a glossary."""

    def __init__(self, glossary: Glossary) -> None:
        self.glossary = glossary
        catalogue = glossary.catalogue
        self._operators = {words: sign for sign, words in catalogue.operators.items()}
        self._term_operators = {words: sign for sign, words in catalogue.term_operators.items()}
        self._verbs = {form for forms in catalogue.verbs.values() for form in forms}
        quantity = self._quantity_pattern(catalogue)
        shared = {verb: any_of(list(forms)) for verb, forms in catalogue.verbs.items()}
        shared |= {"number": quantity, "low": quantity, "high": quantity}
        by_number, by_term = any_of(list(self._operators)), any_of(list(self._term_operators))
        shared |= {"operator": by_number, "lower": by_number, "upper": by_number}
        self._templates = {
            key: Template.of(catalogue[f"conditions.{key}"], shared | ({"operator": by_term} if key == "terms" else {}))
            for key in _ORDER
        }
        self._comma = catalogue["lists.comma"]

    def conditions(self, text: str) -> list[Condition] | None:
        """Return the conditions that joined statements stand for; None if they cannot be read."""
        catalogue = self.glossary.catalogue
        separators = {catalogue[f"lists.{key}"] for key in ("comma", "and", "last_and")}
        pattern = re.compile("|".join(map(re.escape, sorted(separators, key=len, reverse=True))))
        cuts = [match.span() for match in outside_quotes(text, pattern, catalogue.quotes)]
        ends = [*cuts, (len(text), len(text))]
        read_from: dict[int, list[Condition] | None] = {len(text): []}
        for number, start in enumerate([*(after for _, after in reversed(cuts)), 0]):
            read_from[start] = None
            for end, after in ends[len(ends) - 1 - number :][:MAX_SEPARATORS]:
                rest = read_from[after]
                clause = None if rest is None else next(self._clauses(text[start:end]), None)
                if rest is not None and clause is not None:
                    read_from[start] = [*clause, *rest]
                    break
        return read_from[0]

    def _clauses(self, text: str) -> Iterator[Clauses]:
        """Yield what a statement can mean."""
        if text in self.glossary.statement_of:
            name, value = self.glossary.statement_of[text]
            yield (Condition(Term(name), Operator.EQ, _STATED[value]),)
            return
        for key, template in self._templates.items():
            for said in template.readings(text):
                found = self._clause(key, said)
                if found is not None:
                    yield found

    def _clause(self, key: str, said: dict[str, str]) -> Clauses | None:
        if key == "terms":
            return self._comparison(said)
        read = self._term(said["left"])
        if read is None or read[1]:
            return None
        left = read[0]
        feature = self.glossary.schema.feature(left.feature)
        if key in ("sum", "difference"):
            return self._sum(left, said, -1.0 if key == "difference" else 1.0)
        if key in ("number", "interval"):
            return self._numbers(left, feature, said)
        if key in ("missing", "present") and left.is_plain:
            return (Condition(left, Operator.IS_MISSING if key == "missing" else Operator.IS_PRESENT),)
        if key in ("yes", "no") and left.is_plain and (feature.kind is Kind.BOOLEAN or feature.is_binary):
            applies = key == "yes"
            return (Condition(left, Operator.EQ, float(applies) if feature.is_binary else applies),)
        if feature.kind is not Kind.CATEGORICAL or not left.is_plain:
            return None
        return self._categories(key, left, feature, said)

    def _term(self, text: str) -> tuple[Term, bool] | None:
        """Read a term; what contains a verb, and no quotation marks around it, is none and not looked at closely."""
        if len(text) > MAX_TERM_LENGTH:
            return None
        if self.glossary.catalogue.quotes[0] not in text and not self._verbs.isdisjoint(text.split(" ")):
            return None
        return read_term(text, self.glossary)

    def _numbers(self, left: Term, feature: Feature, said: dict[str, str]) -> Clauses | None:
        if feature.kind is not Kind.NUMERIC:
            return None
        if "low" not in said:
            number = self._number(said["number"])
            fits = said["number"] == write_quantity(number, left, self.glossary)
            return (Condition(left, self._operators[said["operator"]], number),) if fits else None
        low, high = self._number(said["low"]), self._number(said["high"])
        as_written = (write_interval_end(low, left, self.glossary), write_quantity(high, left, self.glossary))
        if (said["low"], said["high"]) != as_written:
            return None
        lower, upper = self._operators[said["lower"]], self._operators[said["upper"]]
        return Condition(left, lower, low), Condition(left, upper, high)

    def _sum(self, left: Term, said: dict[str, str], sign: float) -> Clauses | None:
        read = self._term(said["right"])
        if read is None or read[1] or not number_matches(said["number"], self.glossary):
            return None
        added = Term(read[0].feature, sign * read[0].coefficient, read[0].power, read[0].lag)
        return self._made(left, self._operators[said["operator"]], Sum(added, self._number(said["number"])))

    def _comparison(self, said: dict[str, str]) -> Clauses | None:
        sides = [self._term(said[side]) for side in ("left", "right")]
        if sides[0] is None or sides[1] is None:
            return None
        for term, scaled in (sides[0], sides[1]):
            if self.glossary.schema.feature(term.feature).scaled is not scaled:
                return None
        return self._made(sides[0][0], self._term_operators[said["operator"]], sides[1][0])

    def _categories(self, key: str, left: Term, feature: Feature, said: dict[str, str]) -> Clauses | None:
        names = self.glossary.category_of(feature.name)
        if key in ("category", "not_category"):
            category = names.get(said["category"])
            operator = Operator.EQ if key == "category" else Operator.NE
            return None if category is None else (Condition(left, operator, category),)
        catalogue = self.glossary.catalogue
        last = catalogue["lists.or" if key == "any" else "lists.nor"]
        pattern = re.compile(f"{re.escape(last)}|{re.escape(self._comma)}")
        listed, start = [], 0
        matches = list(outside_quotes(said["categories"], pattern, catalogue.quotes))
        for match in matches:
            listed.append(said["categories"][start : match.start()])
            start = match.end()
        listed.append(said["categories"][start:])
        if not matches or matches[-1].group() != last or not all(name in names for name in listed):
            return None
        operator = Operator.IN if key == "any" else Operator.NOT_IN
        return self._made(left, operator, tuple(names[name] for name in listed))

    def _made(self, left: Term, operator: Operator, right: "Term | Sum | tuple[str, ...]") -> Clauses | None:
        try:
            return (Condition(left, operator, right),)
        except RuleError:
            return None

    def _number(self, quantity: str) -> float:
        catalogue = self.glossary.catalogue
        match = re.search(number_pattern(catalogue), quantity)
        assert match is not None
        return read_number(match.group(), catalogue)

    def _quantity_pattern(self, catalogue: Catalogue) -> str:
        """Return the pattern of a number with any unit of the schema, before it or after it."""
        units = self.glossary.units()
        before = [unit for unit in units if unit in catalogue.lists["units_before"]]
        after = [unit for unit in units if unit in catalogue.lists["units_attached"]]
        after += [f" {form}" for unit in units for form in self.glossary.unit_forms(unit)]
        prefix = f"(?:{any_of(before)})?" if before else ""
        suffix = f"(?:{any_of(after)})?" if after else ""
        return f"{prefix}(?:{number_pattern(catalogue)}){suffix}"
