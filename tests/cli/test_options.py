"""Tests of what options share: help texts, NAME=VALUE pairs, and that no option is silently ignored."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import typer

from commands import fails, run
from evoter import EvoterClassifier
from evoter.cli.app import app
from evoter.cli.options import named_numbers, named_values
from evoter.cli.output import Failure
from evoter.studio.project import Project, Setup


@pytest.mark.parametrize("command", ["fit", "predict", "reproduce", "datasets", "datasets fetch"])
def test_flags_have_no_type(command: str) -> None:
    shown = run(*command.split(), "--help").stdout
    assert "--json" in shown
    assert "<bool>" not in shown


def test_values_are_json_or_else_text() -> None:
    given = ["soft_targets=0", "operators=[1,2]", "dialect=postgres", " name = a=b"]
    assert named_values(given, "--setting") == {
        "soft_targets": 0,
        "operators": [1, 2],
        "dialect": "postgres",
        "name": "a=b",
    }


@pytest.mark.parametrize("pair", ["complexity", "=8", "complexity=true", "complexity=many"])
def test_what_is_no_pair_or_no_number_is_refused_with_a_remedy(pair: str) -> None:
    with pytest.raises(Failure) as told:
        named_numbers([pair], "--limit")
    assert told.value.hint.startswith("write --limit")


def test_a_name_is_given_once() -> None:
    with pytest.raises(Failure, match="--limit sets 'complexity' twice"):
        named_numbers(["complexity=8", "complexity=9"], "--limit")


def test_the_help_names_the_defaults_of_the_classifier() -> None:
    shown = " ".join(run("fit", "--help", width=200).stdout.split())
    defaults = inspect.signature(EvoterClassifier).parameters
    assert f"Maximum number of generations ({defaults['generations'].default} by default)" in shown
    assert f"without improvement ({defaults['patience'].default} by default)" in shown


RULES, TABLE = "patients.rules.json", "patients.csv"
READING = {"--missing": ["--missing", "x"], "--no-header": ["--no-header"], "--sheet": ["--sheet", "a"],
           "--encoding": ["--encoding", "utf-8"]}  # fmt: skip
FIT = ("fit", TABLE, "-t", "risk")
ANSWERS = ("distil", TABLE, "--predictions", "risk")
LOCAL = ("distil", "model.joblib", TABLE, "--trust-model", "--local", "1")

ALWAYS = {
    "": {"--version", "--install-completion", "--show-completion"},
    "fit": {"--target", "--output", "--export", "--test", "--seed", "--category", "--numeric", "--drop", "--id", "--cut",
            "--unit", "--label",
            "--time", "--generations", "--patience", "--preset", "--objective", "--select", "--limit", "--balanced", "--jobs", "--checkpoint",
            "--setting", "--missing", "--repeat", "--dates", "--cluster", "--protected", "--forms",
            "--pin", "--forbid-feature", "--forbid", "--monotone", "--task"},
    "distil": {"--target", "--output", "--seed", "--category", "--numeric", "--drop", "--id", "--time", "--generations",
               "--population", "--max-rules", "--max-conditions", "--jobs", "--missing", "--probabilities"},
    "predict": {"--output", "--because", "--probability", "--interval", "--missing"},
    "explain": {"--label"},
    "show": {"--label"},
    "simplify": {"--output", "--prove"},
    "edit": {"--replace", "--add", "--insert", "--drop", "--move", "--pin", "--unpin", "--rename", "--default", "--restore",
             "--dry-run"},
    "verify": {"--head", "--entries"},
    "studio": {"--favourable", "--import", "--author", "--port", "--host", "--public-url", "--no-browser"},
    "check": {"--target", "--strict", "--min-accuracy", "--min-r2", "--missing"},
    "audit": {"--protected", "--target", "--favourable", "--bands", "--max-difference", "--repair", "--missing"},
    "compare": {"--target", "--rows", "--missing"},
    "prove": {"--never", "--always", "--monotone", "--decreasing", "--reachable", "--covered", "--disjoint", "--guardrails",
              "--within-ranges", "--time"},
    "diff": {"--certainties", "--regions", "--within-ranges", "--time"},
    "demo": {"--output", "--svg"},
    "warm-up": set(),
    "reproduce": {"--list"},
    "datasets": set[str](),
    "datasets list": set[str](),
    "datasets show": set[str](),
    "datasets fetch": {"--output"},
}  # fmt: skip
"""Options that always have an effect, or are refused because of their value."""

KEPT_ANYWAY = {"--help", "--json", "--quiet", "--yes", "--only", "--force", "--allow-missing"}
"""Options whose promise is kept even where there is nothing to do: no messages, no question, no columns of the table, no
files that are kept, no column that is refused."""

IGNORED = {
    ("fit", "--split-seed"): [([*FIT, "--test", "0", "--split-seed", "3"], "with --test 0")],
    ("fit", "--metric"): [
        (
            [*FIT, "--metric", "accuracy", "--objective", "f1_macro", "--objective", "rules"],
            "beside --objective f1_macro",
        )
    ],
    ("fit", "--population"): [([*FIT, "--population", "9", "--setting", "population_size=8"], "beside --setting")],
    ("fit", "--islands"): [([*FIT, "--islands", "2", "--setting", "n_islands=3"], "beside --setting")],
    ("fit", "--max-rules"): [([*FIT, "--max-rules", "9", "--setting", "max_rules=8"], "beside --setting")],
    ("fit", "--max-conditions"): [([*FIT, "--max-conditions", "9", "--setting", "max_conditions=8"], "beside")],
    ("fit", "--parsimony"): [([*FIT, "--parsimony", "0.1", "--setting", "parsimony=0.2"], "beside --setting")],
    ("fit", "--monotone-order"): [([*FIT, "--monotone-order", "low,high"], "without --monotone")],
    ("fit", "--guardrail-price"): [([*FIT, "--guardrail-price"], "without guardrails")],
    ("distil", "--predictions"): [([*ANSWERS, "--probabilities", "p"], "beside --probabilities")],
    ("distil", "--task"): [
        (["distil", TABLE, "--probabilities", "a", "--probabilities", "b", "--task", "numbers"], "with --probabilities")
    ],
    ("distil", "--queries"): [([*ANSWERS, "--queries", "0.5"], "needs a model")],
    ("distil", "--local"): [([*ANSWERS, "--local", "1"], "needs a model")],
    ("distil", "--trust-model"): [([*ANSWERS, "--trust-model"], "needs a model")],
    ("distil", "--export"): [([*LOCAL, "--export", "sql"], "with --local")],
    ("distil", "--test"): [([*LOCAL, "--test", "0.3"], "with --local")],
    ("distil", "--front"): [([*LOCAL, "--front"], "with --local")],
    ("explain", "--plain"): [(["explain", RULES, "age=50", "--plain", "--json"], "with --json")],
    ("show", "--plain"): [(["show", RULES, TABLE, "--plain"], "with a table")],
    **{
        (command, option): [([command, RULES, *case, option, value], "without --plain")]
        for command, case in (("explain", ["age=50"]), ("show", []))
        for option, value in (("--language", "de"), ("--labels", "labels.toml"), ("--time-step", "2 h"))
    },
    ("show", "--rewrite-url"): [(["show", RULES, "--rewrite-url", "http://127.0.0.1:9"], "without --plain")],
    ("show", "--rewrite-model"): [(["show", RULES, "--plain", "--rewrite-model", "m"], "needs --rewrite-url")],
    ("show", "--dry-run"): [(["show", RULES, "--plain", "--dry-run"], "needs --rewrite-url")],
    ("explain", "--row"): [(["explain", RULES, "age=50", "--row", "3"], "without a table")],
    ("explain", "--id"): [
        (["explain", RULES, "age=50", "--id", "patient"], "without a table"),
        (["explain", RULES, TABLE, "--id", "patient"], "without --row"),
        (["explain", RULES, TABLE, "--id", "patient", "--row", "ward=3"], "which names a column"),
    ],
    **{
        ("explain", option): [(["explain", RULES, TABLE, "--row", "1-3", option, value], "on several rows")]
        for option, value in (("--fixed", "age"), ("--to", "low"), ("--changes", "2"))
    },
    ("show", "--as"): [(["show", RULES, TABLE, "--as", "sql"], "with a table")],
    ("show", "--output"): [(["show", RULES, TABLE, "--output", "x.txt"], "with a table")],
    ("show", "--option"): [
        (["show", RULES, TABLE, "--option", "dialect=postgres"], "with a table"),
        (["show", RULES, "--as", "markdown", "--option", "dialect=postgres"], "--option dialect has no effect"),
    ],
    ("show", "--target"): [(["show", RULES, "--target", "risk"], "without a table")],
    ("simplify", "--prune"): [(["simplify", RULES, "--prune"], "without a table")],
    ("simplify", "--shorten"): [(["simplify", RULES, "--shorten"], "without a table")],
    ("edit", "--target"): [(["edit", RULES, "--drop", "1", "-r", "x", "--target", "risk"], "without a table")],
    ("edit", "--reason"): [(["edit", RULES, "--drop", "1", "--dry-run", "--reason", "x"], "with --dry-run")],
    ("edit", "--author"): [(["edit", RULES, "--drop", "1", "--dry-run", "--author", "x"], "with --dry-run")],
    ("edit", "--adopt"): [(["edit", RULES, "--restore", "1", "-r", "x", "--adopt"], "beside --restore")],
    ("edit", "--drop"): [(["edit", RULES, "--restore", "1", "-r", "x", "--drop", "1"], "beside --restore")],
    ("verify", "--rules"): [(["verify", RULES, "--rules", RULES], "without a project")],
    ("studio", "--demo"): [(["studio", RULES, TABLE, "--demo"], "brings its own rules and table")],
    ("studio", "--target"): [(["studio", "--demo", "--target", "risk"], "brings its own")],
    ("studio", "--protected"): [(["studio", "--demo", "--protected", "sex"], "brings its own")],
    ("studio", "--id"): [(["studio", "--demo", "--id", "patient"], "brings its own")],
    ("studio", "--missing"): [(["studio", "--demo", "--missing", "none"], "brings its own")],
    ("studio", "--project"): [(["studio", "risk.evoter", TABLE, "--project", "x.evoter"], "which is a project")],
    ("studio", "--user-header"): [(["studio", TABLE, "--user-header", "X-User"], "without a reverse proxy")],
    ("prove", "--order"): [(["prove", RULES, "--covered", "--order", "low < high"], "without --monotone")],
    ("compare", "--model"): [(["compare", RULES, TABLE, "--model", "none", "--model", "tree"], "beside other models")],
    ("compare", "--seed"): [(["compare", RULES, TABLE, "--model", "none", "--seed", "3"], "without models")],
    ("audit", "--rate"): [(["audit", RULES, TABLE, "--protected", "sex", "--rate", "accuracy"], "without --max")],
    ("reproduce", "--full"): [
        (["reproduce", "--list", "--full"], "with --list"),
        (["reproduce", "--list", "--quick"], "with --list"),
    ],
    ("reproduce", "--output"): [(["reproduce", "--list", "--output", "x"], "with --list")],
    ("reproduce", "--seed"): [(["reproduce", "--list", "--seed", "0"], "with --list")],
    ("datasets", "--json"): [(["datasets", "--json", "list"], "before 'list'")],
    ("datasets", "--quiet"): [(["datasets", "--quiet", "fetch", "iris"], "before 'fetch'")],
    **{
        (command, option): [([command, RULES, *case, *words], "without a table")]
        for command, case in (
            ("explain", ["age=50"]),
            ("show", []),
            ("simplify", []),
            ("edit", ["--drop", "1", "-r", "x"]),
            ("diff", [RULES]),
        )
        for option, words in READING.items()
    },
    **{
        (command, option): [([command, *files, *READING[option]], f"{option} has no effect")]
        for command, files in (
            ("fit", ["patients.parquet", "-t", "risk"]),
            ("distil", ["patients.parquet", "--predictions", "risk"]),
            ("predict", [RULES, "patients.parquet"]),
            ("check", [RULES, "patients.parquet"]),
            ("audit", [RULES, "patients.parquet", "--protected", "sex"]),
            ("compare", [RULES, "patients.parquet"]),
            ("studio", ["patients.parquet", "-t", "risk"]),
        )
        for option in ("--no-header", "--sheet", "--encoding")
    },
}
"""For each command and option, uses in which the option would have no effect."""


def options_of(command: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield all commands with all their options."""
    context = typer.Context(command)
    for parameter in command.get_params(context):
        if parameter.opts[0].startswith("-"):
            yield name, next(option for option in parameter.opts if option.startswith("--"))
    for child in getattr(command, "commands", {}).values():
        yield from options_of(child, f"{name} {child.name}".strip())


def test_every_option_of_every_command_is_known_here() -> None:
    unknown = [
        (command, option)
        for command, option in options_of(typer.main.get_command(app))
        if option not in ALWAYS[command] | KEPT_ANYWAY and (command, option) not in IGNORED
    ]
    assert not unknown, "say when these have no effect, and refuse them there"


@pytest.mark.parametrize(("command", "option"), IGNORED)
def test_options_without_effect_are_refused_by_name(command: str, option: str, fitted: Path) -> None:
    parquet = fitted / "patients.parquet"
    if not parquet.exists():
        pl.read_csv(TABLE, null_values="NA").write_parquet(parquet)
    if not (fitted / "risk.evoter").exists():
        Project.create(fitted / "risk.evoter", Setup("risk")).close()
    for arguments, why in IGNORED[command, option]:
        message, hint = fails(*arguments)
        assert option in message or "--quick" in arguments, message
        assert why in message
        assert hint


def test_a_sheet_or_an_encoding_of_another_format_is_refused(fitted: Path) -> None:
    assert fails(*FIT, "--sheet", "a")[0] == "--sheet has no effect: patients.csv is not an Excel file"
