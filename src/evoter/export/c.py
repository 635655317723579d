"""Rule sets as C99 that allocates no memory and needs nothing but the standard headers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from evoter.export.braces import Braces, Statements
from evoter.export.deciding import deciding, is_numeric
from evoter.export.names import all_spellings, identifiers
from evoter.rules.errors import RuleError
from evoter.rules.model import RuleSet, Term
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.printing.pieces import visible
from evoter.rules.schema import Kind, Schema
from evoter.rules.stream import furthest_lag

_RESERVED = {
    *("auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern"),
    *("float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed"),
    *("sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while"),
    # Words of C++ and of later standards, and macros that compilers define: a header may be included anywhere.
    *("alignas", "alignof", "and", "and_eq", "asm", "bitand", "bitor", "bool", "catch", "class", "compl", "concept"),
    *("constexpr", "constinit", "consteval", "const_cast", "decltype", "delete", "dynamic_cast", "explicit", "export"),
    *("false", "friend", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or"),
    *("or_eq", "private", "protected", "public", "reinterpret_cast", "requires", "static_assert", "static_cast"),
    *("template", "this", "thread_local", "throw", "true", "try", "typeid", "typename", "typeof", "using", "virtual"),
    *("wchar_t", "xor", "xor_eq", "errno", "far", "i386", "interface", "linux", "near", "null", "signgam", "small"),
    *("stderr", "stdin", "stdout", "unix"),
}

_MEMBERS = {
    Kind.NUMERIC: ("double ", "NAN where it is missing"),
    Kind.BOOLEAN: ("double ", "1 or 0, NAN where it is missing"),
    Kind.CATEGORICAL: ("const char *", "NULL where it is missing"),
}
"""How a value of each kind is declared, and what it may be."""

_TOP = """#include <stddef.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "-ffast-math does not recognise missing values (NAN): compile this file without it"
#endif
"""

_HELPERS = {"is", "poll", "sum", "vote", "winner"}

_IS = """
/* Tells whether text is a category; missing text is none. */
static int is(const char *text, const char *category)
{
    return text != NULL && strcmp(text, category) == 0;
}
"""

_SUM = """
/* Adds two numbers. They are stored first, since a product that is not rounded to a double may change the sum. */
static double sum(double first, double second)
{
    volatile double left = first;
    volatile double right = second;
    return left + right;
}
"""

_POLL = """
/* Votes: the sum and number of certainties of each action, and which of them was voted for first. */
struct poll {{
    double totals[{n}];
    int counts[{n}];
    int places[{n}];
    int n_votes;
}};

static void vote(struct poll *poll, int action, double certainty)
{{
    if (poll->counts[action] == 0) {{
        poll->places[action] = poll->n_votes;
    }}
    poll->totals[action] += certainty;
    poll->counts[action]++;
    poll->n_votes++;
}}

