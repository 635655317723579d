"""Rule sets as ONNX models in double precision, with text for categories."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple, assert_never

from evoter.export.deciding import deciding, is_numeric, numbered, polls
from evoter.export.names import Input, Names, inputs, spellings
from evoter.rules.errors import RuleError
from evoter.rules.forms.language import Language
from evoter.rules.json_codec import dumps
from evoter.rules.model import Operator, Rule, RuleSet, Term
from evoter.rules.modes import Procedure
from evoter.rules.schema import Kind, Schema

if TYPE_CHECKING:
    from onnx import TensorProto

_OPSETS = {"": 17, "ai.onnx.ml": 3}
_IR_VERSION = 8
"""Old enough for runtimes from 2022 on."""

_Constant = float | int | tuple[int, ...] | tuple[str, ...]
"""A number or a list."""

_DOUBLE = 11
"""What ONNX calls the type."""

_COMPARISONS = {
    Operator.EQ: "Equal",
    Operator.LT: "Less",
    Operator.LE: "LessOrEqual",
    Operator.GT: "Greater",
    Operator.GE: "GreaterOrEqual",
}
_MISSING, _UNKNOWN = -2, -1
"""Codes of a category that is missing, which is given as empty text, and of one that the schema does not list."""


def to_onnx(ruleset: RuleSet) -> bytes:
    """Write a rule set as an ONNX model with one input per feature that is read; needs the extra `onnx`.

    Inputs are called as the features are and have the shape (rows, 1): doubles with NaN for missing, also for truth
    values (0 and 1), and strings with empty text for missing. An earlier value `x[2]` is an input of that name. The
    outputs are `label`, the action (`number`, a double, where actions are numbers), and `rule`, the number of the
    deciding rule as printed; in a vote it is the first rule for the winner. In mode all, `label` and `rule` are those
    of the first active rule, and `active` tells which rules hold, a column each. The rule set itself is in the model's
    metadata, as JSON.
    """
    try:
        from onnx import TensorProto, helper
    except ImportError as error:
        raise ImportError("to_onnx needs the package onnx: pip install 'evoter[onnx]'") from error
    fields = list(inputs(ruleset, "ONNX").values()) or _any_input(ruleset)
    graph = _Graph(ruleset.schema, fields)
    outputs = graph.decide(ruleset)
    types = {
        "label": TensorProto.STRING,
        "number": TensorProto.DOUBLE,
        "rule": TensorProto.INT64,
        "active": TensorProto.BOOL,
    }
    shapes: dict[str, list[str | int | None]] = {"active": ["rows", len(ruleset.rules)]}
    made = helper.make_graph(
        [helper.make_node(each.operator, each.inputs, [each.output], **each.attributes) for each in graph.nodes],
        "ruleset",
        [
            helper.make_tensor_value_info(
                each.name,
                TensorProto.STRING if each.feature.kind is Kind.CATEGORICAL else TensorProto.DOUBLE,
                ["rows", 1],
            )
            for each in fields
        ],
        [
            helper.make_tensor_value_info(outputs[kind], types[kind], shapes.get(kind, ["rows"]))
            for kind in types
            if kind in outputs
        ],
        [_tensor(name, value) for name, value in graph.constants.items()],
    )
    model = helper.make_model(
        made,
        opset_imports=[helper.make_opsetid(domain, version) for domain, version in _OPSETS.items()],
        ir_version=_IR_VERSION,
        producer_name="evoter",
        doc_string=ruleset.to_text(),
    )
    helper.set_model_props(model, {"ruleset": dumps(ruleset, indent=None)})
    return bytes(model.SerializeToString())


def _any_input(ruleset: RuleSet) -> list[Input]:
    """Return an input that tells how many rows there are, where no rule reads one."""
    for feature in ruleset.schema.features:
        return [Input(feature.name, feature, 0)]
    raise RuleError("an ONNX model needs an input, but the rule set has no feature: its decision is always the default")


def _tensor(name: str, value: _Constant) -> "TensorProto":
    from onnx import TensorProto, helper

    values: Any = value if isinstance(value, tuple) else (value,)
    shape = [len(value)] if isinstance(value, tuple) else []
    if isinstance(values[0], str):
        return helper.make_tensor(name, TensorProto.STRING, shape, [each.encode() for each in values])
    kind = TensorProto.DOUBLE if isinstance(values[0], float) else TensorProto.INT64
    return helper.make_tensor(name, kind, shape, values)


class _Node(NamedTuple):
    """An operator, the names of what it reads, and the name of its result."""

    operator: str
    inputs: tuple[str, ...]
    output: str
    attributes: Mapping[str, Any]


class _Graph(Language[str]):
    """Nodes and constants; a piece is the name of a result, and what is asked for twice is computed once."""

    def __init__(self, schema: Schema, fields: Sequence[Input]) -> None:
        super().__init__(schema)
        self.nodes: list[_Node] = []
        self.constants: dict[str, _Constant] = {}
        self._fields = {(each.feature.name, each.lag): each for each in fields}
        self._names = Names(each.name for each in fields)
        self._known: dict[object, str] = {}

    def decide(self, ruleset: RuleSet) -> dict[str, str]:
        """Write the decision, and return the names of the outputs: label, rule and, in mode all, active."""
        active = {number: self._antecedent(rule) for number, rule in numbered(ruleset)}
        procedure, rules, _ = deciding(ruleset)
        every = False
        match procedure:
            case Procedure.IN_ORDER:
                candidates = active
            case Procedure.POLL:
                candidates = self._winning(ruleset, active)
            case Procedure.EVERY:
                candidates, every = active, True
            case _:
                assert_never(procedure)
        order = [(number, candidates[number]) for number, _ in rules]
        default = len(active) + 1
        decider = self._constant(default)
        for number, holds in reversed(order or [(default, self._some_truth())]):
            decider = self._node("Where", holds, self._constant(number), decider)
        outputs = {"rule": self._output("rule", "Identity", decider)}
        if is_numeric(ruleset):
            amount = self.amount(ruleset.default)
            for place, holds in reversed(order or [(default, self._some_truth())]):
                action = ruleset.rules[place - 1].action if order else ruleset.default
                amount = self._node("Where", holds, self.amount(action), amount)
            return {"number": self._output("number", "Identity", amount), **outputs}
        # The first label is never chosen: rules are numbered from 1.
        labels = self._constant(("", *(rule.action for rule in ruleset.rules), ruleset.default))
        outputs["label"] = self._output("label", "Gather", labels, decider)
        if every and active:
            columns = [self._node("Reshape", holds, self._constant((-1, 1))) for holds in active.values()]
            outputs["active"] = self._output("active", "Concat", *columns, axis=1)
        return outputs

    def _antecedent(self, rule: Rule) -> str:
        return reduce(lambda left, right: self._node("And", left, right), map(self.condition, rule.conditions))

    def _winning(self, ruleset: RuleSet, active: Mapping[int, str]) -> dict[int, str]:
        """Return which rules are active for an action whose mean certainty is the largest."""
        counted = {number: self._node("Cast", holds, to=_DOUBLE) for number, holds in active.items()}
        zero = self._constant(0.0)
        means = {}
        for action, rules in polls(ruleset).items():
            votes = [self.times(rule.certainty, counted[number]) for number, rule in rules]
            total = reduce(lambda left, right: self._node("Add", left, right), votes)
            count = reduce(lambda left, right: self._node("Add", left, right), [counted[number] for number, _ in rules])
            mean = self._node("Div", total, count)  # NaN where nobody votes
            means[action] = self._node("Where", self._node("Greater", count, zero), mean, zero)
        largest = self._node("Max", *means.values())
        return {
            number: self._node("And", active[number], self._node("Equal", means[rule.action], largest))
            for number, rule in numbered(ruleset)
        }

    def _some_truth(self) -> str:
        """Return a truth value for every row, whichever: it tells how many rows there are."""
        name, lag = next(iter(self._fields))
        return self.missing(Term(name, lag=lag))

    def _node(self, operator: str, *names: str, **attributes: Any) -> str:
        key = (operator, names, repr(attributes))
        if key not in self._known:
            self._known[key] = self._output("result", operator, *names, **attributes)
        return self._known[key]

    def _output(self, stem: str, operator: str, *names: str, **attributes: Any) -> str:
        name = self._names.fresh(stem)
        self.nodes.append(_Node(operator, names, name, attributes))
        return name

    def _constant(self, value: _Constant) -> str:
        key = (type(value), repr(value))
        if key not in self._known:
            self._known[key] = self._names.fresh("constant")
            self.constants[self._known[key]] = value
        return self._known[key]

    def _read(self, term: Term) -> str:
        """Return the values of an input as a list of numbers: categories become their codes."""
        field = self._fields[term.feature, term.lag]
        values = self._node("Reshape", field.name, self._constant((-1,)))
        if field.feature.kind is not Kind.CATEGORICAL:
            return values
        codes = {"": _MISSING}
        for code, category in enumerate(field.feature.categories):
            codes |= dict.fromkeys(spellings(field.feature, category), code)
        return self._node(
            "LabelEncoder",
            values,
            domain="ai.onnx.ml",
            keys_strings=list(codes),
            values_int64s=list(codes.values()),
            default_int64=_UNKNOWN,
        )

    def missing(self, term: Term) -> str:
        if self.schema.feature(term.feature).kind is Kind.CATEGORICAL:
            return self._node("Equal", self._read(term), self._constant(_MISSING))
        return self._node("IsNaN", self._read(term))

    def present(self, term: Term) -> str:
        return self._node("Not", self.missing(term))

    def is_one_of(self, term: Term, categories: Sequence[str]) -> str:
        known = self.schema.feature(term.feature).categories
        first, *others = (
            self._node("Equal", self._read(term), self._constant(known.index(category))) for category in categories
        )
        for other in others:
            first = self._node("Or", first, other)
        return first

    def is_none_of(self, term: Term, categories: Sequence[str]) -> str:
        return self._node("And", self.present(term), self._node("Not", self.is_one_of(term, categories)))

    def is_truth(self, term: Term, truth: bool) -> str:
        return self._node("Equal", self._read(term), self._constant(float(truth)))

    def read_number(self, term: Term) -> str:
        return self._read(term)

    def number(self, number: float) -> str:
        return self._constant(number)

    def zero(self, value: str) -> str:
        return self._node("Where", self._node("IsNaN", value), value, self._constant(0.0))

    def scaled(self, value: str, low: float, width: float) -> str:
        return self._node("Div", self._node("Sub", value, self._constant(low)), self._constant(width))

    def raised(self, value: str, power: int) -> str:
        return reduce(lambda left, right: self._node("Mul", left, right), [value] * power)

    def times(self, coefficient: float, value: str) -> str:
        return self._node("Mul", self._constant(coefficient), value)

    def plus(self, first: str, second: str) -> str:
        return self._node("Add", first, second)

    def compare(self, operator: Operator, left: str, right: str) -> str:
        if operator is Operator.NE:
            return self._node("Or", self._node("Less", left, right), self._node("Greater", left, right))
        return self._node(_COMPARISONS[operator], left, right)
