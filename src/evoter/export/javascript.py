"""Rule sets as JavaScript that needs nothing, for browsers and servers."""

import json
from collections.abc import Iterator, Sequence
from typing import assert_never

from evoter.export.braces import Braces, Statements
from evoter.export.deciding import deciding, is_numeric, refuse_values
from evoter.export.names import identifiers
from evoter.rules.errors import RuleError
from evoter.rules.model import RuleSet, Term
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.printing.pieces import visible
from evoter.rules.schema import Kind
from evoter.rules.stream import furthest_lag

_READERS = {Kind.NUMERIC: "number", Kind.BOOLEAN: "number", Kind.CATEGORICAL: "category"}

_DEFINITIONS = {
    "number": """
// Returns a number or truth value as a number, and a missing one as NaN.
function number(row, name) {
  const value = row[name];
  if (value === null || value === undefined) {
    return NaN;
  }
  if (typeof value !== "number" && typeof value !== "boolean" && typeof value !== "bigint") {
    throw new TypeError(`${name} must be a number, a truth value or null, not ${typeof value}`);
  }
  return Number(value);
}
""",
    "category": """
// Returns the name of a category, which may be given as a number or truth value, and null where it is missing.
function category(row, name) {
  const value = row[name];
  if (value === null || value === undefined || Number.isNaN(value)) {
    return null;
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (Number.isInteger(value)) {
      return BigInt(value).toString();
    }
    return Math.abs(value) < 1e-4 ? value.toExponential().replace(/e-(\\d)$/, "e-0$1") : String(value);
  }
  if (typeof value !== "string" && typeof value !== "boolean" && typeof value !== "bigint") {
    throw new TypeError(`${name} must be a text, a number, a truth value or null, not ${typeof value}`);
  }
  return String(value);
}
""",
    "winner": """
// Returns the action with the largest mean certainty; of equals, the one that was voted for first.
function winner(votes) {
  const totals = new Map();
  for (const [certainty, action] of votes) {
    const [total, count] = totals.get(action) ?? [0.0, 0];
    totals.set(action, [total + certainty, count + 1]);
  }
  let best = -1;
  let largest = -Infinity;
  for (const [action, [total, count]] of totals) {
    if (total / count > largest) {
      largest = total / count;
      best = action;
    }
  }
  return best;
}
""",
}

