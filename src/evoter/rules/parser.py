"""Reads rule text; the docstring of each `_parse` function is its production in the grammar of the ASCII form.

```
RuleSet = Separators { Rule Separators } Default Separators [ Where ] .
Separators = { NEWLINE | ";" | "OR" } [ ORDINAL ] .
Rule = [ Label ] [ "IF" ] Conditions Arrow Action .
Label = ( STRING [ "pinned" ] | "pinned" ) ":" .
Conditions = { "(" } Condition { ")" } { And { "(" } Condition { ")" } } .
And = "AND" | "&" | "&&" .
Condition = Interval | Sum | Term ( OPERATOR ( Term | Constant ) | [ "not" ] "in" Set | Presence ) .
Sum = Term Addend OPERATOR NUMBER .
Addend = ( "+" | "-" ) Term .
Interval = NUMBER OPERATOR Term OPERATOR Constant .
Set = "{" Name { "," Name } "}" .
Presence = "is" [ "not" ] ( "missing" | "present" ) .
Term = [ COEFFICIENT ] ( Name | "scaled(" Name ")" ) { POWER | LAG } .
Constant = NUMBER [ Unit ] [ RANGE ] .
Unit = Name | SYMBOL .
Arrow = "->" | "-->" | "THEN" .
Action = [ COEFFICIENT ] ActionName | NumericAction .
NumericAction = NUMBER [ Unit ] [ ( "+" | "-" ) [ COEFFICIENT ] Name ] .
ActionName = Name | NUMBER .
Default = ( ( "Default" | "Default Action" ) Arrow | "ELSE" [ Arrow ] ) Action .
Where = "where" [ ":" ] { Declaration ( NEWLINE | ";" ) } .
Declaration = Actions | Lags | Decide | Feature .
Actions = "actions" ":" ( NumericActions | ActionName { "|" ActionName } ) .
NumericActions = "numeric" [ Unit ] [ "," "target" Name ] .
Lags = "lags" ":" [ "0" ".." ] NUMBER .
Decide = "decide" ":" WORD .
Feature = Name ":" ( Numeric | "binary" | Categorical | Boolean ) { "," Property } .
Property = "step" NUMBER | "scaled" | "may be missing" | "missing as" Names | "decimal comma" | Reading .
Reading = "read as" Name | "in column" Name .
Numeric = "numeric" [ RANGE ] [ Unit ] .
Categorical = "one of" Names .
Boolean = "yes/no" | "boolean" .
Names = Name { "|" Name } .
Name = NAME | STRING .
NAME = WORD { " " WORD } [ " (" WORD { " " WORD } ")" ] .
WORD = a letter or "_", then letters, digits, "_", "." and inner "-" and "/"; no AND, OR, IF, THEN, ELSE, IS, WHERE .
STRING = '"', characters with the escapes of JSON, '"' .
NUMBER = [ "+" | "-" ] DIGITS [ "." DIGITS ] [ "e" [ "+" | "-" ] DIGITS ] .
COEFFICIENT = NUMBER "*" .
ORDINAL = DIGITS "." .
OPERATOR = "=" | "==" | "!=" | "<>" | "<" | "<=" | ">" | ">=" .
POWER = "^" DIGITS .
LAG = "[" DIGITS "]" .
RANGE = "[" [ NUMBER ] ".." [ NUMBER ] "]" .
SYMBOL = "%" | "°" [ LETTERS ] .
```

Words in double quotes are recognised in any case. A `#` starts a comment, which ends with its line. Inside a rule
newlines are blanks; its action ends with its line, a `;`, an `OR` or an `ELSE`. Parentheses must match, and since AND
is the only connective they group nothing. The signs `≤ ≥ ≠ · × ∧ → ⟶ ² ³` may replace their ASCII forms.
"""

import re

