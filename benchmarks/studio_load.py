"""Measure the studio's server under 30 seconds of 200 requests a second: errors, answer times, and memory.

The server runs in a process of its own, on a table of 2,000 patients; the client asks for what pages ask for, with an
edit that is saved among every 20 requests. `--seconds` and `--rate` change the load.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import httpx

N_CLIENTS = 16
GETS = ("/api/project", "/api/rules", "/api/versions", "/api/table", "/api/guardrails", "/api/signoff")


@dataclass
class Load:
    """What happened: errors as text, and how long each answer took, in seconds."""

    errors: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def n_answered(self) -> int:
        """The number of answers without an error."""
        return len(self.seconds)

    def quantile(self, share: float) -> float:
        """Return the time within which a share of the answers came."""
        return sorted(self.seconds)[min(int(share * len(self.seconds)), len(self.seconds) - 1)]


def ask_steadily(url: str, *, rate: int, seconds: float) -> Load:
    """Ask a server so many times a second, whether it has answered the earlier requests or not."""
    base, _, token = url.partition("/#token=")
    limits = httpx.Limits(max_connections=N_CLIENTS, max_keepalive_connections=N_CLIENTS)
    headers = {"X-Evoter-Token": token}
    load, lock, numbers = Load(), threading.Lock(), count()
    with httpx.Client(base_url=base, headers=headers, timeout=30, limits=limits) as client:
        client.get("/api/project").raise_for_status()

        def ask(number: int) -> None:
            began = time.perf_counter()
            try:
                answer = _edit(client, next(numbers)) if number % 20 == 19 else client.get(GETS[number % len(GETS)])
                problem = "" if answer.status_code in (200, 201, 409) else f"{answer.url} {answer.status_code}"
            except httpx.HTTPError as error:
                problem = f"{type(error).__name__}: {error}"
            with lock:
                if problem:
                    load.errors.append(problem)
                else:
                    load.seconds.append(time.perf_counter() - began)

        began = time.perf_counter()
        with ThreadPoolExecutor(N_CLIENTS) as pool:
            for number in range(int(rate * seconds)):
                time.sleep(max(0.0, began + number / rate - time.perf_counter()))
                pool.submit(ask, number)
    return load


def _edit(client: httpx.Client, number: int) -> httpx.Response:
    """Save an edit of the current version; 409 means that another request was faster, as it should."""
    head = client.get("/api/versions").json()["head"]
    edit = {"operation": "replace", "arguments": [1, f"age > {50 + number % 40} -> high"]}
    if number % 2:
        return client.post("/api/effect", json={"base": head, "edits": [edit]})
    edit["arguments"] = [1, f"age > {50 + number / 1000} -> high"]
    return client.post("/api/versions", json={"base": head, "edits": [edit], "reason": f"number {number}"})


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, int]]:
    """Run a studio in a process of its own; give its address and process."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(0)
    age = rng.integers(20, 90, 2_000)
    frame = pl.DataFrame({"age": age, "sex": rng.choice(["f", "m"], 2_000), "sugar": rng.normal(6, 1, 2_000)})
    frame.with_columns(risk=pl.Series(np.where(age > 60, "high", "low"))).write_csv(folder / "patients.csv")
    (folder / "rules.txt").write_text("age > 65 -> high; Default -> low\n", encoding="utf-8")
    command = ["studio", "rules.txt", "patients.csv", "--target", "risk", "--protected", "sex"]
    command = [sys.executable, "-m", "evoter", *command, "--port", "0", "--no-browser", "--json", "--quiet"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            lines = ""
            while not lines.endswith("}\n"):
                lines += process.stdout.readline()
            yield json.loads(lines)["url"], process.pid
        finally:
            process.terminate()


def _memory(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rate", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as (url, pid):
        ask_steadily(url, rate=options.rate, seconds=3.0)  # everything has been loaded once
        before = _memory(pid)
        third = options.seconds / 3
        sys.stdout.write(f"memory after 3 s: {before:.0f} MB\n")
        total = Load()
        for part in range(3):
            load = ask_steadily(url, rate=options.rate, seconds=third)
            total.errors += load.errors
            total.seconds += load.seconds
            sys.stdout.write(f"memory after {third * (part + 1):.0f} s more: {_memory(pid):.0f} MB\n")
        sys.stdout.write(f"{total.n_answered:,} answers and {len(total.errors)} errors {' '.join(total.errors[:3])}\n")
        median, most = 1000 * total.quantile(0.5), 1000 * total.quantile(0.95)
        sys.stdout.write(f"answered within {median:.0f} ms (median), {most:.0f} ms (95 %)\n")


if __name__ == "__main__":
    main()
