"""How often the rules that the paper prints in Figure 13 apply, under several readings of what they compare."""

import sys
from collections.abc import Callable

import numpy as np
import pandas as pd

from evoter.experiments.prescription.data import heart_failure
from evoter.experiments.printed_rules import printed_rules
from evoter.problems.deciding import decide_columns

READINGS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "scaled to [0, 1]": lambda table: (table - table.min()) / (table.max() - table.min()),
    "as they are": lambda table: table,
    "standardised": lambda table: (table - table.mean()) / table.std(),
    "divided by the maximum": lambda table: table / table.max(),
}

PRINTED = (
    {1: 83, 4: 66, 8: 102, 10: 78, 11: 6, 12: 73, 13: 11, 14: 108, 15: 37, 16: 31, 19: 8, 20: 26, 23: 14, 28: 73}
    | {30: 103, 31: 97, 33: 18, 35: 21, 36: 6, 37: 14, 38: 32, 39: 15, 40: 9, 41: 17, 42: 32, 43: 15, 44: 72, 45: 23}
)  # fmt: skip
"""The counts that Figure 14 prints beside the numbers of the rules in Figure 13; the second one is that of rule 4."""

PRINTED_DEFAULT = 10


def main() -> None:
    """Print the counts of each reading beside those of the paper."""
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


if __name__ == "__main__":
    main()