from evoter.rules.condition import MIRRORED, Operator
from evoter.rules.errors import RuleSyntaxError
from evoter.rules.forms.registry import FORMS
from evoter.rules.model import Condition, Mode, Rule, RuleSet
from evoter.rules.parsing.declarations import parse_where
from evoter.rules.parsing.drafts import ActionDraft, ConditionDraft, Declarations, RuleDraft, RuleSetDraft, TermDraft
from evoter.rules.parsing.numbers import take_numeric_action
from evoter.rules.parsing.resolve import resolve_condition, resolve_rule, resolve_ruleset
from evoter.rules.parsing.terms import at_sign, parse_term, take_operator
from evoter.rules.parsing.tokens import TokenStream, begins_with_not
from evoter.rules.schema import Schema

MAX_OPEN_PARENTHESES = 1_000
"""More of them at once are taken for an accident or an attack."""

_SEPARATORS = ("NEWLINE", "SEMICOLON", "OR")
_OF_NUMBERS = next(form for form in FORMS if float in form.right_types)
_RISING, _FALLING = {Operator.LT, Operator.LE}, {Operator.GT, Operator.GE}


def parse(text: str, schema: Schema | None = None, *, mode: Mode | str | None = None) -> RuleSet:
    """Read a rule set from text.

    Names mean what the schema says: the one given, or the text's own `where` block; where both are given they must
    agree. Without either, a schema is built from the text: features, categories and actions in order of appearance,
    ranges and units as written after constants. The mode of deciding is the `decide` line of the `where` block,
    or `mode`, or `first`.

    Raises RuleSyntaxError, which names line and column, for any text that is not a rule set.

    >>> ruleset = parse("0.11*velocity^3 < 0.87*angle -> Left; Default -> Right")
    >>> ruleset.rules[0].conditions[0].right
    Term(feature='angle', coefficient=0.87, power=1, lag=0)
    >>> parse("IF pressure < 55 mmHg THEN Low ELSE Normal").schema.feature("pressure").unit
    'mmHg'
    >>> parse("angel < 0 -> Left; Default -> Right", ruleset.schema)
    Traceback (most recent call last):
    evoter.rules.errors.RuleSyntaxError: line 1, column 1: unknown feature 'angel'; did you mean 'angle'?
      angel < 0 -> Left; Default -> Right
      ^
    """
    stream = TokenStream(text)
    return resolve_ruleset(_parse_ruleset(stream), schema, None if mode is None else Mode(mode), stream)


def parse_rule(text: str, schema: Schema) -> Rule:
    """Read one rule, as an expert writes it into an existing rule set.

    >>> from evoter.rules.schema import Feature
    >>> schema = Schema([Feature("angle")], ["Left", "Right"])
    >>> parse_rule('"safety limit" pinned: angle > 0.2 -> Left', schema).pinned
    True
    """
    stream = TokenStream(text)
    _parse_separators(stream)
    draft = _parse_rule(stream)
    _parse_separators(stream)
    stream.take("END", "the end of the rule")
    return resolve_rule(draft, schema, stream)


def parse_condition(text: str, schema: Schema) -> Condition:
    """Read one condition, as an expert writes it into an existing rule.

    >>> from evoter.rules.schema import Feature
    >>> parse_condition("(angle[2] <> 0)", Schema([Feature("angle")], ["Left", "Right"], max_lag=2))
    Condition(left=Term(feature='angle', coefficient=1.0, power=1, lag=2), operator=<Operator.NE: '!='>, right=0.0)
    """
    stream = TokenStream(text)
    drafts = _parse_conditions(stream)
    stream.take("END", "the end of the condition")
    if len(drafts) > 1:
        raise stream.error("expected one condition, got several joined by AND or in an interval", drafts[1].left.at)
    return resolve_condition(drafts[0], schema, stream)


def parse_conditions(text: str, schema: Schema) -> tuple[Condition, ...]:
    """Read one or more conditions joined by AND.

    >>> from evoter.rules.schema import Feature
    >>> len(parse_conditions("0 < angle <= 2 AND angle != 1", Schema([Feature("angle")], ["Left", "Right"])))
    3
    """
    stream = TokenStream(text)
    drafts = _parse_conditions(stream)
    stream.take("END", "AND or the end of the conditions")
    return tuple(resolve_condition(draft, schema, stream) for draft in drafts)


