"""Starts a Flower network, three sites as processes and a run on this machine; one site leaves and returns.

python try_it.py

It needs the packages of requirements.txt. The rules of the run are compared with those of one site that has all rows.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sklearn.datasets import load_breast_cancer

from evoter.federated import FederatedClassifier, Site

APP = Path(__file__).parent
NAMES = ("north", "south", "west")
RUN = {"generations": 3, "population-size": 60, "refinement-moves": 2}
AWAY = 10.0
"""How many seconds the site is away."""


@contextmanager
def running(command: Sequence[str | Path], folder: Path, log: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a command beside this process, and end it with everything that it has started."""
    environment = {
        **os.environ,
        "FLWR_HOME": str(folder / "flower"),
        "FLWR_TELEMETRY_ENABLED": "0",
        "FLWR_SUPEREXEC_TASK_POLL_INTERVAL": "0.1",  # a second otherwise, for every message
        "PYTHONPATH": os.pathsep.join([str(APP), os.environ.get("PYTHONPATH", "")]),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    with (folder / log).open("ab") as file:
        process = subprocess.Popen(
            [str(part) for part in command], env=environment, stdout=file, stderr=file, start_new_session=True
        )
        try:
            yield process
        finally:
            end(process)


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process and those that it has started."""
    if process.poll() is None:
        os.killpg(process.pid, 15)
        try:
            process.wait(60)  # Flower's processes end those that they have started, which takes a while
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()


def serve(name: str, folder: Path) -> list[str | Path]:
    """Return the command for the process that has the rows of a site."""
    table, socket = folder / f"{name}.csv", folder / f"{name}.sock"
    options: list[str | Path] = ["--target", "malignant", "--name", name, "--socket", socket, "--min-cell-count", "1"]
    return [sys.executable, APP / "serve_site.py", table, *options]


def wait_for(path: Path, text: str, seconds: float) -> None:
    """Wait until a log has a text."""
    deadline = time.monotonic() + seconds
    while text not in (path.read_text("utf-8", "replace") if path.exists() else ""):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{text!r} is not in {path} after {seconds:g} seconds")
        time.sleep(0.5)


def main() -> None:
    """Run it all, and say whether the rules are the same."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=18_400, help="this port and the next three are used")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long to wait for anything")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # so that everything that was started ends, too
    found = load_breast_cancer(as_frame=True)
    table = found.data.assign(malignant=found.target == 0)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        (folder / "flower").mkdir()
        link = f"127.0.0.1:{options.port}"
        configuration = f'[superlink]\ndefault = "here"\n\n[superlink.here]\naddress = "{link}"\ninsecure = true\n'
        (folder / "flower" / "config.toml").write_text(configuration, "utf-8")
        superlink = ["flower-superlink", "--insecure", "--port", str(options.port)]
        stack.enter_context(running([*superlink, "--disable-runtime-dependency-installation"], folder, "superlink.log"))
        sites = {}
        for number, site in enumerate(NAMES):
            table.iloc[number :: len(NAMES)].to_csv(folder / f"{site}.csv", index=False)
            sites[site] = stack.enter_context(running(serve(site, folder), folder, f"{site}.log"))
            node = ["--port", str(options.port + 1 + number), "--node-config", f'socket="{folder / site}.sock"']
            supernode = ["flower-supernode", "--insecure", "--superlink", link, *node]
            stack.enter_context(running(supernode, folder, f"{site}-node.log"))
        for site in NAMES:
            wait_for(folder / f"{site}.log", "serves", options.seconds)
            wait_for(folder / f"{site}-node.log", "SuperNode ID", options.seconds)
        output = folder / "rules.txt"
        config = " ".join([*(f"{key}={value}" for key, value in RUN.items()), f'output="{output}"'])
        run: list[str | Path] = ["flwr", "run", APP, "here", "--stream", "--run-config", config]
        log = folder / "run.log"
        begin = time.monotonic()
        stack.enter_context(running(run, folder, log.name))
        wait_for(log, "generation 0", options.seconds)
        end(sites["west"])
        print(f"west has left after {time.monotonic() - begin:.0f} seconds", flush=True)
        time.sleep(AWAY)
        stack.enter_context(running(serve("west", folder), folder, "west.log"))
        print(f"west is back after {time.monotonic() - begin:.0f} seconds", flush=True)
        wait_for(log, "rounds with", options.seconds)
        print(f"the run ended after {time.monotonic() - begin:.0f} seconds", flush=True)
        rules = output.read_text("utf-8")
        print(rules)
    whole = Site(table.drop(columns="malignant"), table["malignant"], name="all", min_cell_count=1)
    model = FederatedClassifier(
        generations=RUN["generations"],
        population_size=RUN["population-size"],
        settings={"refinement_moves": RUN["refinement-moves"]},
        random_state=0,
    ).fit([whole])
    same = rules == f"{model.ruleset_}\n"
    print("the rules are those of one site with all rows" if same else "THE RULES DIFFER FROM THOSE OF ONE SITE")
    raise SystemExit(0 if same else 1)


if __name__ == "__main__":
    main()
