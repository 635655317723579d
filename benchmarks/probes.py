"""What is measured in a process of its own: imports, the first fit, and the most memory; prints one line of JSON."""

import argparse
import json
import re
import resource
import sys
import time
from pathlib import Path

MIB = 2**20


def peak_mib() -> float:
    """Return the most memory that this process has held so far.

    Linux lets a process inherit the peak of the one that started it, except in /proc; macOS counts in bytes, not KiB.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        return float(re.findall(r"VmHWM:\s*(\d+) kB", status.read_text())[0]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak / MIB if sys.platform == "darwin" else peak / 1024)


def probe_import() -> dict[str, object]:
    """Time `import evoter`, and tell whether numba came with it."""
    begin = time.perf_counter()
    import evoter  # noqa: F401

    return {"seconds": time.perf_counter() - begin, "numba": "numba" in sys.modules}


def probe_fit() -> dict[str, object]:
    """Fit iris with the default classifier."""
    begin = time.perf_counter()
    from sklearn.datasets import load_iris

    from evoter.estimators.classifier import EvoterClassifier

    imported = time.perf_counter()
    X, y = load_iris(return_X_y=True)
    model = EvoterClassifier(random_state=0).fit(X, y)
    fitted = time.perf_counter()
    return {"import": imported - begin, "fit": fitted - imported, "score": float(model.score(X, y))}


def probe_memory(
    columns_file: Path, classes_file: Path, preset: str, population: int, generations: int
) -> dict[str, object]:
    """Evolve on a stored table; tell the peak before the table was read and at the end."""
    probe_fit()
    import numpy as np

    from evoter.evolution.engine import Evolution
    from evoter.evolution.settings import PRESETS
    from evoter.problems.classification.problem import ClassificationProblem
    from evoter.problems.mask_cache import MASK_BUDGET
    from evoter.rules.schema import Feature, Schema

    before = peak_mib()
    columns = np.load(columns_file)
    features = [Feature(f"x{k}", low=float(c.min()), high=float(c.max()), scaled=True) for k, c in enumerate(columns)]
    classes = np.load(classes_file)
    schema = Schema(features, [f"class {c}" for c in range(classes.max() + 1)])
    settings = PRESETS[preset].replace(population_size=population)
    evolution = Evolution(ClassificationProblem(schema, columns, classes), settings)
    for _ in range(generations):
        evolution.step()
    return {"before": before, "peak": peak_mib(), "data": columns.nbytes / MIB, "budget": MASK_BUDGET / MIB}


def main() -> None:
    """Run one probe."""
    parser = argparse.ArgumentParser(description=__doc__)
    probes = parser.add_subparsers(dest="probe", required=True)
    probes.add_parser("import")
    probes.add_parser("fit")
    memory = probes.add_parser("memory")
    memory.add_argument("columns", type=Path)
    memory.add_argument("classes", type=Path)
    memory.add_argument("--preset", default="default")
    memory.add_argument("--population", type=int, default=1_000)
    memory.add_argument("--generations", type=int, default=30)
    arguments = parser.parse_args()
    if arguments.probe == "import":
        result = probe_import()
    elif arguments.probe == "fit":
        result = probe_fit()
    else:
        result = probe_memory(
            arguments.columns, arguments.classes, arguments.preset, arguments.population, arguments.generations
        )
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
