"""Levels: how much of each action a rule set prescribes on each row, from 0 (none) to 1 (the full amount)."""

import numpy as np

from evoter.kernels.layout import Floats
from evoter.problems.deciding import TableDecisions
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of


def levels_of(ruleset: RuleSet, decisions: TableDecisions, *, amounts: bool = False) -> Floats:
    """Return the levels [row, action]; with `amounts` they are the certainties of the deciding rules, else 1.

    In mode all, the last action of the schema is doing nothing, and its level is always 0.
    """
    actions = ruleset.schema.actions
    levels = np.zeros((len(decisions.actions), len(actions)))
    if not mode_of(ruleset.mode).several_actions:
        rows = np.arange(len(levels))
        levels[rows, decisions.actions] = decisions.certainties if amounts else 1.0
        return levels
    for rule, active in zip(ruleset.rules, decisions.active.T, strict=True):
        levels[active, actions.index(rule.action)] = 1.0
    levels[~decisions.active.any(axis=1), actions.index(ruleset.default)] = 1.0
    levels[:, -1] = 0.0
    return levels