def _parse_ruleset(stream: TokenStream) -> RuleSetDraft:
    """RuleSet = Separators { Rule Separators } Default Separators [ Where ] ."""
    rules = []
    _parse_separators(stream)
    while not _at_default(stream):
        if stream.kind in ("END", "WHERE"):
            raise stream.error("the default is missing: end the rules with a line such as 'Default -> action'")
        rules.append(_parse_rule(stream))
        if stream.kind not in (*_SEPARATORS, "ELSE", "END"):
            raise stream.unexpected("the end of the rule after its action (a new line or ';')")
        _parse_separators(stream)
    default = _parse_default(stream)
    if stream.kind not in (*_SEPARATORS, "END"):
        raise stream.unexpected("the end of the default after its action (a new line or ';')")
    _parse_separators(stream)
    if stream.kind not in ("END", "WHERE"):
        raise stream.unexpected("'where' or the end of the text after the default, which is the last rule")
    return RuleSetDraft(rules, default, parse_where(stream) if stream.kind == "WHERE" else Declarations({}))


def _parse_separators(stream: TokenStream) -> None:
    """Separators = { NEWLINE | ";" | "OR" } [ ORDINAL ] ."""
    while stream.kind in _SEPARATORS:
        stream.advance()
    if stream.kind == "ORDINAL":
        stream.advance()


def _at_default(stream: TokenStream) -> bool:
    if stream.kind == "NAME" and " ".join(stream.value.lower().split()) in ("default", "default action"):
        return stream.peek() == "ARROW"
    return stream.kind == "ELSE"


def _parse_rule(stream: TokenStream) -> RuleDraft:
    """Rule = [ Label ] [ "IF" ] Conditions Arrow Action ."""
    at = stream.start
    name, pinned = _parse_label(stream)
    if stream.kind == "IF":
        stream.advance()
    conditions = _parse_conditions(stream)
    _parse_arrow(stream, "AND or '->' after the condition")
    return RuleDraft(conditions, _parse_action(stream), name, pinned, at)


def _parse_label(stream: TokenStream) -> tuple[str, bool]:
    """Label = ( STRING [ "pinned" ] | "pinned" ) ":" ."""
    name = ""
    named = stream.kind == "STRING" and stream.peek() in ("COLON", "NAME")
    if named:
        name = stream.take_name("a rule's name")
    pinned = stream.kind == "NAME" and stream.value.lower() == "pinned" and stream.peek() == "COLON"
    if pinned:
        stream.advance()
    if named or pinned:
        stream.take("COLON", "':' after the rule's name")
    elif stream.kind == "NAME" and stream.peek() == "COLON":
        raise stream.error("a rule's name goes in double quotes, and declarations of features come after 'where'")
    return name, pinned


def _parse_conditions(stream: TokenStream) -> list[ConditionDraft]:
    """Conditions = { "(" } Condition { ")" } { And { "(" } Condition { ")" } } ."""
    conditions: list[ConditionDraft] = []
    opened: list[int] = []
    start = stream.start
    while True:
        while stream.kind == "OPEN":
            if len(opened) == MAX_OPEN_PARENTHESES:
                raise stream.error(f"more than {MAX_OPEN_PARENTHESES:,} parentheses are open")
            opened.append(stream.start)
            stream.advance()
        conditions += _parse_condition(stream)
        while stream.kind == "CLOSE" and opened:
            opened.pop()
            stream.advance()
        if stream.kind == "OR":
            raise _no_or(stream, start, opened)
        if stream.kind != "AND":
            break
        stream.advance()
    if opened:
        raise stream.error("this parenthesis is never closed", opened[-1])
    return conditions


def _no_or(stream: TokenStream, start: int, opened: list[int]) -> RuleSyntaxError:
    """Make the error about an OR between conditions, which shows the two rules to write instead."""
    message, text = "OR is not in the language: write the alternative as a rule of its own", stream.text
    rest = _ALTERNATIVE.match(text, stream.end)
    is_simple = rest is not None and _ANOTHER.search(rest[0]) is None and len(opened) < 2
    if rest is not None and is_simple and (rest["close"] is not None) is bool(opened):
        before, group = (text[start : opened[-1]], opened[-1] + 1) if opened else ("", start)
        after = (rest["after"] or "") + rest["action"]
        alternatives = text[group : stream.start], rest["other"]
        rules = [" ".join(f"{before}{one.strip()} {after}".split()) for one in alternatives]
        message = f"OR is not in the language: write two rules, {rules[0]!r} and {rules[1]!r}"
    return stream.error(message)


