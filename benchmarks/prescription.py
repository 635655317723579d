"""Prescription on real data: rule sets compared with evolved networks, both evaluated by the same predictor."""

import argparse
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from scipy.stats import ttest_rel

from evoter.analysis.intervals import mean_interval
from evoter.experiments.prescription import diabetes, heart_failure
from evoter.experiments.runners import Outcome

N_GENERATIONS = 100
SHOWN = (0, 5, 10, 20, 40, 70, 100)
"""Generations whose best scores are shown."""

Runs = Sequence[Mapping[str, Outcome]]
"""The outcomes of several runs, each by model."""


def band(values: Sequence[float]) -> str:
    """Print a mean and the half width of its 95 % confidence interval."""
    mean, half = mean_interval(values)
    return f"{mean:.4f}" if len(values) < 2 else f"{mean:.4f} ± {half:.4f}"


def show(console: Console, title: str, runs: Runs) -> None:
    """Print the mean of every measure of every model, and the seconds."""
    shown = Table("model", "measure", "mean ± 95 %", title=title)
    for model in runs[0]:
        outcomes = [run[model] for run in runs]
        for measure in outcomes[0].measures:
            shown.add_row(model, measure, band([outcome.measures[measure] for outcome in outcomes]))
        if outcomes[0].seconds:
            shown.add_row(model, "seconds", band([outcome.seconds for outcome in outcomes]))
    console.print(shown)


def show_curves(console: Console, runs: Runs, n_generations: int) -> None:
    """Print the best scores of some generations."""
    generations = [each for each in SHOWN if each <= n_generations]
    shown = Table("best of the generation", *map(str, generations))
    for model, outcome in runs[0].items():
        for curve in outcome.curves:
            best = [run[model].curves[curve] for run in runs]
            shown.add_row(f"{model}: {curve}", *[band([run[each] for run in best]) for each in generations])
    console.print(shown)


def heart(console: Console, n_runs: int, n_generations: int) -> None:
    """Compare death rates: which of two interventions to choose, for patients whose two values a rule cannot read."""
    runs = [heart_failure.compare(seed, generations=n_generations) for seed in range(n_runs)]
    show(console, f"heart failure, {n_runs} runs: predicted death rate", runs)
    show_curves(console, runs, n_generations)
    for name in heart_failure.PRESETS:
        for what in ("training", "held_out"):
            ours, theirs = ([run[model].measures[what] for run in runs] for model in (name, "network"))
            p = ttest_rel(ours, theirs).pvalue if n_runs > 1 else float("nan")
            gap = band([a - b for a, b in zip(ours, theirs, strict=True)])
            console.print(f"{name} - network, {what}: {gap}, paired t-test p = {p:.3f}")
    console.print("the last run's rules, each with the cases it holds on:")
    for name in heart_failure.PRESETS:
        console.print(f"{name}\n{runs[-1][name].rules}", highlight=False)


def diabetes_fronts(
    console: Console, n_runs: int, n_rows: int | None, n_generations: int, *, supported: bool, rules_only: bool
) -> None:
    """Compare fronts of readmission and discharge scores, and value a policy on other patients."""
    found = [
        diabetes.compare(
            seed, rows=n_rows, generations=n_generations, supported=supported, networks=not rules_only, with_paper=False
        )
        for seed in range(n_runs)
    ]
    runs = [each.outcomes for each in found]
    kind = f", medications with {diabetes.SUPPORTED} stays or more" if supported else ""
    show(console, f"diabetes{kind}, {n_generations} generations, {n_runs} runs", runs)
    show_curves(console, runs, n_generations)
    last = found[-1]
    console.print("the last run's policy at the knee of its front:")
    console.print(last.outcomes["rules"].rules, highlight=False)
    console.print(str(last.report))
    console.print(str(last.policy.explain(last.example)), highlight=False)


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
