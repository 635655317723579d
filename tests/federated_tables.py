"""Tables for federated runs: numbers, categories, truth values and missing ones, dealt to sites in any way."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from evoter.federated import InProcess, Site
from evoter.federated.coordinator import Coordinator
from evoter.federated.grids import sketch_cuts
from evoter.federated.problem import FederatedProblem
from evoter.federated.summaries import agree_on_schema
from evoter.genome.codec import encode
from evoter.kernels.layout import Ints
from evoter.rules.model import RuleSet


def make_table(n_rows: int = 240, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a table whose classes depend on age, town and a test, with some chance."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n_rows),
            "dose": np.where(rng.random(n_rows) < 0.1, np.nan, rng.lognormal(1.0, 1.0, n_rows).round(3)),
            "town": rng.choice(["Aachen", "Bonn", "Celle", "Dessau", "Essen"], n_rows),
            "smoker": rng.random(n_rows) < 0.4,
        }
    )
    risky = (table["age"] > 60) & table["town"].isin(["Bonn", "Essen"]) | (table["dose"] > 5.0)
    return table, np.where(risky ^ (rng.random(n_rows) < 0.05), "sick", "well")


def deal(table: pd.DataFrame, labels: np.ndarray, owners: Ints, **parameters: Any) -> list[Site]:
    """Return a site for each owner that has rows; `parameters` are those of all sites."""
    return [
        Site(table[owners == k], labels[owners == k], name=f"site {k}", **{"min_cell_count": 1, **parameters})
        for k in np.unique(owners).tolist()
    ]


def make_problem(sites: Sequence[Site], metric: str = "accuracy", n_cuts: int = 16) -> FederatedProblem:
    """Return the task of sites that have agreed on a schema and a grid."""
    coordinator = Coordinator(InProcess(list(sites)), retry_seconds=0.0)
    schema = agree_on_schema(coordinator.summaries)
    coordinator.agree(schema)
    problem = FederatedProblem(coordinator, schema, sketch_cuts(schema, coordinator.sketch, n_cuts=n_cuts), metric)
    problem.tables(encode([RuleSet((), schema.actions[0], schema)], schema))
    return problem


class Unreliable:
    """A transport that loses some answers: `lost` has, for each request for counts, the sites that do not answer it."""

    def __init__(self, sites: Sequence[Site], lost: Sequence[Sequence[str]]) -> None:
        self.sites = {site.name: site for site in sites}
        self.lost: list[Sequence[str]] = list(lost)
        self.requests: list[bytes] = []
        self.answers: list[dict[str, bytes]] = []

    def addresses(self) -> list[str]:
        """Return the names of all sites."""
        return list(self.sites)

    def ask(self, request: bytes, addresses: Sequence[str]) -> dict[str, bytes]:
        """Ask sites; those that are lost answer, but nobody hears it."""
        counts = b'"describe"' not in request[:200]
        gone = self.lost.pop(0) if counts and self.lost else ()
        self.requests.append(request)
        answers = {name: self.sites[name].answer(request) for name in addresses}
        self.answers.append(answers)
        return {name: answer for name, answer in answers.items() if name not in gone}
