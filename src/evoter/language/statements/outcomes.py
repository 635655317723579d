"""What rules lead to, in words: actions with their certainties, in each decision mode.

An action is a name, or a number that is predicted, as in regression.
"""

import re

from evoter.language.names.glossary import Glossary
from evoter.language.statements.amounts import read_amount, write_amount
from evoter.language.statements.conditions import verb_forms
from evoter.language.statements.numerals import number_pattern, read_number, write_number
from evoter.language.templates import PLACEHOLDER, fill
from evoter.rules.model import Mode
from evoter.rules.modes import mode_of


def write_outcome(action: str, certainty: float, mode: Mode, glossary: Glossary) -> str:
    """Say what a rule leads to; a certainty of 1 is left out where certainties decide nothing.

    >>> from evoter.rules.schema import Schema
    >>> glossary = Glossary(Schema([], ["wait", "operate"]), labels={"decision": "the advice"})
    >>> write_outcome("operate", 1.0, Mode.FIRST, glossary), write_outcome("wait", 0.5, Mode.VOTE, glossary)
    ('the advice is operate', 'this is a vote for wait, with certainty 0.5')
    """
    catalogue = glossary.catalogue
    if _is_prediction(glossary):
        return fill(*_prediction(glossary, write_amount(action, glossary)))
    parts = {
        "decision": glossary.decision,
        "says": glossary.says,
        "action": write_action(action, glossary),
        "certainty": write_number(certainty, catalogue),
    }
    return fill(catalogue[_key(mode, with_certainty=certainty != 1.0)], parts)


def read_outcome(text: str, mode: Mode, glossary: Glossary) -> tuple[str, float] | None:
    """Return the action and the certainty that words say; None if they say none."""
    if _is_prediction(glossary):
        before, after = fill(*_prediction(glossary, "\0")).split("\0")
        if len(text) < len(before) + len(after) or not (text.startswith(before) and text.endswith(after)):
            return None
        amount = read_amount(text[len(before) : len(text) - len(after)], glossary)
        return None if amount is None else (amount, 1.0)
    for with_certainty in (True, False):
        match = re.fullmatch(_pattern(_key(mode, with_certainty=with_certainty), glossary), text, re.DOTALL)
        action = None if match is None else _read_action(match["action"], glossary)
        if match is None or action is None:
            continue
        said = match.groupdict().get("certainty")
        certainty = 1.0 if said is None else read_number(said, glossary.catalogue)
        if 0.0 < certainty <= 1.0:
            return action, certainty
    return None


def outcome_items(action: str, certainty: float, mode: Mode, glossary: Glossary) -> list[str]:
    """Return what an outcome names: the action and the certainty if it is said, or what is predicted and its number."""
    if _is_prediction(glossary):
        return [*([glossary.target.phrase] if glossary.target else []), write_amount(action, glossary)]
    is_said = certainty != 1.0 or mode_of(mode).uses_certainty
    return [write_action(action, glossary), *([write_number(certainty, glossary.catalogue)] if is_said else [])]


def write_action(action: str, glossary: Glossary) -> str:
    """Say an action alone: its name, or its number."""
    return write_amount(action, glossary) if glossary.schema.target is not None else glossary.actions[action]


def _read_action(text: str, glossary: Glossary) -> str | None:
    return read_amount(text, glossary) if glossary.schema.target is not None else glossary.action_of.get(text)


def _is_prediction(glossary: Glossary) -> bool:
    """Tell whether outcomes are said as predictions: of numbers, unless labels say what the decision is called."""
    return glossary.schema.target is not None and not glossary.labels.decision


def _prediction(glossary: Glossary, amount: str) -> tuple[str, dict[str, str]]:
    """Return the template of a prediction and its parts."""
    if glossary.target is None:
        return glossary.catalogue["outcomes.prediction"], {"amount": amount}
    verbs = verb_forms(glossary, plural=glossary.target.plural, earlier=False)
    return glossary.catalogue["outcomes.predicted"], {"target": glossary.target.phrase, "amount": amount, **verbs}


def _key(mode: Mode, *, with_certainty: bool) -> str:
    needs = not mode_of(mode).uses_certainty and with_certainty
    return f"outcomes.{mode.value}_certainty" if needs else f"outcomes.{mode.value}"


def _pattern(key: str, glossary: Glossary) -> str:
    patterns = {
        "decision": re.escape(glossary.decision),
        "says": re.escape(glossary.says),
        "action": "(?P<action>.+?)",
        "certainty": f"(?P<certainty>{number_pattern(glossary.catalogue)})",
    }
    template = glossary.catalogue[key]
    literal = [re.escape(text) for text in PLACEHOLDER.split(template)[::2]]
    names = [patterns[name] for name in PLACEHOLDER.findall(template)]
    return "".join(text + name for text, name in zip(literal, [*names, ""], strict=True))
