"""A small studio for tests: a table with something doubtful in it, rules, a project, and a server that answers."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import polars as pl

from evoter import RuleSet, parse
from evoter.studio.project import Project, Setup
from evoter.studio.running.address import bind
from evoter.studio.running.serving import Studio
from evoter.studio.session.session import Session
from evoter.studio.table.columns import StudioTable

N_ROWS = 400
TARGET = "risk"


def patients(n_rows: int = N_ROWS) -> tuple[pl.DataFrame, list[str]]:
    """Return patients with an identifier each, and their risk, which depends on age, pressure and smoking."""
    rng = np.random.default_rng(7)
    age, pressure = rng.integers(20, 90, n_rows), rng.normal(130, 15, n_rows).round(1)
    smoker, sex = rng.choice(["yes", "no"], n_rows), rng.choice(["f", "m"], n_rows)
    sugar = [None if missing else value for missing, value in zip(rng.random(n_rows) < 0.1, age / 10.0, strict=True)]
    high = (age + pressure / 3 + 12 * (smoker == "yes") + rng.normal(0, 8, n_rows)) > 105
    columns = {
        "patient": [f"P{number:04}" for number in range(n_rows)],
        "age": age,
        "pressure": pressure,
        "smoker": smoker,
        "sex": sex,
        "sugar": sugar,
        "ward": rng.integers(1, 4, n_rows),
    }
    return pl.DataFrame(columns), np.where(high, "high", "low").tolist()


def rules() -> RuleSet:
    """Return rules for patients."""
    return parse("age > 70 -> high; pressure > 150 AND smoker = yes -> high; Default -> low")


def table(ruleset: RuleSet | None = None) -> StudioTable:
    """Return the table of patients as the studio takes it."""
    frame, labels = patients()
    return StudioTable.from_frame(frame, labels, target=TARGET, name="patients.csv", ruleset=ruleset)


@contextmanager
def open_session(
    folder: Path, ruleset: RuleSet | None = None, *, protected: tuple[str, ...] = ("sex",)
) -> Iterator[Session]:
    """Open a new project about patients."""
    with Project.create(folder / "patients.evoter", Setup(TARGET, "patients.csv", protected), ruleset) as project:
        session = Session(table(ruleset), project, author="Ada")
        try:
            yield session
        finally:
            session.close()


@contextmanager
def serve(session: Session, **settings: Any) -> Iterator[httpx.Client]:
    """Serve a session on a free port; yield a client with the token."""
    with Studio(session, bind(port=0), **settings).start() as studio:
        address, _, token = studio.url.partition("/#token=")
        with httpx.Client(base_url=address, headers={"X-Evoter-Token": token}, timeout=60) as client:
            yield client


def edit(operation: str, *arguments: Any) -> dict[str, Any]:
    """Return an edit as a page sends it."""
    return {"operation": operation, "arguments": list(arguments)}


@contextmanager
def connected(client: httpx.Client) -> Iterator[socket.socket]:
    """Open a connection to the server, to speak whatever one likes."""
    with socket.create_connection((client.base_url.host, client.base_url.port or 80), timeout=30) as connection:
        yield connection


def hung_up(connection: socket.socket, seconds: float) -> bytes:
    """Return what a server sends before it hangs up, which it must within some seconds."""
    connection.settimeout(seconds)
    parts = []
    try:
        while part := connection.recv(65_536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)
