"""Checkpoints: the state of a run in one file, written atomically, versioned, and free of pickles."""

import io
import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.evolution.history import COLUMNS, History, Record
from evoter.evolution.problem import Evaluation
from evoter.evolution.settings import RENAMED
from evoter.kernels.layout import Antecedents, Floats, Population

VERSION = 2
"""Raised whenever the file, or the way a run continues from it, changes."""

_COUNTS = ("seed", "generation", "evaluations", "stagnant", "stage")


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
        **{f"antecedents.{name}": array for name, array in population.antecedents._asdict().items()},
        **{f"population.{name}": array for name, array in population._asdict().items() if name != "antecedents"},
        **{f"evaluation.{name}": array for name, array in checkpoint.evaluation._asdict().items()},
        **{f"history.{name}": column for name, column in checkpoint.history.items()},
    }
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("wb") as file:
        file.write(buffer.getvalue())
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


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
        facts["settings"] = {RENAMED.get(name, name): value for name, value in facts["settings"].items()}
        columns = [arrays[f"history.{name}"].tolist() for name in COLUMNS]
        history = History(Record(*values) for values in zip(*columns, strict=True))
        antecedents = Antecedents(*(arrays[f"antecedents.{name}"] for name in Antecedents._fields))
        rest = (arrays[f"population.{name}"] for name in Population._fields if name != "antecedents")
        population = Population(antecedents, *rest)
        evaluation = Evaluation(*(arrays[f"evaluation.{name}"] for name in Evaluation._fields))
        reference = arrays["reference"]
    checkpoint = Checkpoint(**facts, reference=reference, population=population, evaluation=evaluation, history=history)
    numbers = [getattr(checkpoint, name) for name in _COUNTS]
    if not all(type(number) is int and number >= 0 for number in numbers) or type(checkpoint.seconds) is not float:
        raise ValueError("its counts are no counts")
    if [record.generation for record in history.records] != list(range(checkpoint.generation + 1)):
        raise ValueError("its history does not belong to its generation")
    return checkpoint
