"""What the paper reports and how it is reproduced: each experiment as declared in a small TOML file."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Literal, get_args

from evoter.experiments.runners import RUNNERS

Effort = Literal["quick", "full"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)

PICTURES = ("alarms", "boundaries", "curves", "trade-off")
"""The kinds of pictures that an experiment may ask for."""


class ExperimentError(ValueError):
    """An experiment is declared or requested in an invalid way; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is run: the number of runs, their approximate seconds on two cores, and additional settings."""

    runs: int
    seconds: float
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """What the paper reports about a model, by measure; `not_comparable` says why comparing a measure would mislead."""

    model: str
    values: Mapping[str, float]
    not_comparable: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment of the paper.

    `models` and `variants` are titles by name; a variant is a protocol, a test or a task, and has settings of its own.
    The first model is the subject of the experiment. `companions` names, for some models, another one that is the same
    with the preset "paper": tables show its figures in columns beside those of the model. `uses` names the experiments
    whose runs this one shows.
    """

    name: str
    title: str
    where: str
    about: str
    runner: str
    models: Mapping[str, str]
    companions: Mapping[str, str]
    variants: Mapping[str, str]
    measures: tuple[str, ...]
    settings: Mapping[str, Any]
    variant_settings: Mapping[str, Mapping[str, Any]]
    extents: Mapping[Effort, Extent]
    paper: tuple[PaperFigures, ...]
    differences: tuple[str, ...]
    uses: tuple[str, ...]
    picture: str

    def base_of(self, model: str) -> str:
        """Return the model that a model is a companion of, or else itself."""
        return next((base for base, companion in self.companions.items() if companion == model), model)

    def settings_of(self, variant: str, effort: Effort) -> dict[str, Any]:
        """Return all settings of a run: those of the extent override those of the variant, which override the rest."""
        merged: dict[str, Any] = {}
        for settings in (self.settings, self.variant_settings.get(variant, {}), self.extents[effort].settings):
            for key, value in settings.items():
                nested = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
                merged[key] = {**merged[key], **value} if nested else value
        return merged


@cache
def catalogue() -> Mapping[str, Experiment]:
    """Return the experiments of the paper by name, in the paper's order.

    >>> list(catalogue())[:3]
    ['iris', 'breast-cancer', 'activity-features']
    """
    folder = files("evoter.experiments") / "catalogue"
    read = [read_experiment(path) for path in folder.iterdir() if path.name.endswith(".toml")]
    ordered = sorted(read, key=lambda pair: pair[0])
    return MappingProxyType({experiment.name: experiment for _, experiment in ordered})


def read_experiment(path: Traversable) -> tuple[int, Experiment]:
    """Read one file, and its position in the order; missing, unknown or ill-typed keys are errors."""
    try:
        table = _Table(path.name, tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{path.name}: {error}") from None
    runner = table.text("runner", choices=tuple(RUNNERS))
    measures = tuple(table.texts("measures"))
    for measure in measures:
        if measure not in RUNNERS[runner].measures:
            raise table.error("measures", f"{measure!r} is not measured by {runner}: {list(RUNNERS[runner].measures)}")
    models, variants = table.titles("models"), table.titles("variants")
    experiment = Experiment(
        name=path.name.removesuffix(".toml"),
        title=table.text("title"),
        where=table.text("where"),
        about=table.text("about"),
        runner=runner,
        models=models,
        companions=_companions(table, models),
        variants=variants,
        measures=measures,
        settings=table.free("settings"),
        variant_settings={key: dict(value) for key, value in table.tables("variant_settings", known=tuple(variants))},
        extents={effort: _extent(table.table(effort)) for effort in EFFORTS},
        paper=tuple(_paper(each, tuple(models), measures) for each in table.list_of_tables("paper")),
        differences=tuple(table.texts("differences", default=())),
        uses=tuple(table.texts("uses", default=())),
        picture=table.text("picture", default="", choices=("", *PICTURES)),
    )
    order = int(table.number("order"))
    table.end()
    return order, experiment


def _companions(table: "_Table", models: Mapping[str, str]) -> dict[str, str]:
    found = table.table("companions", {})
    companions = {base: found.text(base, choices=tuple(models)) for base in found.unread(tuple(models))}
    found.end()
    return companions


def _extent(table: "_Table") -> Extent:
    extent = Extent(int(table.number("runs")), table.number("seconds"), table.free("settings"))
    if extent.runs < 0:
        raise table.error("runs", "must be 0 or more")
    table.end()
    return extent


def _paper(table: "_Table", models: tuple[str, ...], measures: tuple[str, ...]) -> PaperFigures:
    model = table.text("model", choices=models)
    reasons = table.table("not_comparable", default={})
    not_comparable = {key: reasons.text(key) for key in reasons.unread(known=measures)}
    values = {key: table.number(key) for key in table.unread(known=measures)}
    table.end()
    return PaperFigures(model, values, not_comparable)


class _Table:
    """A table of a TOML file, read key by key: keys that have not been read at the end are unknown."""

    def __init__(self, location: str, values: Mapping[str, Any]) -> None:
        self._location = location
        self._values = values
        self._read: set[str] = set()

    def error(self, key: str, what: str) -> ExperimentError:
        return ExperimentError(f"{self._location}: {key}: {what}")

    def _get(self, key: str, kind: type | tuple[type, ...], what: str, default: Any = None) -> Any:
        self._read.add(key)
        if key not in self._values:
            if default is None:
                raise self.error(key, "is missing")
            return default
        value = self._values[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(key, f"must be {what}, not {value!r}")
        return value

    def text(self, key: str, default: str | None = None, choices: tuple[str, ...] = ()) -> str:
        value = str(self._get(key, str, "text", default))
        if choices and value not in choices:
            raise self.error(key, f"{value!r} is none of {list(choices)}")
        return value

    def number(self, key: str) -> float:
        return float(self._get(key, (int, float), "a number"))

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> list[str]:
        values = self._get(key, (list, tuple), "a list of texts", default)
        if not all(isinstance(value, str) for value in values):
            raise self.error(key, "must be a list of texts")
        return list(values)

    def titles(self, key: str) -> dict[str, str]:
        table = self.table(key)
        titles = {name: table.text(name) for name in table.unread()}
        if not titles:
            raise self.error(key, "must not be empty")
        return titles

    def free(self, key: str) -> dict[str, Any]:
        return dict(self._get(key, Mapping, "a table", {}))

    def table(self, key: str, default: Mapping[str, Any] | None = None) -> "_Table":
        return _Table(f"{self._location}: {key}", self._get(key, Mapping, "a table", default))

    def tables(self, key: str, known: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        inner = self.table(key, {})
        for name in inner.unread(known):
            yield name, inner.free(name)

    def list_of_tables(self, key: str) -> list["_Table"]:
        values = self._get(key, list, "a list of tables", [])
        return [_Table(f"{self._location}: {key}[{number}]", value) for number, value in enumerate(values)]

    def unread(self, known: tuple[str, ...] = ()) -> list[str]:
        """Return the keys that have not been read, all of which must be in `known`, if it is given."""
        keys = [key for key in self._values if key not in self._read]
        for key in keys:
            if known and key not in known:
                raise self.error(key, f"is unknown; known here: {list(known)}")
        return keys

    def end(self) -> None:
        for key in self._values:
            if key not in self._read:
                raise self.error(key, "is unknown")
