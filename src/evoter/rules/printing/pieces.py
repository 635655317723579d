"""The marked pieces that printed rules are made of: their roles, how each notation prints them, and terms."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum, auto
from functools import lru_cache

from evoter.rules.condition import Term
from evoter.rules.errors import RuleError
from evoter.rules.parsing.tokens import is_bare_action, is_bare_name, is_bare_unit
from evoter.rules.schema import Feature, Kind, Schema, check_name, is_finite


class Role(Enum):
    """What a piece of a rule is; a form may give each role its own look."""

    FEATURE = auto()
    COEFFICIENT = auto()
    TIMES = auto()
    SIGN = auto()
    POWER = auto()
    LAG = auto()
    OPERATOR = auto()
    CONSTANT = auto()
    CATEGORY = auto()
    UNIT = auto()
    RANGE = auto()
    AND = auto()
    ARROW = auto()
    CERTAINTY = auto()
    ACTION = auto()
    LABEL = auto()
    WORD = auto()
    COMMENT = auto()
    BLANK = auto()


Piece = tuple[Role, str]
"""A role and its text: the bare content before rendering, the printed text after it."""

Notation = Mapping[Role, Callable[[str], str]]
"""How the content of each role is printed; a role that is not listed is printed as it is."""

SPACE: Piece = (Role.BLANK, " ")

PALETTE = {
    Role.FEATURE: "#0a7eb8",
    Role.COEFFICIENT: "#a36d00",
    Role.CONSTANT: "#a36d00",
    Role.CATEGORY: "#a36d00",
    Role.OPERATOR: "#b14fc4",
    Role.ACTION: "#0f8a42",
    Role.CERTAINTY: "#d24b4b",
}
"""Colours for the roles that matter; each stands out from a white and from a black background (contrast above 4)."""


def render(pieces: Iterable[Piece], notation: Notation) -> list[Piece]:
    """Replace the content of each piece by its printed text."""
    return [(role, notation[role](content) if role in notation else content) for role, content in pieces]


def joined(pieces: Iterable[Piece]) -> str:
    """Return the text of rendered pieces."""
    return "".join([text for _, text in pieces])


def number_text(number: float) -> str:
    """Print a number with as few digits as identify it.

    >>> [number_text(number) for number in (2.0, 0.1, -3.25, 1e-7, 1e300)]
    ['2', '0.1', '-3.25', '1e-07', '1e+300']
    """
    return repr(number).removesuffix(".0")


def visible(text: str) -> str:
    r"""Replace characters that cannot be seen, or would change the line, by their escapes.

    >>> visible("line\nbreak")
    'line\\u000abreak'
    """
    if text.isprintable():
        return text
    return "".join([character if character.isprintable() else _escape(character) for character in text])


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def quoted(name: str) -> str:
    """Print a name in double quotes."""
    return visible(json.dumps(name, ensure_ascii=False))


@lru_cache(maxsize=4096)
def name_text(name: str) -> str:
    """Print a name, in double quotes where it could be misread."""
    return name if is_bare_name(name) else quoted(name)


def action_text(action: str) -> str:
    """Print the name of an action, in quotes where it needs them."""
    return action if is_bare_action(action) else quoted(action)


def _unit_text(unit: str) -> str:
    return unit if is_bare_unit(unit) else quoted(unit)


ASCII: Notation = {
    Role.FEATURE: name_text,
    Role.CATEGORY: name_text,
    Role.ACTION: action_text,
    Role.UNIT: _unit_text,
    Role.LABEL: quoted,
    Role.POWER: "^{}".format,
    Role.LAG: "[{}]".format,
    Role.RANGE: "[{}]".format,
}
"""The notation that a keyboard can write."""

OPERATOR_SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥", "in": "∈", "not in": "∉"}

UNICODE: Notation = {
    **ASCII,
    Role.OPERATOR: lambda operator: OPERATOR_SIGNS.get(operator, operator),
    Role.TIMES: lambda _: "·",
    Role.POWER: lambda power: power.translate(str.maketrans("123", "¹²³")),
    Role.AND: lambda _: "∧",
    Role.ARROW: lambda _: "⟶",
}
"""The notation of the paper."""


TimeStep = tuple[float, str]
"""How long a step of a series takes, as a number and its unit: (30, "min")."""


def timed(notation: Notation, time_step: TimeStep | None) -> Notation:
    """Return the notation that prints lags as times, or as they are where no one says how long a step takes."""
    if time_step is None:
        return notation
    length, unit = checked_time_step(time_step)

    def lag_text(lag: str) -> str:
        # To ten digits: 3 * 0.1 is 0.30000000000000004, which no clock shows.
        return notation[Role.LAG](f"{int(lag) * length:.10g} {notation[Role.UNIT](unit)}")

    return {**notation, Role.LAG: lag_text}


def checked_time_step(time_step: TimeStep) -> TimeStep:
    """Return how long a step takes, unless it makes no sense."""
    length, unit = time_step
    if not (is_finite(length) and length > 0.0):
        raise RuleError(f'time_step: a step takes a positive, finite time, not {length!r}; give (30, "min")')
    check_name("the unit of time_step", unit)
    return time_step


def furthest_text(schema: Schema, notation: Notation) -> str:
    """Print the largest lag that a schema allows, without brackets."""
    return notation[Role.LAG](str(schema.max_lag))[1:-1]


def term_pieces(term: Term) -> Iterator[Piece]:
    """Take a term apart; a coefficient or power of 1 and a lag of 0 are left out."""
    if term.coefficient != 1.0:
        yield Role.COEFFICIENT, number_text(term.coefficient)
        yield Role.TIMES, "*"
    yield Role.FEATURE, term.feature
    if term.power != 1:
        yield Role.POWER, str(term.power)
    if term.lag:
        yield Role.LAG, str(term.lag)


def bounds_text(feature: Feature) -> str:
    """Print the range of a numeric feature without brackets, open where it is unbounded."""
    low, high = ("" if bound is None else number_text(bound) for bound in (feature.low, feature.high))
    return f"{low}..{high}"


def values_pieces(feature: Feature) -> Iterator[Piece]:
    """Take the declaration of a feature apart: which values it has."""
    is_binary = feature.is_binary and not feature.unit
    if is_binary:
        yield Role.WORD, "binary"
    elif feature.kind is Kind.NUMERIC:
        yield Role.WORD, "numeric"
        if feature.unit or not feature.low is feature.high is None:
            yield SPACE
            yield Role.RANGE, bounds_text(feature)
        if feature.unit:
            yield SPACE
            yield Role.UNIT, feature.unit
    elif feature.kind is Kind.BOOLEAN:
        yield Role.WORD, "yes/no"
    else:
        yield Role.WORD, "one of "
        yield from names_pieces(Role.CATEGORY, feature.categories)
    if feature.step is not None and not is_binary:
        yield Role.WORD, ", step "
        yield Role.CONSTANT, number_text(feature.step)
    if feature.scaled:
        yield Role.WORD, ", scaled"
    if feature.missing:
        yield Role.WORD, ", may be missing"
    yield from _cells_pieces(feature)


def _cells_pieces(feature: Feature) -> Iterator[Piece]:
    """Take apart how the cells of a table become the values of a feature."""
    if feature.missing_texts:
        yield Role.WORD, ", missing as "
        yield from names_pieces(Role.LABEL, feature.missing_texts)
    if feature.decimal_comma:
        yield Role.WORD, ", decimal comma"
    if feature.cells:
        yield Role.WORD, ", read as "
        yield from names_pieces(Role.LABEL, [feature.cells])
    if feature.column:
        yield Role.WORD, ", in column "
        yield from names_pieces(Role.LABEL, [feature.column])


def names_pieces(role: Role, names: Iterable[str]) -> Iterator[Piece]:
    """Take a list of categories, actions or texts apart."""
    for position, name in enumerate(names):
        if position:
            yield Role.WORD, " | "
        yield role, name