_ALTERNATIVE = re.compile(
    r"(?P<other>[^()\n;]*?)(?:(?P<close>\))(?P<after>[^()\n;]*?))?(?P<action>(?:-{1,2}>|\bTHEN\b)[^\n;]{1,80})",
    re.IGNORECASE,
)
"""What follows an OR where it is short and simple: the other alternative, the rest of the conditions, the action."""

_ANOTHER = re.compile(r"\bOR\b", re.IGNORECASE)


def _parse_condition(stream: TokenStream) -> list[ConditionDraft]:
    """Condition = Interval | Sum | Term ( OPERATOR ( Term | Constant ) | [ "not" ] "in" Set | Presence ) ."""
    if stream.kind in ("NUMBER", "ORDINAL"):
        return _parse_interval(stream)
    if stream.kind == "NAME" and stream.value.lower() == "not" and stream.peek() == "OPEN":
        raise stream.error("NOT is not in the language: write the opposite of each condition, in rules of their own")
    return [_condition_on(stream, parse_term(stream))]


def _parse_interval(stream: TokenStream) -> list[ConditionDraft]:
    """Interval = NUMBER OPERATOR Term OPERATOR Constant ."""
    at = stream.start
    number = stream.take_number()
    if stream.kind != "OPERATOR":
        raise stream.unexpected("an operator after the number that begins an interval, as in '30 < age <= 40'")
    operator = take_operator(stream)
    term = parse_term(stream)
    if at_sign(stream):
        raise stream.error(
            "an interval has one feature: write a sum once for each bound, as in 'a + b > 3 AND a + b <= 5'"
        )
    if stream.kind != "OPERATOR" or stream.peek() not in ("NUMBER", "ORDINAL"):
        raise stream.error("the feature comes first: write 'age > 5' instead of '5 < age'", at)
    first = ConditionDraft(_OF_NUMBERS, term, MIRRORED[operator], number, None, at, None)
    second = _condition_on(stream, term)
    if not any({operator, second.operator} <= same for same in (_RISING, _FALLING)):
        raise stream.error("an interval has '<' or '<=' twice, as in '30 < age <= 40', or '>' or '>=' twice", at)
    return [first, second] if operator in _RISING else [second, first]


def _condition_on(stream: TokenStream, left: TermDraft) -> ConditionDraft:
    """Read what follows the first term of a condition."""
    for form in FORMS:
        draft = form.parse(stream, left)
        if draft is not None:
            return draft
    name = left.term.feature
    if begins_with_not(name) and not left.quoted:
        opposites = f"'{name[4:]} = false', or '{name[4:]} = 0' if it is a number"
        raise stream.error(f"NOT is not in the language: write {opposites}", left.at)
    raise stream.unexpected("an operator such as '<=' or 'is missing' after the feature")


def _parse_arrow(stream: TokenStream, expected: str) -> None:
    """Arrow = "->" | "-->" | "THEN" ."""
    stream.take("ARROW", expected)


def _parse_action(stream: TokenStream) -> ActionDraft:
    """Action = [ COEFFICIENT ] ActionName | NumericAction ."""
    certainty_at = stream.start
    certainty = stream.take_coefficient()
    at, text = stream.start, stream.value
    if stream.kind == "NUMBER":
        return ActionDraft(text, at, certainty, certainty_at, take_numeric_action(stream))
    return ActionDraft(stream.take_action("an action"), at, certainty, certainty_at)


def _parse_default(stream: TokenStream) -> ActionDraft:
    """Default = ( ( "Default" | "Default Action" ) Arrow | "ELSE" [ Arrow ] ) Action ."""
    stream.advance()
    if stream.kind == "ARROW":
        stream.advance()
    return _parse_action(stream)