_RESERVED = {
    *_DEFINITIONS,
    *("decide", "now", "before", "votes", "taken", "module", "exports", "require"),
    *("BigInt", "Infinity", "Map", "Math", "NaN", "Number", "String", "TypeError", "undefined"),
    *("arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete"),
    *("do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements"),
    *("import", "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public"),
    *("return", "static", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while"),
    *("with", "yield"),
}


def to_javascript(ruleset: RuleSet, actions: Sequence[object] | None = None, *, module: bool = False) -> str:
    """Write a rule set as the source of a JavaScript function `decide`.

    The function takes an object with the values of the features by name, and such objects for earlier steps, the
    latest first, if lags are read. null, undefined and NaN are missing. It returns the name of the action, or the value
    at its position in `actions`: anything that can be written as JSON. In mode all it returns the array of actions.
    The file is a script for browsers and for `require`, or with `module` an ES module that exports the function.

    >>> from evoter.rules.parser import parse
    >>> print(to_javascript(parse("0.5*x^2 > y -> up; Default -> down"), module=True))
    // Returns the action for an object with the values of x, y; null, undefined and NaN are missing.
    export function decide(now) {
      const x = number(now, "x");
      const y = number(now, "y");
      // 1. 0.5*x^2 > y -> up
      if (0.5 * (x * x) > y) {
        return "up";
      }
      // 2. Default -> down
      return "down";
    }
    ...
    """
    used, schema = ruleset.features_used, ruleset.schema
    javascript = _JavaScript(schema, dict(zip(used, identifiers(used, _RESERVED), strict=True)))
    looks_back = furthest_lag(ruleset) > 0
    what = "actions" if mode_of(ruleset.mode).several_actions else "number" if is_numeric(ruleset) else "action"
    where = "objects with the values, now and before, the latest first," if looks_back else "an object with the values"
    read = f"{where} of {visible(', '.join(used)) or 'nothing'}"
    lines = [
        javascript.comment(f"Returns the {what} for {read}; null, undefined and NaN are missing."),
        f"{'export ' if module else ''}function decide(now{', ...before' if looks_back else ''}) {{",
        *javascript.assignments(),
        *javascript.rules(ruleset, _statements(ruleset, javascript, _values(ruleset, actions, javascript))),
        "}",
    ]
    source = "\n".join([*lines, ""])
    definitions = [text for name, text in _DEFINITIONS.items() if f"{name}(" in source]
    ending = "" if module else '\nif (typeof module !== "undefined") {\n  module.exports = { decide };\n}\n'
    return "".join([source, *definitions, ending])


def _values(ruleset: RuleSet, actions: Sequence[object] | None, javascript: "_JavaScript") -> dict[str, str]:
    """Return what is returned for each action."""
    names = ruleset.schema.actions
    refuse_values(ruleset, actions)
    if is_numeric(ruleset):
        return {name: javascript.amount(name) for name in names}
    if actions is None:
        return {name: javascript.literal(name) for name in names}
    try:
        return {
            name: _in_script(json.dumps(value, allow_nan=False)) for name, value in zip(names, actions, strict=True)
        }
    except (TypeError, ValueError) as error:
        raise RuleError(
            f"actions must be {len(names)} values that JSON can express, such as texts and numbers: {error}"
        ) from None


def _statements(ruleset: RuleSet, javascript: "_JavaScript", values: dict[str, str]) -> Statements:
    default, procedure = values[ruleset.default], deciding(ruleset).procedure
    match procedure:
        case Procedure.IN_ORDER:
            return Statements([], lambda rule: f"return {values[rule.action]};", [f"return {default};"])
        case Procedure.POLL:
            places = {action: place for place, action in enumerate(values)}
            return Statements(
                ["const votes = [];"],
                lambda rule: f"votes.push([{rule.certainty!r}, {places[rule.action]}]);",
                [f"return votes.length > 0 ? [{', '.join(values.values())}][winner(votes)] : {default};"],
            )
        case Procedure.EVERY:
            return Statements(
                ["const taken = [];"],
                lambda rule: f"taken.push({values[rule.action]});",
                [f"return taken.length > 0 ? taken : [{default}];"],
            )
        case _:
            assert_never(procedure)


def _in_script(text: str) -> str:
    """Keep JavaScript from ending a script element of HTML that it may be copied into."""
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")


class _JavaScript(Braces):
    """Conditions as JavaScript expressions over one constant per feature that is read now."""

    equal = "==="
    indent = "  "
    infinity = "Infinity"
    history = "before.length"

    def assignments(self) -> Iterator[str]:
        for name, variable in self.variables.items():
            yield f"  const {variable} = {self._reading('now', name)};"

    def _reading(self, row: str, feature: str) -> str:
        return f"{_READERS[self.schema.feature(feature).kind]}({row}, {self.literal(feature)})"

    def comment(self, text: str) -> str:
        return f"// {text.replace('</', '< /').replace('<!--', '<! --')}"

    def literal(self, text: str) -> str:
        return _in_script(json.dumps(text, ensure_ascii=not text.isprintable()))

    def read(self, term: Term) -> str:
        if term.lag == 0:
            return self.variables[term.feature]
        return self._reading(f"before[{term.lag - 1}]", term.feature)

    def is_category(self, value: str, category: str, *, negated: bool = False) -> str:
        return f"{value} {'!' if negated else '='}== {self.literal(category)}"

    def no_text(self, value: str, *, missing: bool) -> str:
        return f"{value} {'=' if missing else '!'}== null"
