"""How long an audit takes on a large table: python benchmarks/audit.py [--rows 50000] [--quick].

It prints wall-clock and CPU time, the median and the fastest of several audits, with the load of the machine, because
other programs slow it down.
"""

import argparse
import os
import statistics
import sys
import time
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import evoter

N_NUMBERS, N_CATEGORIES = 24, 4


def make_table(n_rows: int) -> pd.DataFrame:
    """Return a table of 30 columns and a target: 24 of numbers, four of categories, sex and age."""
    rng = np.random.default_rng(0)
    columns: dict[str, Any] = {f"x{number}": rng.normal(size=n_rows) for number in range(N_NUMBERS)}
    columns |= {f"c{number}": rng.choice(list("abcdef"), n_rows) for number in range(N_CATEGORIES)}
    columns |= {"sex": rng.choice(["f", "m"], n_rows), "age": rng.integers(18, 90, n_rows)}
    return pd.DataFrame(columns | {"outcome": rng.choice(["no", "yes"], n_rows)})


def make_rules(n_rules: int) -> evoter.RuleSet:
    """Return rules of three conditions each, which read most columns."""
    rules = [
        f"x{k % 23} > 0.5 AND x{k % 23 + 1} <= 0.2 AND c{k % N_CATEGORIES} = a -> {'yes' if k % 3 else 'no'}"
        for k in range(n_rules)
    ]
    return evoter.parse("; ".join([*rules, "Default -> no"]))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    n_rows, n_repeats = (2_000, 2) if given.quick else (given.rows, given.repeats)
    frame = make_table(n_rows)
    for n_rules in (5, 20):
        rules = make_rules(n_rules)
        for name, table in (("pandas", frame), ("polars", pl.DataFrame(frame))):
            wall, cpu = [], []
            evoter.audit(rules, table, "outcome", protected=["sex", "age"])
            for _ in range(n_repeats):
                begin, begin_cpu = time.perf_counter(), time.process_time()
                evoter.audit(rules, table, "outcome", protected=["sex", "age"])
                wall.append(1000 * (time.perf_counter() - begin))
                cpu.append(1000 * (time.process_time() - begin_cpu))
            sys.stdout.write(
                f"{n_rows:,} rows x 30 columns, {n_rules} rules, {name}: {statistics.median(wall):.0f} ms "
                f"(fastest {min(wall):.0f} ms), CPU {statistics.median(cpu):.0f} ms (least {min(cpu):.0f} ms)\n"
            )
    sys.stdout.write(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")


if __name__ == "__main__":
    main()
