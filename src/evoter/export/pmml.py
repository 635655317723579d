"""Rule sets as PMML 4.4: a RuleSetModel whose first rule that holds decides."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import assert_never
from xml.etree.ElementTree import Element, SubElement, tostring

from evoter.export.deciding import Numbered, comments, deciding, is_numeric, numbered, polls, refuse_several_actions
from evoter.export.names import Input, Names, all_spellings, inputs, spellings
from evoter.export.xml import document_text
from evoter.rules.errors import RuleError
from evoter.rules.forms.language import Language
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Operator, Rule, RuleSet, Term
from evoter.rules.modes import Procedure
from evoter.rules.numbers.actions import read_action
from evoter.rules.schema import Kind, Schema

_TYPES = {
    Kind.NUMERIC: ("continuous", "double"),
    Kind.CATEGORICAL: ("categorical", "string"),
    Kind.BOOLEAN: ("categorical", "string"),  # as booleans, pypmml takes missing values in a table for false
}
_TRUTHS = {True: ("true", "1", "1.0"), False: ("false", "0", "0.0")}
"""How truth values look as text, whether they come as such or as numbers."""

_FUNCTIONS = {
    Operator.EQ: "equal",
    Operator.LT: "lessThan",
    Operator.LE: "lessOrEqual",
    Operator.GT: "greaterThan",
    Operator.GE: "greaterOrEqual",
}
_OPERATORS = {*_FUNCTIONS.values(), "notEqual"}

MAX_NESTED = 900
"""How deep expressions may be nested: XML is written and read by recursion, which has an end."""


def to_pmml(ruleset: RuleSet, target: str = "decision") -> str:
    """Write a rule set as a PMML document that predicts the field `target`.

    A condition on a missing value is unknown in PMML, and a rule fires only where its predicate is true; no predicate
    is negated, so unknown and false are the same here. An earlier value `x[2]` is a field of that name. Comparisons of
    two terms, and votes, are derived fields. Where actions are numbers, each rule is a segment with a regression, of
    which the first that holds is selected.

    >>> from evoter.rules.parser import parse
    >>> print(to_pmml(parse("x > 1 -> up; Default -> down"))[:60])
    <?xml version="1.0" encoding="UTF-8"?>
    <PMML xmlns="http:...
    """
    fields = inputs(ruleset, "PMML")
    names = Names(each.name for each in fields.values())
    predicted = names.fresh(target)
    document = Element("PMML", xmlns="http://www.dmg.org/PMML-4_4", version="4.4")
    header = SubElement(document, "Header")
    SubElement(header, "Application", name="EVOTER")
    SubElement(header, "Annotation").text = "\n".join(comments(ruleset))
    document.append(_dictionary(ruleset, list(fields.values()), predicted))
    if is_numeric(ruleset):
        model = SubElement(document, "MiningModel", functionName="regression", algorithmName="EVOTER")
    else:
        model = SubElement(document, "RuleSetModel", functionName="classification", algorithmName="EVOTER")
    mining = SubElement(model, "MiningSchema")
    for each in fields.values():
        # A category that is not listed differs from those that are; it is no reason not to decide.
        SubElement(mining, "MiningField", name=each.name, invalidValueTreatment="asIs")
    SubElement(mining, "MiningField", name=predicted, usageType="target")
    pmml = _Pmml(ruleset.schema, fields, names)
    plan = deciding(ruleset)
    match plan.procedure:
        case Procedure.IN_ORDER:
            rules = _rules_of_list(plan.rules, pmml)
        case Procedure.POLL:
            rules = _rules_of_vote(ruleset, pmml)
        case Procedure.EVERY:
            refuse_several_actions(ruleset, "PMML")
        case _:
            assert_never(plan.procedure)
    if pmml.derived:
        SubElement(model, "LocalTransformations").extend(pmml.derived)
    if is_numeric(ruleset):
        model.append(_segmentation(ruleset, rules, fields, predicted))
        return document_text(document)
    certainty = repr(ruleset.default_certainty)
    ruleset_element = SubElement(model, "RuleSet", defaultScore=ruleset.default, defaultConfidence=certainty)
    SubElement(ruleset_element, "RuleSelectionMethod", criterion="firstHit")
    ruleset_element.extend(rules)
    return document_text(document)


def _dictionary(ruleset: RuleSet, fields: Sequence[Input], target: str) -> Element:
    conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
    # A category that is not listed is read as it is, says the standard, but some readers take it for missing. Where
    # that would make a difference, none is listed.
    open_ended = {each.left.feature for each in conditions if form_of(each).tells_unlisted_from_missing(each)}
    dictionary = Element("DataDictionary", numberOfFields=str(len(fields) + 1))
    for each in fields:
        optype, data_type = _TYPES[each.feature.kind]
        field = SubElement(dictionary, "DataField", name=each.name, optype=optype, dataType=data_type)
        for category in () if each.feature.name in open_ended else each.feature.categories:
            for text in spellings(each.feature, category):
                SubElement(field, "Value", value=text)
    if is_numeric(ruleset):
        SubElement(dictionary, "DataField", name=target, optype="continuous", dataType="double")
        return dictionary
    field = SubElement(dictionary, "DataField", name=target, optype="categorical", dataType="string")
    for action in ruleset.schema.actions:
        SubElement(field, "Value", value=action)
    return dictionary


def _segmentation(
    ruleset: RuleSet, rules: Sequence[Element], fields: Mapping[tuple[str, int], Input], target: str
) -> Element:
    """Return a regression for each rule, the first of which that holds predicts, and at last the default's."""
    segmentation = Element("Segmentation", multipleModelMethod="selectFirst")
    predicates = [*(next(iter(rule)) for rule in rules), Element("True")]
    actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
    for number, (predicate, action) in enumerate(zip(predicates, actions, strict=True), start=1):
        found = read_action(action)
        segment = SubElement(segmentation, "Segment", id=str(number))
        segment.append(predicate)
        model = SubElement(segment, "RegressionModel", functionName="regression")
        mining = SubElement(model, "MiningSchema")
        table = Element("RegressionTable", intercept=repr(found.constant))
        if found.feature:
            name = fields[found.feature, 0].name
            SubElement(mining, "MiningField", name=name, invalidValueTreatment="asIs")
            SubElement(table, "NumericPredictor", name=name, coefficient=repr(found.coefficient))
        SubElement(mining, "MiningField", name=target, usageType="target")
        model.append(table)
    return segmentation


