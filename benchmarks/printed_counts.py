"""How often the rules that the paper prints in Figure 13 apply, by several readings, and which counts are possible."""

import sys
from collections.abc import Callable

import numpy as np
import pandas as pd

from evoter.experiments.prescription.data import heart_failure
from evoter.experiments.printed_rules import printed_rules
from evoter.problems.deciding import decide_columns
from evoter.rules.model import RuleSet

READINGS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "scaled to [0, 1]": lambda table: (table - table.min()) / (table.max() - table.min()),
    "as they are": lambda table: table,
    "standardised": lambda table: (table - table.mean()) / table.std(),
    "divided by the maximum": lambda table: table / table.max(),
    "ranks from 0 to 1": lambda table: (table.rank() - 1) / (len(table) - 1),
    "scaled by the 5 % and 95 % quantiles": lambda table: _clipped(table, table.quantile(0.05), table.quantile(0.95)),
    "scaled by mean and twice the deviation": lambda table: _clipped(
        table, table.mean() - 2 * table.std(), table.mean() + 2 * table.std()
    ),
}


def _clipped(table: pd.DataFrame, low: "pd.Series[float]", high: "pd.Series[float]") -> pd.DataFrame:
    """Scale columns to [0, 1] by other limits than their ranges; truth values keep theirs."""
    truths = table.nunique() == 2
    low, high = low.where(~truths, 0.0), high.where(~truths, 1.0)
    return ((table - low) / (high - low)).clip(0.0, 1.0)


PRINTED = (
    {1: 83, 4: 66, 8: 102, 10: 78, 11: 6, 12: 73, 13: 11, 14: 108, 15: 37, 16: 31, 19: 8, 20: 26, 23: 14, 28: 73}
    | {30: 103, 31: 97, 33: 18, 35: 21, 36: 6, 37: 14, 38: 32, 39: 15, 40: 9, 41: 17, 42: 32, 43: 15, 44: 72, 45: 23}
)  # fmt: skip
"""The counts that Figure 14 prints beside the numbers of the rules in Figure 13; the second one is that of rule 4."""

PRINTED_DEFAULT = 10


def impossible(rules: RuleSet) -> list[tuple[int, int]]:
    """Return pairs of rules, numbered from 1, the first of which is counted more often than the second allows.

    Where every condition of the second is one of the first, the second holds wherever the first does, whatever the
    values, their scale and the cases.
    """
    numbered = list(enumerate(rules.rules, start=1))
    return [
        (first, second)
        for first, one in numbered
        for second, other in numbered
        if first != second
        and set(other.conditions) <= set(one.conditions)
        and PRINTED.get(first, 0) > PRINTED.get(second, 0)
    ]


def main() -> None:
    """Print the counts of each reading beside those of the paper, and what rules out any reading."""
    rules = printed_rules("heart_failure")
    table, _ = heart_failure()
    numbers = table.assign(sex=table["sex"].cat.codes).astype(float)
    numbers.columns = [name.replace("_", ".") for name in numbers.columns]
    total = sum(PRINTED.values()) + PRINTED_DEFAULT
    same = "the same" if rules.rules[13] == rules.rules[29] else "different"
    sys.stdout.write(
        f"paper: {len(PRINTED)} rules apply, counts add up to {total:,} with the default's\n"
        f"rules 14 and 30 are {same}, counted {PRINTED[14]} and {PRINTED[30]} times\n"
    )
    for reading, read in READINGS.items():
        columns = np.ascontiguousarray(read(numbers)[list(rules.schema.names)].to_numpy(dtype=np.float64).T)
        found = [decide_columns(rules.replace(mode=mode), columns) for mode in ("hardmax", "first")]
        active = found[0].active
        deciding = [len(set(each.deciders.tolist()) - {len(rules.rules)}) for each in found]
        sys.stdout.write(
            f"{reading}: {active.any(axis=0).sum()} rules apply, {active.sum(axis=1).mean():.1f} per case; "
            f"{deciding[0]} decide by hardmax, {deciding[1]} as the first\n"
        )
    sys.stdout.write("whatever the values and the cases, a rule holds at least as often as one with more conditions:\n")
    for first, second in impossible(rules):
        sys.stdout.write(
            f"rule {first}, counted {PRINTED[first]} times, implies rule {second}, "
            f"counted {PRINTED.get(second, 0)} times\n"
        )


if __name__ == "__main__":
    main()
