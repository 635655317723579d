"""Checkpoints: the state of a run in one file, written atomically, versioned, and free of pickles."""

import io
import json
import time
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.evolution.history import COLUMNS, History, Record
from evoter.evolution.problem import Evaluation
from evoter.evolution.settings import RENAMED
from evoter.kernels.layout import Antecedents, Floats, Ints, Population
from evoter.rules.files.writing import FileInUseError, locked, write_file

VERSION = 3
"""Raised whenever the file, or the way a run continues from it, changes."""

ISLAND_COUNTS = ("generation", "evaluations", "stagnant", "stage")
"""What is counted on each island by itself."""

_COUNTS = ("seed", *ISLAND_COUNTS)

_ADDED = {"n_islands": 1, "migration_interval": 5, "n_migrants": 5}
"""Settings that older files do not have, and what they were then."""


class CheckpointError(ValueError):
    """A checkpoint cannot be read, or belongs to another run."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a run after a generation."""

    settings: dict[str, object]
    fingerprint: str
    seed: int
    generation: int
    seconds: float
    evaluations: int
    stagnant: int
    stage: int
    reference: Floats
    population: Population
    evaluation: Evaluation
    history: History
    islands: Ints = field(default_factory=lambda: np.empty((0, len(ISLAND_COUNTS)), np.int64))
    """A line for each island, if there are several, with `ISLAND_COUNTS`; the population has all of them."""

    def check(self, settings: dict[str, object], fingerprint: str, seed: int) -> None:
        """Refuse to continue with other settings, other data or another seed: the result would be that of no run."""
        remedy = "continue with the same ones, or use another file"
        # The data first: some settings follow from them.
        if self.fingerprint != fingerprint:
            raise CheckpointError(
                f"the checkpoint was written for other data, another objective or another start; {remedy}"
            )
        mine = json.loads(json.dumps(self.settings))
        theirs = json.loads(json.dumps(settings))
        if mine != theirs:
            names = [name for name in sorted({*mine, *theirs}) if mine.get(name) != theirs.get(name)]
            differences = ", ".join(f"{name} {mine.get(name)!r} (now {theirs.get(name)!r})" for name in names)
            raise CheckpointError(f"the checkpoint was written with other settings: {differences}; {remedy}")
        if self.seed != seed:
            raise CheckpointError(f"the checkpoint was written with seed {self.seed}, this run has {seed}; {remedy}")


