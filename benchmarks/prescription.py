"""Prescription on real data: rule sets beside evolved networks, both against the same predictor."""

import argparse
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.stats import t as student
from scipy.stats import ttest_rel
from sklearn.metrics import accuracy_score, matthews_corrcoef
from sklearn.model_selection import GroupShuffleSplit, StratifiedKFold, cross_val_predict, train_test_split

from evoter import EvoterPrescriptor
from evoter.evolution.engine import Evolution
from evoter.evolution.nsga2 import as_costs
from evoter.evolution.vectors import VectorEvolution, VectorResult
from evoter.kernels.hypervolume import hypervolume
from evoter.kernels.layout import Floats
from evoter.problems.network import NetworkInputs, NetworkPrescription
from evoter.tables import encode
from prescription_data import INTERVENTIONS, SCORES, Stays, diabetes, forest, heart_failure, network

N_GENERATIONS = 100
HALFWAY = 40
SHOWN = (0, 5, 10, 20, 40, 70, 100)
"""Generations whose best scores are shown."""

SUPPORTED = 500
"""Stays with a medication from which on the data are taken to say something about it."""

QUICK_REFINEMENT = {"refinement_rows": 2_000, "refinement_moves": 500}
"""For tables of many rows and actions, where the scores of neighbouring rows are alike."""


def band(values: Sequence[float] | Floats) -> str:
    """Print a mean and the half width of its 95 % confidence interval."""
    array = np.asarray(values)
    if len(array) < 2:
        return f"{array.mean():.4f}"
    half = student.ppf(0.975, len(array) - 1) * array.std(ddof=1) / np.sqrt(len(array))
    return f"{array.mean():.4f} ± {half:.4f}"


class Black(NamedTuple):
    """An evolved network: its result, the best score and the hypervolume after every generation, and the seconds."""

    problem: NetworkPrescription
    inputs: NetworkInputs
    result: VectorResult
    best: Floats
    volumes: Floats
    seconds: float


def evolve_network(model: EvoterPrescriptor, table: Any, outcomes: Floats, seed: int, n: int, corner: Floats) -> Black:
    """Evolve networks of 16 hidden units on the same contexts and outcomes as a prescriptor."""
    begin = time.perf_counter()
    columns = encode(table, model.schema_)
    inputs = NetworkInputs.of(model.schema_, columns)
    task = NetworkPrescription(inputs.read(columns), outcomes, model.goals_)
    best: list[float] = []
    volumes: list[float] = []

    def watch(evolution: VectorEvolution) -> None:
        scores = evolution.scores[:, 0]
        best.append(float(scores.max() if model.goals_[0].maximise else scores.min()))
        volumes.append(evolution.hypervolume(corner) if len(corner) else np.nan)

    result = VectorEvolution(task, seed=seed).run(n, [watch])
    return Black(task, inputs, result, np.array(best), np.array(volumes), time.perf_counter() - begin)


def heart(console: Console, n_runs: int, n_generations: int) -> None:
    """Compare death rates: which of two interventions to choose, for patients whose two values a rule cannot read."""
    table, died = heart_failure()
    console.print(_predictor_line(table, died))
    figures: dict[str, list[Any]] = {}
    curves: dict[str, list[Floats]] = {"rules": [], "rules, paper preset": [], "network": []}
    sizes: list[tuple[float, ...]] = []
    last: dict[str, str] = {}
    for seed in range(n_runs):
        train, test = train_test_split(np.arange(len(died)), test_size=0.3, random_state=seed, stratify=died)
        mine, theirs = table.iloc[train], table.iloc[test]
        predictor = forest(seed).fit(mine, died[train])
        for name, preset in (("rules", "default"), ("rules, paper preset", "paper")):
            model = EvoterPrescriptor(
                predictor,
                objectives={"death": "minimise"},
                actions=INTERVENTIONS,
                preset=preset,
                population_size=100,
                generations=n_generations,
                patience=None,
                random_state=seed,
            )
            begin = time.perf_counter()
            model.fit(mine, outcomes={"death": died[train]})
            figures.setdefault(f"{name}: seconds", []).append(time.perf_counter() - begin)
            curves[name].append(model.history_["best"])
            report = model.evaluate(theirs, outcomes={"death": died[test]})["death"]
            _add(figures, name, model.value_["death"], report.predicted.value, report.judged.value)
            sizes.append(_sizes(model, preset, len(train)))
            last[preset] = _counted(model)
        outcomes = model.predicted_outcomes(mine)
        black = evolve_network(model, mine, outcomes, seed, n_generations, np.empty(0))
        curves["network"].append(black.best)
        actions = black.problem.decide(black.result.best, black.inputs.read(encode(theirs, model.schema_)))
        held_out = model.predicted_outcomes(theirs)[np.arange(len(theirs)), actions, 0].mean()
        _add(figures, "network", float(black.result.scores[0]), float(held_out), float("nan"))
        figures.setdefault("network: seconds", []).append(black.seconds)
        figures.setdefault("best possible", []).append(outcomes.min(axis=1).mean())
        means, others = outcomes.mean(axis=0)[:, 0], model.predicted_outcomes(theirs).mean(axis=0)[:, 0]
        _add(figures, "one intervention for all", means.min(), others[means.argmin()], float("nan"))
    _show(console, f"heart failure, {n_runs} runs: predicted death rate", figures)
    _show_curves(console, curves, n_generations)
    for name in ("rules", "rules, paper preset"):
        for what in ("training", "held out, own predictor"):
            a, b = figures[f"{name}: {what}"], figures[f"network: {what}"]
            p = ttest_rel(a, b).pvalue if n_runs > 1 else float("nan")
            console.print(f"{name} - network, {what}: {band(np.subtract(a, b))}, paired t-test p = {p:.3f}")
    for preset in ("default", "paper"):
        rows = np.array([each[1:] for each in sizes if each[0] == (preset == "paper")])
        evolved, kept, conditions, active = rows.mean(axis=0)
        console.print(
            f"preset {preset}: {evolved:.1f} rules evolved, {kept:.1f} after pruning and simplifying, "
            f"{conditions:.1f} conditions, {active:.2f} rules active per case"
        )
    console.print(f"historical death rate {died.mean():.4f}; the last run's rules, each with the cases it holds on:")
    for preset, rules in last.items():
        console.print(f"preset {preset}\n{rules}", highlight=False)


