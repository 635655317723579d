"""The rule sets that the paper prints, evaluated as printed."""

from importlib.resources import files

import numpy as np
import pandas as pd

from evoter.environments.batch import BatchEnvironment
from evoter.estimators.control.task import read_environment
from evoter.problems.control.problem import TEST, ControlProblem, draw_seeds
from evoter.problems.deciding import decide_columns
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse


def printed_rules(name: str) -> RuleSet:
    """Return a rule set of the paper's figures.

    >>> printed_rules("cart_pole").n_conditions
    1
    """
    text = (files("evoter.rules") / "figures" / f"{name}.rules").read_text(encoding="utf-8")
    return parse(text)


def play_printed(name: str, env: str, n_episodes: int, seed: int = 0) -> tuple[float, float]:
    """Return the mean return of printed rules in new episodes, and with both actions exchanged."""
    task = read_environment(env, units={})
    rules = printed_rules(name).replace(schema=task.schema)
    first, second = task.schema.actions
    swapped = {first: second, second: first}
    exchanged = rules.replace(
        rules=[type(rule)(rule.conditions, swapped[rule.action]) for rule in rules.rules],
        default=swapped[rules.default],
    )
    batch: BatchEnvironment = task.batch
    problem = ControlProblem(task.schema, batch, np.zeros((1, len(task.schema.features))))
    means = problem.try_out([rules, exchanged], draw_seeds(seed, TEST, n_episodes)).returns.mean(axis=1)
    return float(means[0]), float(means[1])


def count_printed(name: str, table: pd.DataFrame) -> dict[str, float]:
    """Count what printed rules do on a table, each column of which is scaled to [0, 1] by its range.

    Names of columns have underscores where the figure has dots; the first category of two counts as 0.
    """
    rules = printed_rules(name)
    columns = []
    for feature in rules.schema.names:
        column = table[feature.replace(".", "_")]
        values = column.cat.codes if isinstance(column.dtype, pd.CategoricalDtype) else column.astype(float)
        low, high = values.min(), values.max()
        columns.append(((values - low) / (high - low)).to_numpy(dtype=np.float64))
    decisions = decide_columns(rules, np.array(columns))
    deciders = set(decisions.deciders.tolist()) - {len(rules.rules)}
    return {
        "evolved_rules": len(rules.rules),
        "rules": int(decisions.active.any(axis=0).sum()),
        "conditions": rules.n_conditions,
        "active": float(decisions.active.sum(axis=1).mean()),
        "deciding": len(deciders),
    }