def check_writable(path: Path) -> None:
    """Refuse a path where no checkpoint can be written, before the run instead of after its first minutes."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise CheckpointError(f"{path}: there is no folder {folder} for the checkpoint; create it first")


def save_checkpoint(checkpoint: Checkpoint, path: Path) -> None:
    """Write a checkpoint; at any moment the file is either the old one or the new one, whole."""
    facts = {
        "version": VERSION,
        "settings": checkpoint.settings,
        "fingerprint": checkpoint.fingerprint,
        "seed": checkpoint.seed,
        "generation": checkpoint.generation,
        "seconds": checkpoint.seconds,
        "evaluations": checkpoint.evaluations,
        "stagnant": checkpoint.stagnant,
        "stage": checkpoint.stage,
    }
    population = checkpoint.population
    arrays: dict[str, NDArray[Any]] = {
        "facts": np.frombuffer(json.dumps(facts).encode(), np.uint8),
        "reference": checkpoint.reference,
        "islands": checkpoint.islands,
        **{f"antecedents.{name}": array for name, array in population.antecedents._asdict().items()},
        **{f"population.{name}": array for name, array in population._asdict().items() if name != "antecedents"},
        **{f"evaluation.{name}": array for name, array in checkpoint.evaluation._asdict().items()},
        **{f"history.{name}": column for name, column in checkpoint.history.items()},
    }
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    write_file(path, buffer.getvalue())


class CheckpointWriter:
    """Writes the checkpoints of a run, and keeps other runs from writing to the same file meanwhile.

    A checkpoint that cannot be written, because the disk is full or has gone, does not end the run: there is one
    warning, and writing is tried again later.
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self.path = path
        self._seconds = seconds
        self._saved = time.monotonic()
        self._warned = False

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """Reserve the file for this run; a file that another run uses is an error that names its process."""
        check_writable(self.path)
        with ExitStack() as stack:
            try:
                stack.enter_context(locked(self.path))
            except FileInUseError as error:
                raise CheckpointError(str(error)) from None
            except OSError as error:
                self._warn(error)
            yield

    @property
    def is_due(self) -> bool:
        """Whether the last checkpoint was written, or tried, long enough ago."""
        return time.monotonic() - self._saved >= self._seconds

    def save(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint, or warn that it could not be written."""
        try:
            save_checkpoint(checkpoint, self.path)
            self._warned = False
        except OSError as error:
            self._warn(error)
        self._saved = time.monotonic()

    def _warn(self, error: OSError) -> None:
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"{self.path}: the checkpoint could not be written ({error.strerror or error}); the run continues, "
                "and writing is tried again",
                RuntimeWarning,
                stacklevel=4,
            )


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint; anything that is not one is an error that says so.

    What the numbers mean is checked by `evoter.evolution.validity` before a run continues from them.
    """
    try:
        return _read(path)
    except CheckpointError:
        raise
    except OSError as error:
        raise CheckpointError(f"{path}: the checkpoint cannot be read ({error}); use another file") from error
    except Exception as error:  # a damaged or hostile file fails in more ways than can be listed
        reason = f"{type(error).__name__}: {error}"
        raise CheckpointError(f"{path}: not a checkpoint of evoter ({reason}); delete it to start again") from error


def _read(path: Path) -> Checkpoint:
    with zipfile.ZipFile(path) as archive:
        if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
            raise ValueError("its parts are compressed")
    with np.load(path, allow_pickle=False) as arrays:
        facts = json.loads(arrays["facts"].tobytes())
        version = facts.pop("version")
        if version != VERSION:
            raise CheckpointError(
                f"{path}: the checkpoint has version {version!r}, this evoter reads {VERSION}; continue with the "
                f"evoter that wrote it, or delete it to start again"
            )
        facts["settings"] = _ADDED | {RENAMED.get(name, name): value for name, value in facts["settings"].items()}
        columns = [arrays[f"history.{name}"].tolist() for name in COLUMNS]
        history = History(Record(*values) for values in zip(*columns, strict=True))
        antecedents = Antecedents(*(arrays[f"antecedents.{name}"] for name in Antecedents._fields))
        rest = (arrays[f"population.{name}"] for name in Population._fields if name != "antecedents")
        population = Population(antecedents, *rest)
        evaluation = Evaluation(*(arrays[f"evaluation.{name}"] for name in Evaluation._fields))
        reference = arrays["reference"]
        islands = arrays["islands"] if "islands" in arrays else np.empty((0, len(ISLAND_COUNTS)), np.int64)
    checkpoint = Checkpoint(
        **facts,
        reference=reference,
        population=population,
        evaluation=evaluation,
        history=history,
        islands=islands,
    )
    if islands.dtype != np.int64 or islands.shape[1:] != (len(ISLAND_COUNTS),) or (islands < 0).any():
        raise ValueError("its counts of islands are not whole numbers")
    numbers = [getattr(checkpoint, name) for name in _COUNTS]
    if not all(type(number) is int and number >= 0 for number in numbers) or type(checkpoint.seconds) is not float:
        raise ValueError("its counts are not whole numbers")
    if type(checkpoint.settings) is not dict or type(checkpoint.fingerprint) is not str:
        raise ValueError("its settings or its fingerprint are of the wrong type")
    generations = [record.generation for record in history.records]
    if len(generations) != checkpoint.generation + 1 or generations != list(range(len(generations))):
        raise ValueError("its history does not belong to its generation")
    return checkpoint
