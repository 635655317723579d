"""Actions that are numbers: a constant, or a constant and a linear term in one feature, and what they predict."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from evoter.rules.errors import RuleError, RuleSyntaxError, SchemaError
from evoter.rules.forms.registry import form_of
from evoter.rules.parsing.numbers import take_numeric_action
from evoter.rules.parsing.tokens import TokenStream
from evoter.rules.printing.pieces import name_text, number_text
from evoter.rules.schema import Kind, Schema, is_finite
from evoter.rules.values import Row, read

if TYPE_CHECKING:
    from evoter.rules.model import Rule


@dataclass(frozen=True, slots=True)
class NumericAction:
    """The number that a rule predicts: `constant + coefficient * feature`, in that order of operations.

    Without a feature it is the constant. The action of a rule is its `text`, from which `read_action` makes an equal
    one.

    >>> NumericAction(12, 0.3, "age").text, NumericAction(12.5).text
    ('12 + 0.3*age', '12.5')
    """

    constant: float
    coefficient: float = 0.0
    feature: str = ""

    def __post_init__(self) -> None:
        for number in (self.constant, self.coefficient):
            if isinstance(number, bool) or not isinstance(number, int | float) or not is_finite(number):
                raise RuleError(f"a numeric action has finite numbers, not {number!r}")
        # 0.0 for -0.0: the text has no sign of zero.
        object.__setattr__(self, "constant", float(self.constant) + 0.0)
        object.__setattr__(self, "coefficient", float(self.coefficient) + 0.0)
        if bool(self.coefficient) != bool(self.feature):
            raise RuleError("a linear term has a feature and a coefficient that is not 0; without it, leave out both")

    @property
    def text(self) -> str:
        """The action as it is written in rules, without a unit."""
        if not self.feature:
            return number_text(self.constant)
        sign = "-" if self.coefficient < 0.0 else "+"
        size = abs(self.coefficient)
        factor = "" if size == 1.0 else f"{number_text(size)}*"
        return f"{number_text(self.constant)} {sign} {factor}{name_text(self.feature)}"

    def value(self, row: Row, schema: Schema) -> float:
        """Return the number for a row; NaN where the feature of the linear term is missing."""
        if not self.feature:
            return self.constant
        found = read(schema.feature(self.feature), row)
        return math.nan if found is None else self.constant + self.coefficient * float(found)


@lru_cache(maxsize=4096)
def read_action(text: str) -> NumericAction:
    """Read a numeric action from the text of a rule's action.

    >>> read_action("12 - age")
    NumericAction(constant=12.0, coefficient=-1.0, feature='age')
    """
    stream = TokenStream(text)
    try:
        draft = take_numeric_action(stream)
        stream.take("END", "the end of the number")
        if draft.unit:
            raise stream.error("the unit is part of the schema", draft.unit_at)
    except RuleSyntaxError:
        raise RuleError(f"{text!r} is no numeric action: write a number, or one such as '12 + 0.3*age'") from None
    return NumericAction(draft.constant, draft.coefficient, draft.feature)


def action_name(action: str | float) -> str:
    """Return an action as the text that a rule keeps: a number becomes its shortest decimal form."""
    if isinstance(action, str):
        return action
    return NumericAction(action).text


def checked_rules(rules: Sequence["Rule"], default: str, schema: Schema) -> tuple[tuple["Rule", ...], str]:
    """Return the rules and the default of a numeric rule set with their actions as they are printed.

    Refuses actions that are no numbers, certainties, and linear terms in a feature that may be missing where the rule
    holds: such a rule would predict nothing there.
    """
    checked = []
    for number, rule in enumerate(rules, start=1):
        action = _checked(rule.action, f"rule {number}", schema)
        if rule.certainty != 1.0:
            raise SchemaError(f"rule {number}: numbers have no certainty: leave out {rule.certainty:g}")
        name = action.feature
        if name and schema.feature(name).missing and not is_tested(rule, name):
            raise SchemaError(
                f"rule {number}: {name!r} may be missing, and then {action.text} has no value: add the condition "
                f"'{name_text(name)} is present'"
            )
        checked.append(rule if rule.action == action.text else replace(rule, action=action.text))
    action = _checked(default, "the default", schema)
    if action.feature and schema.feature(action.feature).missing:
        raise SchemaError(
            f"the default: {action.feature!r} may be missing, and then {action.text} has no value: give a constant"
        )
    return tuple(checked), action.text


def is_tested(rule: "Rule", name: str) -> bool:
    """Tell whether a rule holds only where a feature is present."""
    return any(
        term.feature == name and term.lag == 0 and not form_of(condition).holds_if_missing(condition)
        for condition in rule.conditions
        for term in condition.terms
    )


def _checked(action: str, where: str, schema: Schema) -> NumericAction:
    try:
        found = read_action(action)
        kind = schema.feature(found.feature).kind if found.feature else Kind.NUMERIC
        if kind is not Kind.NUMERIC:
            raise SchemaError(f"a linear term needs a numeric feature, and {found.feature!r} is {kind}")
    except RuleError as error:
        raise SchemaError(f"{where}: {error}") from None
    return found
