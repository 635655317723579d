"""Tables larger than memory, from the command line: seconds and peak memory of a fit and of predictions, by rows.

    python benchmarks/large.py 1000000                    one size; the table is made if it is not there
    python benchmarks/large.py 1000000 5000000 20000000   a table of several sizes
    python benchmarks/large.py 20000000 --make            make the table only
    python benchmarks/large.py 20000000 --folder scratch  where tables, columns and rules are kept

Tables have 30 columns: 20 of measurements, 4 of whole numbers, 5 of categories and one of truth values, some values
missing, and a target of two classes that follows three rules, with 10 % of the classes exchanged. They are written in
batches. Each command is a process of its own, and its memory the largest that it had, with that of its children.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BATCH = 500_000
NOISE = 0.1
TARGET_SECONDS = 900
TARGET_GIGABYTES = 6.0
TARGET_FIRST_SECONDS = 10.0


def batch(number: int, n_rows: int) -> pa.Table:
    """Return some rows of a table, the same ones every time."""
    rng = np.random.default_rng([17, number])
    columns: dict[str, Any] = {}
    for index in range(20):
        numbers = rng.normal(size=n_rows).astype(np.float32)
        if index % 5 == 4:
            numbers[rng.random(n_rows) < 0.05] = np.nan
        # Half of them single precision, half of them with all digits of double precision.
        columns[f"m{index}"] = numbers if index % 2 else numbers + rng.random(n_rows) * 1e-9
    for index in range(4):
        columns[f"n{index}"] = rng.integers(0, 1_000, n_rows)
    for index, n_categories in enumerate((3, 5, 12, 50, 400)):
        codes = pa.array(rng.integers(0, n_categories, n_rows), pa.int32())
        columns[f"c{index}"] = pa.DictionaryArray.from_arrays(codes, [f"k{k}" for k in range(n_categories)]).cast("str")
    columns["b0"] = rng.random(n_rows) < 0.4
    is_in_set = np.isin(np.asarray(columns["c1"]), ["k0", "k3"])
    positive = (columns["m0"] > 0.8) & is_in_set | (columns["n0"] < 150) | (columns["m1"] + columns["m3"] > 2.2)
    columns["y"] = np.where(positive ^ (rng.random(n_rows) < NOISE), "yes", "no")
    return pa.table(columns)


def make(path: Path, n_rows: int) -> None:
    """Write a table in batches, unless it is there."""
    if path.exists():
        return
    draft = path.with_suffix(".tmp")
    writer = None
    for number, first in enumerate(range(0, n_rows, BATCH)):
        rows = batch(number, min(BATCH, n_rows - first))
        writer = writer or pq.ParquetWriter(draft, rows.schema)
        writer.write_table(rows)
    if writer is not None:
        writer.close()
    draft.replace(path)


def measured(*arguments: str, folder: Path) -> dict[str, float]:
    """Run a command in a process of its own; return its seconds, CPU seconds, gigabytes, and when it first spoke."""
    program = [sys.executable, __file__, "--one", json.dumps(arguments)]
    environment = {**os.environ, "EVOTER_CACHE": str(folder / "columns")}
    finished = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True, cwd=folder, env=environment)
    result: dict[str, float] = json.loads(finished.stdout)
    return result


def run_one(arguments: list[str]) -> None:
    """Run a command as a child, and print what it took."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "evoter", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    process.stderr.readline()
    first = time.perf_counter() - begun
    sys.stderr.write(process.stderr.read().decode())
    if process.wait() != 0:
        raise SystemExit(process.returncode)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures = {"seconds": time.perf_counter() - begun, "cpu": used.ru_utime + used.ru_stime, "first": first}
    sys.stdout.write(json.dumps(figures | {"gigabytes": used.ru_maxrss / 2**20}))


def measure(n_rows: int, folder: Path, extra: list[str]) -> None:
    """Fit a table twice, the second time with stored columns, predict it, and print a line for each command."""
    name = f"rows-{n_rows}"
    make(folder / f"{name}.parquet", n_rows)
    shutil.rmtree(folder / "columns", ignore_errors=True)
    fit = ("fit", f"{name}.parquet", "--target", "y", "-y", "--force", *extra)
    commands = {
        "fit": fit,
        "fit again": fit,
        "predict": ("predict", f"{name}.rules.json", f"{name}.parquet", "-o", f"{name}.predicted.parquet", "--only"),
    }
    for what, arguments in commands.items():
        load = os.getloadavg()[0]
        used = measured(*arguments, folder=folder)
        shown = (
            f"{n_rows:>12,}  {what:<10} {used['seconds']:>8.1f} s {used['cpu']:>8.1f} s {used['gigabytes']:>7.2f} GB"
        )
        sys.stdout.write(f"{shown} {used['first']:>7.1f} s {load:>6.1f}\n")
        sys.stdout.flush()
        if what == "fit":
            goals = (
                ("seconds", TARGET_SECONDS),
                ("gigabytes", TARGET_GIGABYTES),
                ("first", TARGET_FIRST_SECONDS),
            )
            missed = [f"{key} {used[key]:.1f} > {most:g}" for key, most in goals if used[key] > most]
            sys.stdout.write(f"{'':>12}  {'goals missed: ' + ', '.join(missed) if missed else 'all goals met'}\n")
    record = json.loads((folder / f"{name}.rules.fit.json").read_text(encoding="utf-8"))
    stored = sum(path.stat().st_size for path in (folder / "columns").rglob("*.bin")) / 2**30
    parquet = (folder / f"{name}.parquet").stat().st_size / 2**30
    rules = record["rules"]
    sys.stdout.write(
        f"{'':>12}  {record['figures']['test']['accuracy']:.4f} of {record['split']['test_rows']:,} unseen rows right "
        f"({1 - NOISE:g} is the best possible), {rules['rules']} rules, {rules['conditions']} conditions, "
        f"{record['run']['generations']} generations, {record['run']['evaluated_rows']:,} rows evaluated; "
        f"Parquet {parquet:.2f} GB, columns {stored:.2f} GB\n"
    )


def main() -> None:
    """Measure tables of the sizes that are asked for."""
    if sys.argv[1:2] == ["--one"]:
        run_one(json.loads(sys.argv[2]))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=int, nargs="+")
    parser.add_argument("--folder", type=Path, default=Path("large-tables"))
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--jobs", default="-1")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    folder = asked.folder.resolve()
    if asked.make:
        for n_rows in asked.rows:
            make(folder / f"rows-{n_rows}.parquet", n_rows)
        return
    heads = f"{'rows':>12}  {'command':<10} {'wall':>10} {'CPU':>10} {'memory':>10} {'first':>9} {'load':>6}"
    sys.stdout.write(f"{heads}\n")
    for n_rows in asked.rows:
        measure(n_rows, folder, ["--jobs", asked.jobs])


if __name__ == "__main__":
    main()
