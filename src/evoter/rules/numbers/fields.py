"""Numeric actions and their target in rule files: a number, or a number with a linear term as an object."""

from evoter.rules.files.document import Reader, at, read_name, read_number, read_record, refuse, unless
from evoter.rules.numbers.actions import NumericAction, read_action
from evoter.rules.schema import Target

_TERM: dict[str, Reader] = {"constant": read_number, "coefficient": read_number, "feature": read_name}
_TARGET: dict[str, Reader] = {"name": read_name, "unit": read_name}


def target_tree(target: Target) -> dict[str, object]:
    """Return what numbers predict as Python values."""
    return unless("", name=target.name, unit=target.unit)


def read_target(value: object, path: str) -> Target:
    """Read what numbers predict."""
    return read_record(value, path, Target, _TARGET, ())


def action_tree(action: str, *, is_numeric: bool) -> object:
    """Return an action as a Python value: its name, its number, or the parts of its linear term."""
    if not is_numeric:
        return action
    number = read_action(action)
    if not number.feature:
        return number.constant
    return {"constant": number.constant, "coefficient": number.coefficient, "feature": number.feature}


def read_number_action(value: object, path: str) -> str:
    """Read a numeric action and return its text."""
    if isinstance(value, dict):
        return read_record(value, path, NumericAction, _TERM, tuple(_TERM)).text
    if isinstance(value, bool) or not isinstance(value, int | float):
        refuse(value, path, "a number, or an object with 'constant', 'coefficient' and 'feature'")
    return at(path, NumericAction, read_number(value, path)).text