def folds(seed: int) -> StratifiedKFold:
    """Five folds with about the same share of deaths."""
    return StratifiedKFold(5, shuffle=True, random_state=seed)


def _predictor_line(table: Any, died: NDArray[np.int64]) -> str:
    scores = [
        matthews_corrcoef(died, cross_val_predict(forest(seed), table, died, cv=folds(seed))) for seed in range(3)
    ]
    return f"forest, five-fold: Matthews correlation {np.mean(scores):.3f} (the paper's predictor: .33)"


def _add(figures: dict[str, list[Any]], name: str, training: float, held_out: float, judged: float) -> None:
    figures.setdefault(f"{name}: training", []).append(training)
    figures.setdefault(f"{name}: held out, own predictor", []).append(held_out)
    if not np.isnan(judged):
        figures.setdefault(f"{name}: held out, second predictor", []).append(judged)


def _sizes(model: EvoterPrescriptor, preset: str, n_rows: int) -> tuple[float, ...]:
    kept = model.ruleset_
    active = float(model.times_applied_[:-1].sum()) / n_rows
    return (preset == "paper", len(model.evolved_ruleset_.rules), len(kept.rules), kept.n_conditions, active)


def _counted(model: EvoterPrescriptor) -> str:
    lines = model.ruleset_.to_text(declarations=False).splitlines()
    counts = model.times_applied_.tolist()
    return "\n".join(f"{count:>5}  {line}" for count, line in zip(counts, lines, strict=True))


def _show(console: Console, title: str, figures: dict[str, list[Any]]) -> None:
    shown = Table("", "mean ± 95 %", title=title)
    for name, values in figures.items():
        shown.add_row(name, band(values))
    console.print(shown)


def _show_curves(console: Console, curves: dict[str, list[Floats]], n_generations: int) -> None:
    generations = [each for each in SHOWN if each <= n_generations]
    shown = Table("best of the generation", *map(str, generations))
    for name, runs in curves.items():
        shown.add_row(name, *[band([run[each] for run in runs]) for each in generations])
    console.print(shown)


def patients_apart(stays: Stays, seed: int) -> tuple[Stays, Stays]:
    """Split stays in two thirds and one, no patient in both."""
    splitter = GroupShuffleSplit(1, test_size=1 / 3, random_state=seed)
    train, test = next(splitter.split(stays.context, groups=stays.patients))
    return stays.rows(train), stays.rows(test)


