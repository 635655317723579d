"""The coordinator: it waits for the sites, evolves rules from their counts, and writes them to a file."""

import time
from pathlib import Path

from flwr.app import Context
from flwr.serverapp import Grid, ServerApp

from evoter.evolution.engine import Evolution
from evoter.federated import FederatedClassifier
from federated_app.transport import FlowerTransport

app = ServerApp()


@app.main()  # type: ignore[untyped-decorator]
def main(grid: Grid, context: Context) -> None:
    """Fit rules with all sites."""
    config = context.run_config
    transport = FlowerTransport(grid, float(config["answer-seconds"]))
    while len(transport.addresses()) < int(config["n-sites"]):
        time.sleep(1.0)

    def report(evolution: Evolution, progress: float) -> None:
        print(f"generation {evolution.generation}: {evolution.history.last.best:.4f}", flush=True)

    model = FederatedClassifier(
        generations=int(config["generations"]),
        population_size=int(config["population-size"]),
        settings={"refinement_moves": int(config["refinement-moves"])},
        min_sites=int(config["min-sites"]) or None,
        retry_seconds=600.0,
        random_state=0,
        watchers=[report],
    )
    model.fit(transport)
    print(model.ruleset_, flush=True)
    print(f"{model.n_rounds_} rounds with {', '.join(model.sites_)}", flush=True)
    if config["output"]:
        Path(str(config["output"])).write_text(f"{model.ruleset_}\n", "utf-8")