def _rules_of_list(rules: Sequence[Numbered], pmml: "_Pmml") -> list[Element]:
    elements = []
    for number, rule in rules:
        predicates = [pmml.predicate(pmml.condition(condition)) for condition in rule.conditions]
        elements.append(_rule(number, rule, predicates))
    return elements


def _rules_of_vote(ruleset: RuleSet, pmml: "_Pmml") -> list[Element]:
    """Derive which rules are active, and the mean of each action; the first active rule of the largest mean decides."""
    active = {}
    for number, rule in numbered(ruleset):
        holds = pmml.antecedent(rule)
        active[number] = pmml.derive("active", _apply("if", holds, pmml.number(1.0), pmml.number(0.0)))
    means = {}
    for action, rules in polls(ruleset).items():
        votes = [_apply("*", pmml.number(rule.certainty), _field(active[number])) for number, rule in rules]
        total = _chain("+", votes)
        count = _chain("+", [_field(active[number]) for number, _ in rules])
        some = _apply("greaterThan", count, pmml.number(0.0))
        means[action] = pmml.derive("mean", _apply("if", some, _apply("/", total, count), pmml.number(0.0)))
    largest = pmml.derive("largest", _apply("max", *map(_field, means.values())))
    elements = []
    for number, rule in numbered(ruleset):
        wins = pmml.predicate(_apply("equal", _field(means[rule.action]), _field(largest)))
        predicates = [_simple(active[number], "equal", "1.0"), wins]
        elements.append(_rule(number, rule, predicates))
    return elements


def _rule(number: int, rule: Rule, predicates: Sequence[Element]) -> Element:
    element = Element("SimpleRule", id=str(number), score=rule.action, confidence=repr(rule.certainty))
    element.append(_joined("and", predicates))
    return element


def _joined(operator: str, predicates: Sequence[Element]) -> Element:
    if len(predicates) == 1:
        return predicates[0]
    compound = Element("CompoundPredicate", booleanOperator=operator)
    compound.extend(predicates)
    return compound