def diabetes_fronts(
    console: Console, n_runs: int, n_rows: int | None, n_generations: int, *, supported: bool, rules_only: bool
) -> None:
    """Compare fronts of readmission and discharge scores, and value a policy on other patients."""
    stays = diabetes()
    common = [name for name in stays.medications.columns if not supported or stays.medications[name].sum() >= SUPPORTED]
    ratios: dict[str, list[Any]] = {}
    for seed in range(n_runs):
        train, test = patients_apart(stays, seed)
        fitted = {}
        for name in SCORES:
            joined = train.context.join(train.medications)
            fitted[name] = network(seed).fit(joined, train.outcomes[name])
            accuracy = accuracy_score(test.outcomes[name], fitted[name].predict(test.context.join(test.medications)))
            ratios.setdefault(f"predictor's accuracy, {name}", []).append(accuracy)
        if n_rows is not None:
            train = train.rows(np.sort(np.random.default_rng(seed).choice(len(train.context), n_rows, replace=False)))
        halfway: dict[int, Floats] = {}
        model = EvoterPrescriptor(
            fitted,
            objectives=SCORES,
            actions=common,
            watchers=[partial(_keep, halfway)],
            population_size=100,
            generations=n_generations,
            patience=None,
            settings=QUICK_REFINEMENT,
            n_jobs=2,
            random_state=seed,
        )
        begin = time.perf_counter()
        model.fit(train.context, train.medications, train.outcomes)
        ratios.setdefault("rules: seconds, predictions included", []).append(time.perf_counter() - begin)
        ratios.setdefault("rules: seconds of evolution", []).append(model.history_.last.seconds)
        outcomes = model.predicted_outcomes(train.context)
        done = model.outlook_.scores(train.context.join(train.medications)).mean(axis=0)
        corners = {"worst single medication": outcomes.mean(axis=0).min(axis=0), "historical policy": done}
        names = [objective.name for objective in model.front_.objectives]
        for place, name in enumerate(names):
            scores = outcomes[:, :, place]
            for what, value in (
                ("historical, as it happened", model.historical_value_[name]),
                ("historical, predicted", done[place]),
                ("best single medication for all", scores.mean(axis=0).max()),
                ("best rules", model.front_.scores[:, place].max()),
                ("best possible", scores.max(axis=1).mean()),
            ):
                ratios.setdefault(f"{name}: {what}", []).append(value)
        if rules_only:
            continue
        black = evolve_network(model, train.context, outcomes, seed, n_generations, corners["historical policy"])
        ratios.setdefault("network: seconds of evolution", []).append(black.seconds)
        if HALFWAY in halfway:
            mine = _dominated(halfway[HALFWAY], model, corners["historical policy"])
            what = f"hypervolume over the historical policy: rules / network, {HALFWAY} generations"
            ratios.setdefault(what, []).append(mine / black.volumes[HALFWAY])
        for name, corner in corners.items():
            reference = dict(zip(names, corner.tolist(), strict=True))
            mine = model.front_.hypervolume(reference)
            theirs = _dominated(black.result.front_scores, model, corner)
            ratios.setdefault(f"hypervolume over the {name}: rules / network", []).append(mine / theirs)
        for place, name in enumerate(names):
            ratios.setdefault(f"{name}: best network", []).append(black.result.front_scores[:, place].max())
    kind = f"{len(common)} medications" + (f" with {SUPPORTED} stays or more" if supported else "")
    title = f"diabetes, {kind}, {len(train.context):,} stays, {n_generations} generations, {n_runs} runs"
    _show(console, title, ratios)
    knee = model.with_ruleset(model.front_.select("knee"))
    console.print("the last run's policy at the knee of its front:")
    console.print(_counted(knee), highlight=False)
    console.print(str(knee.evaluate(test.context, test.medications, test.outcomes, groups=test.patients)))
    console.print(str(knee.explain(test.context.iloc[:1])), highlight=False)


def _keep(kept: dict[int, Floats], evolution: Evolution, progress: float) -> None:
    if evolution.generation == HALFWAY:
        kept[HALFWAY] = evolution.evaluation.scores.copy()


def _dominated(scores: Floats, model: EvoterPrescriptor, corner: Floats) -> float:
    costs = as_costs(np.vstack([scores, corner]), model.goals_)
    return float(hypervolume(costs[:-1], costs[-1]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one of the experiments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("experiment", choices=["heart", "diabetes"])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--generations", type=int, default=N_GENERATIONS)
    parser.add_argument(
        "--rows", type=int, default=None, help="stays that evolution sees; all of two thirds by default"
    )
    parser.add_argument("--supported", action="store_true", help="only medications that the data say something about")
    parser.add_argument("--rules-only", action="store_true", help="evolve no networks")
    parser.add_argument("--quick", action="store_true", help="one short run: does it run?")
    chosen = parser.parse_args(arguments)
    console = Console(width=150)
    n_runs, n_generations = (1, 5) if chosen.quick else (chosen.runs, chosen.generations)
    if chosen.experiment == "heart":
        heart(console, n_runs, n_generations)
    else:
        n_rows = 2_000 if chosen.quick else chosen.rows
        diabetes_fronts(
            console, n_runs, n_rows, n_generations, supported=chosen.supported, rules_only=chosen.rules_only
        )


if __name__ == "__main__":
    main()
