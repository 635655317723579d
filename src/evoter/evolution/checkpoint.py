"""Checkpoints: the state of a run in one file, written atomically, versioned, and free of pickles."""

import io
import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evoter.evolution.history import COLUMNS, History
from evoter.evolution.problem import Evaluation
from evoter.kernels.layout import Antecedents, Population

VERSION = 1


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
    population: Population
    evaluation: Evaluation
    history: History

    def check(self, settings: dict[str, object], fingerprint: str, seed: int) -> None:
        """Refuse to go on under other settings, on other data or with another seed: the result would be neither."""
        mine = json.loads(json.dumps(self.settings))
        theirs = json.loads(json.dumps(settings))
        if mine != theirs:
            names = [name for name in sorted({*mine, *theirs}) if mine.get(name) != theirs.get(name)]
            differences = ", ".join(f"{name} {mine.get(name)!r} (now {theirs.get(name)!r})" for name in names)
            raise CheckpointError(f"the checkpoint was written with other settings: {differences}")
        if self.fingerprint != fingerprint:
            raise CheckpointError("the checkpoint was written for other data or another objective; use another file")
        if self.seed != seed:
            raise CheckpointError(f"the checkpoint was written with seed {self.seed}, this run has seed {seed}")


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
    }
    population = checkpoint.population
    arrays = {
        "facts": np.frombuffer(json.dumps(facts).encode(), np.uint8),
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
    """Read a checkpoint; anything that is not one is an error that says so."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            facts = json.loads(arrays["facts"].tobytes())
            if facts.pop("version") != VERSION:
                raise CheckpointError(f"{path}: written by another version of evoter; delete it to start anew")
            antecedents = Antecedents(*(arrays[f"antecedents.{name}"] for name in Antecedents._fields))
            names = [name for name in Population._fields if name != "antecedents"]
            return Checkpoint(
                **facts,
                population=Population(antecedents, *(arrays[f"population.{name}"] for name in names)),
                evaluation=Evaluation(*(arrays[f"evaluation.{name}"] for name in Evaluation._fields)),
                history=History({name: arrays[f"history.{name}"] for name in COLUMNS}),
            )
    except (OSError, KeyError, TypeError, zipfile.BadZipFile, EOFError) as error:
        raise CheckpointError(f"{path}: not a checkpoint of evoter ({error}); delete it to start anew") from error
    except ValueError as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{path}: not a checkpoint of evoter ({error}); delete it to start anew") from error