class _Pmml(Language[Element]):
    """Conditions as expressions of PMML, and derived fields for those that a predicate cannot say itself."""

    def __init__(self, schema: Schema, fields: Mapping[tuple[str, int], Input], names: Names) -> None:
        super().__init__(schema)
        self.derived: list[Element] = []
        self._fields = fields
        self._names = names
        self._known: dict[str, str] = {}

    def derive(self, stem: str, expression: Element, optype: str = "continuous", data_type: str = "double") -> str:
        """Return the name of a derived field, the same for the same expression."""
        written = tostring(expression, encoding="unicode")
        if written not in self._known:
            name = self._names.fresh(stem)
            field = Element("DerivedField", name=name, optype=optype, dataType=data_type)
            field.append(expression)
            self.derived.append(field)
            self._known[written] = name
        return self._known[written]

    def antecedent(self, rule: Rule) -> Element:
        """Return an expression that is true where a rule is active, and false elsewhere."""
        compared = [condition for condition in rule.conditions if form_of(condition).compares]
        read = dict.fromkeys((term.feature, term.lag) for condition in compared for term in condition.terms)
        # Said explicitly, since readers differ in what they compute from missing values.
        present = [self.present(Term(name, lag=lag)) for name, lag in read]
        tests = [self.condition(condition) for condition in rule.conditions if not form_of(condition).compares]
        comparisons = [_with_indicators(self.condition(condition)) for condition in compared]
        for comparison in comparisons:
            comparison.set("mapMissingTo", "false")
        return _chain("and", [*present, *tests, *comparisons])

    def predicate(self, expression: Element) -> Element:
        """Return the predicate that is true where an expression is."""
        function, parts = expression.get("function", ""), list(expression)
        if [part.tag for part in parts] == ["FieldRef", "Constant"] and function in _OPERATORS:
            return _simple(parts[0].get("field", ""), function, parts[1].text or "")
        if [part.tag for part in parts] == ["FieldRef"]:
            return _simple(parts[0].get("field", ""), function)
        if function in ("or", "and") and all(
            [piece.tag for piece in part] == ["FieldRef", "Constant"] for part in parts
        ):
            return _joined(function, [self.predicate(part) for part in parts])
        return _simple(self.derive("holds", expression, "categorical", "boolean"), "equal", "true")

    def _read(self, term: Term) -> Element:
        return _field(self._fields[term.feature, term.lag].name)

    def missing(self, term: Term) -> Element:
        return _apply("isMissing", self._read(term))

    def present(self, term: Term) -> Element:
        return _apply("isNotMissing", self._read(term))

    def is_one_of(self, term: Term, categories: Sequence[str]) -> Element:
        return self._is(term, all_spellings(self.schema.feature(term.feature), categories), "equal", "or")

    def is_none_of(self, term: Term, categories: Sequence[str]) -> Element:
        return self._is(term, all_spellings(self.schema.feature(term.feature), categories), "notEqual", "and")

    def is_truth(self, term: Term, truth: bool) -> Element:
        return self._is(term, _TRUTHS[truth], "equal", "or")

    def _is(self, term: Term, texts: Sequence[str], function: str, joint: str) -> Element:
        comparisons = [_apply(function, self._read(term), _constant("string", text)) for text in texts]
        return comparisons[0] if len(comparisons) == 1 else _apply(joint, *comparisons)

    def read_number(self, term: Term) -> Element:
        return self._read(term)

    def number(self, number: float) -> Element:
        return _constant("double", repr(number))

    def zero(self, value: Element) -> Element:
        return _apply("if", _apply("isNotMissing", value), self.number(0.0))

    def scaled(self, value: Element, low: float, width: float) -> Element:
        if width == float("inf"):
            raise RuleError(
                f"a range that begins at {low!r} is too wide to scale in PMML, which has no infinity; "
                "narrow low and high of the feature"
            )
        return _apply("/", _apply("-", value, self.number(low)), self.number(width))

    def raised(self, value: Element, power: int) -> Element:
        return _chain("*", [value] * power)

    def times(self, coefficient: float, value: Element) -> Element:
        return _apply("*", self.number(coefficient), value)

    def plus(self, first: Element, second: Element) -> Element:
        return _apply("+", first, second)

    def compare(self, operator: Operator, left: Element, right: Element) -> Element:
        # To some readers, a missing value equals another one and differs from a number, but none is less or greater.
        if operator is Operator.NE:
            return _apply("or", _apply("lessThan", left, right), _apply("greaterThan", left, right))
        if operator is Operator.EQ and right.tag != "Constant":
            return _apply("and", _apply("lessOrEqual", left, right), _apply("greaterOrEqual", left, right))
        return _apply(_FUNCTIONS[operator], left, right)


def _apply(function: str, *arguments: Element) -> Element:
    element = Element("Apply", function=function)
    element.extend(deepcopy(argument) for argument in arguments)  # an element can occur only once in a document
    return element


def _with_indicators(comparison: Element) -> Element:
    """Compare a category by an indicator, whose value is an attribute: some readers cut the text of elements short."""
    parts = list(comparison)
    if comparison.get("function") in ("or", "and"):
        return _apply(comparison.get("function", ""), *map(_with_indicators, parts))
    if [part.tag for part in parts] != ["FieldRef", "Constant"] or parts[1].get("dataType") != "string":
        return comparison
    indicator = Element("NormDiscrete", field=parts[0].get("field", ""), value=parts[1].text or "")
    return _apply("equal", indicator, _constant("double", "1.0" if comparison.get("function") == "equal" else "0.0"))


def _chain(function: str, arguments: Sequence[Element]) -> Element:
    """Apply a function of two arguments from left to right."""
    if len(arguments) > MAX_NESTED:
        raise RuleError(
            f"PMML would nest {len(arguments):,} expressions, more than {MAX_NESTED}: so many rules vote for one "
            "action, or one rule has so many conditions; simplify the rules, or export to SQL, Python or ONNX"
        )
    result, *others = arguments
    if others:
        result = deepcopy(result)
    for argument in others:
        element = Element("Apply", function=function)
        element.extend((result, deepcopy(argument)))  # the result is not copied again, as it would be by `_apply`
        result = element
    return result


def _field(name: str) -> Element:
    return Element("FieldRef", field=name)


def _constant(data_type: str, text: str) -> Element:
    element = Element("Constant", dataType=data_type)
    element.text = text
    return element


def _simple(field: str, operator: str, value: str | None = None) -> Element:
    predicate = Element("SimplePredicate", field=field, operator=operator)
    if value is not None:
        predicate.set("value", value)
    return predicate
