"""Rule sets as DMN 1.3: a decision table in which the first rule that holds decides (hit policy FIRST)."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple, assert_never
from xml.etree.ElementTree import Element, SubElement

from evoter.export.deciding import comments, deciding, is_numeric, refuse_polls, refuse_several_actions
from evoter.export.names import all_spellings, identifiers, inputs
from evoter.export.xml import document_text
from evoter.rules.errors import RuleError
from evoter.rules.forms.language import Language
from evoter.rules.model import Operator, Rule, RuleSet, Term
from evoter.rules.modes import Procedure
from evoter.rules.printing.pieces import visible
from evoter.rules.schema import Kind, Schema
from evoter.rules.text import print_condition

_MODEL = "https://www.omg.org/spec/DMN/20191111/MODEL/"
_DIAGRAM = {
    "xmlns:dmndi": "https://www.omg.org/spec/DMN/20191111/DMNDI/",
    "xmlns:dc": "http://www.omg.org/spec/DMN/20180521/DC/",
    "xmlns:di": "http://www.omg.org/spec/DMN/20180521/DI/",
}
_OURS = "urn:evoter:rules"
_SHORT = {
    *("inputData", "informationRequirement", "inputExpression", "outputValues"),
    *("inputEntry", "outputEntry", "annotationEntry", "dmndi:DMNShape", "dmndi:DMNEdge"),
}
"""Elements that are written on one line."""

_TYPES = {Kind.NUMERIC: "number", Kind.CATEGORICAL: "string", Kind.BOOLEAN: "boolean"}
_SYMBOLS = {Operator.EQ: "=", Operator.LT: "<", Operator.LE: "<=", Operator.GT: ">", Operator.GE: ">="}
_ANYTHING = "-"

# Words with a meaning in FEEL, and the beginnings of its functions, which some readers take for such words in names.
_RESERVED = {
    *("and", "between", "else", "every", "external", "false", "for", "function", "if", "in", "instance", "item", "not"),
    *("null", "of", "or", "partial", "return", "satisfies", "some", "then", "true", "date", "time", "duration", "list"),
    *("context", "number", "string", "boolean", "range", "day", "year", "years", "month", "months", "days"),
}


class Piece(NamedTuple):
    """An expression in FEEL or, where it has a `column`, what a cell of that column says.

    A column is an expression itself: the name of an input, or a comparison that is true or false. A piece that reads an
    input has its column, so that a comparison with a constant can become a cell.
    """

    text: str
    column: str = ""
    kind: Kind = Kind.NUMERIC
    label: str = ""
    is_constant: bool = False


def to_dmn(ruleset: RuleSet, name: str = "decision") -> str:
    """Write a rule set as a DMN 1.3 document with one decision table, which gives the output `name`.

    There is a row for each rule and a column for each feature, in the language FEEL; a comparison of two features has a
    column of its own. The last row is the default. Inputs are called like the features where FEEL can read that name,
    and have the name of the feature as their label; an earlier value `x[2]` is an input too. null is missing.

    >>> from evoter.rules.parser import parse
    >>> document = to_dmn(parse("age > 30 AND age <= 40 AND race != Asian -> treat; Default -> wait"))
    >>> document.count("<rule "), "(30..40]" in document, 'not(null, "Asian")' in document
    (2, True, True)
    """
    read = inputs(ruleset, "DMN")
    identifier, *variables = identifiers([name, *(each.name for each in read.values())], _RESERVED)
    feel = _Feel(ruleset.schema, dict(zip(read, variables, strict=True)))
    plan = deciding(ruleset)
    match plan.procedure:
        case Procedure.IN_ORDER:
            rows = [feel.row(rule) for _, rule in plan.rules]
        case Procedure.POLL:
            refuse_polls(ruleset, "DMN")
        case Procedure.EVERY:
            refuse_several_actions(ruleset, "DMN")
        case _:
            assert_never(plan.procedure)
    texts = comments(ruleset)
    notes = [*(texts[number - 1] for number, _ in plan.rules), texts[-1]]
    write = (lambda action: feel.amount(action).text) if is_numeric(ruleset) else _quoted
    outcomes = [write(action) for action in (*(rule.action for _, rule in plan.rules), ruleset.default)]
    document = Element("definitions", {"xmlns": _MODEL, **_DIAGRAM, "id": "rules", "name": name, "namespace": _OURS})
    if plan.note:
        SubElement(document, "description").text = plan.note
    for place, (variable, each) in enumerate(zip(variables, read.values(), strict=True), start=1):
        data = SubElement(document, "inputData", id=f"data_{place}", name=variable, label=each.name)
        SubElement(data, "variable", name=variable, typeRef=_TYPES[each.feature.kind])
    decision = SubElement(document, "decision", id="decision", name=identifier, label=name)
    kind = "number" if is_numeric(ruleset) else "string"
    SubElement(decision, "variable", name=identifier, typeRef=kind)
    for place in range(1, len(read) + 1):
        requirement = SubElement(decision, "informationRequirement", id=f"requirement_{place}")
        SubElement(requirement, "requiredInput", href=f"#data_{place}")
    possible = () if is_numeric(ruleset) else ruleset.schema.actions
    decision.append(_table(identifier, name, [*rows, []], outcomes, notes, possible))
    document.append(_diagram(len(read)))
    return document_text(document, short=_SHORT)


def _table(
    identifier: str,
    label: str,
    rows: Sequence[Sequence[Piece]],
    outcomes: Sequence[str],
    notes: Sequence[str],
    possible: Sequence[str],
) -> Element:
    """Make the table; without actions to list as `possible`, its output is a number."""
    table = Element("decisionTable", id="table", hitPolicy="FIRST", outputLabel=label)
    columns = _columns(rows)
    for place, (column, _) in enumerate(columns, start=1):
        example = next(test for row in rows for test in row if test.column == column)
        element = SubElement(table, "input", id=f"input_{place}", label=example.label)
        expression = SubElement(element, "inputExpression", id=f"expression_{place}", typeRef=_TYPES[example.kind])
        SubElement(expression, "text").text = column
    kind = "string" if possible else "number"
    output = SubElement(table, "output", id="output", label=label, name=identifier, typeRef=kind)
    if possible:
        SubElement(SubElement(output, "outputValues", id="output_values"), "text").text = _listed(possible)
    SubElement(table, "annotation", name="Rule")
    for number, (row, outcome, note) in enumerate(zip(rows, outcomes, notes, strict=True), start=1):
        rule = SubElement(table, "rule", id=f"rule_{number}")
        entries = _entries(row, columns)
        for place, entry in enumerate(entries, start=1):
            SubElement(SubElement(rule, "inputEntry", id=f"cell_{number}_{place}"), "text").text = entry
        SubElement(SubElement(rule, "outputEntry", id=f"action_{number}"), "text").text = outcome
        SubElement(SubElement(rule, "annotationEntry"), "text").text = note
    return table


_WIDTH, _HEIGHT, _GAP, _PER_LINE = 160, 50, 30, 6


def _diagram(n_inputs: int) -> Element:
    """Draw the decision above its inputs, six of them side by side, for editors that show diagrams."""
    root = Element("dmndi:DMNDI")
    diagram = SubElement(root, "dmndi:DMNDiagram", id="diagram")
    places = [(place % _PER_LINE, place // _PER_LINE + 2) for place in range(n_inputs)]
    corners = [(_GAP + column * (_WIDTH + _GAP), _GAP + row * (_HEIGHT + _GAP)) for column, row in places]
    _shape(diagram, "decision", _GAP, _GAP)
    for place, (left, top) in enumerate(corners, start=1):
        _shape(diagram, f"data_{place}", left, top)
    for place, (left, top) in enumerate(corners, start=1):
        edge = SubElement(diagram, "dmndi:DMNEdge", id=f"edge_{place}", dmnElementRef=f"requirement_{place}")
        SubElement(edge, "di:waypoint", x=str(left + _WIDTH // 2), y=str(top))
        SubElement(edge, "di:waypoint", x=str(_GAP + _WIDTH // 2), y=str(_GAP + _HEIGHT))
    return root


def _shape(diagram: Element, what: str, left: int, top: int) -> None:
    shape = SubElement(diagram, "dmndi:DMNShape", id=f"shape_{what}", dmnElementRef=what)
    SubElement(shape, "dc:Bounds", x=str(left), y=str(top), width=str(_WIDTH), height=str(_HEIGHT))


def _columns(rows: Iterable[Sequence[Piece]]) -> list[tuple[str, int]]:
    """Return the columns: one for each that a row tests, and again one where a row tests it more than once."""
    found: dict[tuple[str, int], None] = {}
    for row in rows:
        found.update(dict.fromkeys(_placed(row)))
    order = list(dict.fromkeys(column for column, _ in found))
    return sorted(found, key=lambda each: (order.index(each[0]), each[1]))


def _placed(row: Sequence[Piece]) -> dict[tuple[str, int], str]:
    placed: dict[tuple[str, int], str] = {}
    for test in row:
        time = 0
        while (test.column, time) in placed:
            time += 1
        placed[test.column, time] = test.text
    return placed


def _entries(row: Sequence[Piece], columns: Sequence[tuple[str, int]]) -> list[str]:
    placed = _placed(row)
    return [placed.get(column, _ANYTHING) for column in columns]


def _quoted(text: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(character, character) for character in text) + '"'


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(map(_quoted, texts))


class _Feel(Language[Piece]):
    """Conditions as cells of a decision table; a null, or a comparison with null, satisfies no cell but `null`."""

    def __init__(self, schema: Schema, variables: Mapping[tuple[str, int], str]) -> None:
        super().__init__(schema)
        self._variables = variables

    def row(self, rule: Rule) -> list[Piece]:
        """Return the cells of a rule; two that bound a value from both sides become an interval."""
        tests: list[Piece] = []
        for condition in rule.conditions:
            test = self.condition(condition)
            if not test.label:
                test = test._replace(label=print_condition(condition, self.schema))
            partner = next((each for each in tests if _interval(each, test)), None)
            if partner is None:
                tests.append(test)
            else:
                tests[tests.index(partner)] = partner._replace(text=_interval(partner, test))
        return tests

    def _read(self, term: Term) -> str:
        return self._variables[term.feature, term.lag]

    def _test(self, term: Term, text: str) -> Piece:
        feature, lag = self.schema.feature(term.feature), f"[{term.lag}]" if term.lag > 0 else ""
        return Piece(text, self._read(term), feature.kind, f"{visible(feature.name)}{lag}")

    def missing(self, term: Term) -> Piece:
        return self._test(term, "null")

    def present(self, term: Term) -> Piece:
        return self._test(term, "not(null)")

    def is_one_of(self, term: Term, categories: Sequence[str]) -> Piece:
        return self._test(term, _listed(all_spellings(self.schema.feature(term.feature), categories)))

    def is_none_of(self, term: Term, categories: Sequence[str]) -> Piece:
        return self._test(term, f"not(null, {_listed(all_spellings(self.schema.feature(term.feature), categories))})")

    def is_truth(self, term: Term, truth: bool) -> Piece:
        return self._test(term, "true" if truth else "false")

    def read_number(self, term: Term) -> Piece:
        return self._test(term, self._read(term))

    def number(self, number: float) -> Piece:
        return Piece(feel_number(number), is_constant=True)

    def zero(self, value: Piece) -> Piece:
        return Piece(f"(if {value.text} = null then null else 0)")

    def scaled(self, value: Piece, low: float, width: float) -> Piece:
        if width == float("inf"):
            raise RuleError(
                f"a range that begins at {low!r} is too wide to scale in DMN, which has no infinity; "
                "narrow low and high of the feature"
            )
        start = feel_number(low)
        return Piece(f"(({value.text} - {f'({start})' if low < 0 else start}) / {feel_number(width)})")

    def raised(self, value: Piece, power: int) -> Piece:
        return Piece(f"({' * '.join([value.text] * power)})")

    def times(self, coefficient: float, value: Piece) -> Piece:
        return Piece(f"{feel_number(coefficient)} * {value.text}")

    def plus(self, first: Piece, second: Piece) -> Piece:
        if second.text.startswith("-"):
            return Piece(f"({first.text} - {second.text[1:]})")
        return Piece(f"({first.text} + {second.text})")

    def compare(self, operator: Operator, left: Piece, right: Piece) -> Piece:
        if left.column and right.is_constant:
            if operator is Operator.NE:
                return left._replace(text=f"not(null, {right.text})")
            return left._replace(text=f"{_SYMBOLS[operator]} {right.text}")
        # In FEEL, null equals null and differs from a number, but none is less or greater.
        if operator is Operator.NE:
            column = f"{left.text} < {right.text} or {left.text} > {right.text}"
        elif operator is Operator.EQ:
            column = f"{left.text} <= {right.text} and {left.text} >= {right.text}"
        else:
            column = f"{left.text} {_SYMBOLS[operator]} {right.text}"
        return Piece("true", column, Kind.BOOLEAN)


def feel_number(number: float) -> str:
    """Write a number without an exponent, which FEEL does not know.

    >>> feel_number(2.45), feel_number(-1e-07), feel_number(1e22)
    ('2.45', '-0.0000001', '10000000000000000000000')
    """
    return format(Decimal(repr(number)), "f").removesuffix(".0")


def _interval(one: Piece, other: Piece) -> str:
    """Return the interval between two bounds of the same value, or an empty text if they are no such bounds."""
    if one.column != other.column or one.kind is not Kind.NUMERIC:
        return ""
    bounds = {text.split(" ")[0][0]: text.split(" ") for text in (one.text, other.text) if text[0] in "<>"}
    if set(bounds) != {"<", ">"}:
        return ""
    (low_sign, low), (high_sign, high) = bounds[">"], bounds["<"]
    if Decimal(low) > Decimal(high):
        return ""
    return f"{'[' if low_sign == '>=' else '('}{low}..{high}{']' if high_sign == '<=' else ')'}"