/* Returns the action with the largest mean certainty; of equals, the one that was voted for first. */
static int winner(const struct poll *poll)
{{
    int best = -1;
    double largest = 0.0;
    int action;
    for (action = 0; action < {n}; action++) {{
        if (poll->counts[action] > 0) {{
            /* Stored before it is compared, so that it is rounded to a double on every machine. */
            volatile double mean = poll->totals[action] / poll->counts[action];
            if (best < 0 || mean > largest || (mean == largest && poll->places[action] < poll->places[best])) {{
                best = action;
                largest = mean;
            }}
        }}
    }}
    return best;
}}
"""


def to_c(ruleset: RuleSet, function: str = "decide", *, header: bool = False) -> str:
    """Write a rule set as the source of a C function, or with `header` as the header that declares it.

    The function takes a structure with the values of the features, and an array of such structures for earlier steps,
    the latest first, if lags are read. NaN is a missing number, and a null pointer missing text (UTF-8). It returns the
    name of the action, or a double where actions are numbers. In mode all it writes all actions to an array and returns
    their number. No memory is allocated.

    >>> from evoter.rules.parser import parse
    >>> print(to_c(parse("petal length <= 2.45 AND colour != red -> setosa; Default -> other")))
    #include <stddef.h>
    #include <string.h>
    ...
    struct decide_row {
        double petal_length; /* petal length: NAN where it is missing */
        const char *colour; /* colour: NULL where it is missing */
    };
    ...
    const char *decide(const struct decide_row *now)
    {
        /* 1. petal length <= 2.45 AND colour != red -> setosa */
        if (now->petal_length <= 2.45 && now->colour != NULL && !is(now->colour, "red")) {
            return "setosa";
        }
        /* 2. Default -> other */
        return "other";
    }
    <BLANKLINE>
    """
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", function) or function in _RESERVED | _HELPERS:
        raise RuleError(f"a function of C cannot be called {function!r}: use letters, digits and underscores")
    used = ruleset.features_used
    # In lower case, since the macros of other headers are written in capitals.
    fields = identifiers([name.lower() for name in used], _RESERVED)
    c = _C(ruleset.schema, dict(zip(used, fields, strict=True)))
    declaration = _declaration(ruleset, function)
    declared = "\n".join([*c.structure(f"{function}_row"), "", *_usage(ruleset, c), declaration])
    if header:
        guard = f"{function.upper()}_H"
        return f"#ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n\n{declared};\n\n#endif\n"
    body = "\n".join(c.rules(ruleset, _statements(ruleset, c)))
    if "now" not in c.needed:
        body = f"    (void) now;\n{body}"
    included = "#include <math.h>\n" if c.infinity in body else ""
    helpers = (_IS if "is" in c.needed else "") + (_SUM if "sum" in c.needed else "")
    if deciding(ruleset).procedure is Procedure.POLL:
        helpers += _POLL.format(n=len(ruleset.schema.actions))
    return f"{included}{_TOP}{helpers}\n{declared}\n{{\n{body}\n}}\n"


def _declaration(ruleset: RuleSet, function: str) -> str:
    row = f"const struct {function}_row *"
    parameters = [f"{row}now"]
    if furthest_lag(ruleset) > 0:
        parameters += [f"{row}before", "size_t n_before"]
    if mode_of(ruleset.mode).several_actions:
        return f"size_t {function}({', '.join([*parameters, 'const char *taken[]'])})"
    given = "double " if is_numeric(ruleset) else "const char *"
    return f"{given}{function}({', '.join(parameters)})"


def _usage(ruleset: RuleSet, c: "_C") -> Iterator[str]:
    if furthest_lag(ruleset) > 0:
        yield c.comment("before[0] is one step ago, before[1] two steps; n_before says how many there are.")
    if mode_of(ruleset.mode).several_actions:
        room = max(1, len(ruleset.rules))
        yield c.comment(f"Writes all actions that are taken to an array of {room} or more, and returns their number.")
    else:
        yield c.comment(f"Returns the {'number' if is_numeric(ruleset) else 'action'} for a row.")


def _statements(ruleset: RuleSet, c: "_C") -> Statements:
    write = c.amount if is_numeric(ruleset) else c.literal
    default, procedure = write(ruleset.default), deciding(ruleset).procedure
    match procedure:
        case Procedure.IN_ORDER:
            return Statements([], lambda rule: f"return {write(rule.action)};", [f"return {default};"])
        case Procedure.POLL:
            actions = ruleset.schema.actions
            listed = ", ".join(map(c.literal, actions))
            return Statements(
                [
                    f"static const char *const actions[] = {{{listed}}};",
                    "struct poll poll = {{0}, {0}, {0}, 0};",
                ],
                lambda rule: f"vote(&poll, {actions.index(rule.action)}, {rule.certainty!r});",
                [f"return poll.n_votes > 0 ? actions[winner(&poll)] : {default};"],
            )
        case Procedure.EVERY:
            return Statements(
                ["size_t n_taken = 0;"],
                lambda rule: f"taken[n_taken++] = {c.literal(rule.action)};",
                ["if (n_taken == 0) {", f"    taken[n_taken++] = {default};", "}", "return n_taken;"],
            )
        case _:
            assert_never(procedure)


class _C(Braces):
    """Conditions as C expressions over the members of a structure."""

    equal = "=="
    indent = "    "
    infinity = "INFINITY"
    history = "n_before"

    def __init__(self, schema: Schema, variables: Mapping[str, str]) -> None:
        super().__init__(schema, variables)
        self.needed: set[str] = set()
        """What has been used so far: functions, and the row that is decided; whatever is not, compilers warn about."""

    def structure(self, name: str) -> Iterator[str]:
        """Yield the lines that declare the structure."""
        yield self.comment("The values of a row; text is UTF-8.")
        yield f"struct {name} {{"
        for feature, member in self.variables.items():
            declared, values = _MEMBERS[self.schema.feature(feature).kind]
            yield f"    {declared}{member}; {self.comment(f'{visible(feature)}: {values}')}"
        if not self.variables:
            yield "    char nothing; /* the rules read no values */"
        yield "};"

    def comment(self, text: str) -> str:
        return f"/* {text.replace('/*', '/ *').replace('*/', '* /').replace('??', '? ?')} */"

    def literal(self, text: str) -> str:
        if "\0" in text:
            raise RuleError(f"text in C cannot contain a null character, but there is one in {text!r}: rename it")
        escaped = "".join(_escape(byte) for byte in text.encode())
        return f'"{escaped}"'.replace("??", "?\\?")  # two question marks may begin a trigraph

    def read(self, term: Term) -> str:
        if term.lag == 0:
            self.needed.add("now")
        row = "now->" if term.lag == 0 else f"before[{term.lag - 1}]."
        return f"{row}{self.variables[term.feature]}"

    def plus(self, first: str, second: str) -> str:
        self.needed.add("sum")
        return f"sum({first}, {second})"

    def spelled(self, term: Term, categories: Sequence[str]) -> Sequence[str]:
        return all_spellings(self.schema.feature(term.feature), categories)

    def is_category(self, value: str, category: str, *, negated: bool = False) -> str:
        self.needed.add("is")
        return f"{'!' if negated else ''}is({value}, {self.literal(category)})"

    def no_text(self, value: str, *, missing: bool) -> str:
        return f"{value} {'=' if missing else '!'}= NULL"


def _escape(byte: int) -> str:
    """Write a byte of a string; always three digits, so that a digit that follows is not taken for one of them."""
    character = chr(byte)
    if character in '"\\':
        return f"\\{character}"
    return character if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
