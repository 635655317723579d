"""Times of the studio's server on 50,000 rows of 30 columns: the effect of an edit, from request to answer.

    python benchmarks/studio.py
    python benchmarks/studio.py --rows 10000 --rules 8 --repeat 50

Each edit moves a threshold of one of the rules, as a slider does. The time of an edit is that of the whole request over
HTTP on the loopback interface, as the page sends it; CPU seconds are those of the process that runs server and client.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import polars as pl

import evoter
from evoter.studio.project import Project, Setup
from evoter.studio.running.address import bind
from evoter.studio.running.serving import Studio
from evoter.studio.session.session import Session
from evoter.studio.table.columns import StudioTable

LIMIT_MILLISECONDS = 100.0


def make_table(n_rows: int, n_columns: int, seed: int = 0) -> tuple[pl.DataFrame, list[str]]:
    """Return a table of numbers and categories, and labels that depend on some of them."""
    rng = np.random.default_rng(seed)
    columns: dict[str, object] = {}
    for number in range(n_columns):
        if number % 5 == 4:
            columns[f"group_{number}"] = rng.choice(["a", "b", "c", "d"], n_rows)
        else:
            columns[f"value_{number}"] = rng.normal(50.0, 12.0, n_rows).round(2)
    frame = pl.DataFrame(columns)
    score = frame["value_0"].to_numpy() + frame["value_1"].to_numpy() + rng.normal(0, 15, n_rows)
    return frame, np.where(score > 105, "yes", "no").tolist()


def make_rules(n_rules: int, n_columns: int) -> evoter.RuleSet:
    """Return rules of two conditions each over the columns of `make_table`."""
    numbers = [number for number in range(n_columns) if number % 5 != 4]
    lines = []
    for rule in range(n_rules):
        one, other = numbers[rule % len(numbers)], numbers[(3 * rule + 1) % len(numbers)]
        action = "yes" if rule % 2 == 0 else "no"
        lines.append(f"value_{one} > {52 + rule % 9} AND value_{other} <= {70 - rule % 7} -> {action}")
    return evoter.parse("\n".join([*lines, "Default -> no"]))


@contextmanager
def served(session: Session) -> Iterator[httpx.Client]:
    """Serve a session on a free port, and yield a client that has the token."""
    with Studio(session, bind(port=0)).start() as studio:
        address, _, token = studio.url.partition("/#token=")
        with httpx.Client(base_url=address, headers={"X-Evoter-Token": token}, timeout=60) as client:
            yield client


def main() -> None:
    """Print the median and the 95th percentile of edits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--columns", type=int, default=30)
    parser.add_argument("--rules", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=60)
    options = parser.parse_args()
    # A quarter of the rows is closed until sign-off: as many are added, so that an edit is measured on --rows of them.
    frame, labels = make_table(round(options.rows / 0.75), options.columns)
    rules = make_rules(options.rules, options.columns)
    with tempfile.TemporaryDirectory() as folder:
        setup = Setup("outcome", protected=("group_4", "group_9"))
        with Project.create(Path(folder) / "bench.evoter", setup, rules) as project:
            begun = time.perf_counter()
            table = StudioTable.from_frame(frame, labels, target="outcome", ruleset=rules)
            session = Session(table, project)
            seconds = time.perf_counter() - begun
            sys.stdout.write(f"opened in {seconds:.1f} s; {len(session.rows.rows):,} rows are open to edits\n")
            with served(session) as client:
                measure(client, options.rules, options.repeat)


def measure(client: httpx.Client, n_rules: int, n_edits: int) -> None:
    """Move thresholds, and print how long the answers took."""
    client.get("/api/rules").raise_for_status()
    seconds, sizes = [], []
    cpu = time.process_time()
    for edit in range(n_edits):
        number = edit % n_rules + 1
        text = f"value_0 > {40 + edit * 0.31:.2f}"
        begun = time.perf_counter()
        body = {"base": 1, "edits": [{"operation": "replace_condition", "arguments": [number, 1, text]}]}
        answer = client.post("/api/effect", json=body).raise_for_status()
        seconds.append(time.perf_counter() - begun)
        sizes.append(len(answer.content))
    cpu = (time.process_time() - cpu) / n_edits
    median, late = (1_000 * float(np.quantile(seconds[1:], share)) for share in (0.5, 0.95))
    verdict = "within" if late <= LIMIT_MILLISECONDS else "beyond"
    sys.stdout.write(f"{n_edits} edits of {n_rules} rules: median {median:.1f} ms, ")
    sys.stdout.write(f"95th percentile {late:.1f} ms ({verdict} 100 ms)\n")
    sys.stdout.write(f"CPU time of an edit, server and client: {1_000 * cpu:.1f} ms; ")
    sys.stdout.write(f"answer: {np.median(sizes) / 1_000:.1f} kB\n")
    sys.stdout.write(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")


if __name__ == "__main__":
    main()
