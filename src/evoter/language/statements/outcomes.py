"""What rules lead to, in words: actions with their certainties, in each decision mode.

An action is a name. Where rules lead to numbers instead, as in regression, this is the one module that says them.
"""

import re

from evoter.language.names.glossary import Glossary
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
    parts = {
        "decision": glossary.decision,
        "says": glossary.says,
        "action": glossary.actions[action],
        "certainty": write_number(certainty, catalogue),
    }
    return fill(catalogue[_key(mode, with_certainty=certainty != 1.0)], parts)


def read_outcome(text: str, mode: Mode, glossary: Glossary) -> tuple[str, float] | None:
    """Return the action and the certainty that words say; None if they say none."""
    for with_certainty in (True, False):
        match = re.fullmatch(_pattern(_key(mode, with_certainty=with_certainty), glossary), text, re.DOTALL)
        action = None if match is None else glossary.action_of.get(match["action"])
        if match is None or action is None:
            continue
        said = match.groupdict().get("certainty")
        certainty = 1.0 if said is None else read_number(said, glossary.catalogue)
        if 0.0 < certainty <= 1.0:
            return action, certainty
    return None


def outcome_items(action: str, certainty: float, mode: Mode, glossary: Glossary) -> list[str]:
    """Return what an outcome names: the action, and the certainty where it is said."""
    is_said = certainty != 1.0 or mode_of(mode).uses_certainty
    return [glossary.actions[action], *([write_number(certainty, glossary.catalogue)] if is_said else [])]


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
