"""Every experiment is declared as it should be, and a mistake is named with its file and key."""

from pathlib import Path

import pytest

from evoter.experiments.declarations import EFFORTS, ExperimentError, catalogue, read_experiment
from evoter.experiments.reproduction import check_settings
from evoter.experiments.runners import RUNNERS

FILE = """
order = 1
title = "T"
where = "Table 1"
about = "What it is."
runner = "classification"
measures = ["accuracy", "parameters"]

[models]
evoter = "EVOTER"

[variants]
clean = "clean"

[settings]
data = "iris"
parameters = { generations = 5, population_size = 40 }

[variant_settings]
clean = { rows = 100 }

[quick]
runs = 1
seconds = 1
settings = { parameters = { generations = 2 } }

[full]
runs = 10
seconds = 1.5

[[paper]]
model = "evoter"
accuracy = 0.99
[paper.not_comparable]
accuracy = "why"
"""


def declared(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "trial.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", catalogue())
def test_every_file_is_right(name: str) -> None:
    experiment = catalogue()[name]
    for effort in EFFORTS:
        check_settings(experiment, effort)
    assert experiment.extents["full"].runs in (0, 10)
    assert experiment.extents["quick"].runs <= experiment.extents["full"].runs
    assert set(experiment.uses) <= set(catalogue())
    assert bool(experiment.uses) != bool(RUNNERS[experiment.runner].module)
    assert all(each.values for each in experiment.paper)
    assert all(set(each.not_comparable) <= set(each.values) for each in experiment.paper)


def test_the_whole_paper_is_there() -> None:
    """Six tables, and Figures 4 to 16 but for those that show rules or methods alone."""
    places = " ".join(experiment.where for experiment in catalogue().values())
    assert all(f"Table {number}" in places for number in range(1, 7))
    assert all(f"{number}" in places for number in (4, 5, 6, 7, 8, 9, 10, 12, 15, 16))


def test_the_papers_last_tables_contradict_its_appendix() -> None:
    """As the files say: AIC cannot be less than twice the number of parameters."""
    for name in ("credit-approval", "contraceptive-choice"):
        paper = {each.model: each for each in catalogue()[name].paper}
        for model in ("tree", "forest"):
            assert paper[model].values["paper_aic"] < 2 * paper[model].values["parameters"]
        assert all("paper_aic" in each.not_comparable for each in paper.values())
    for name in ("iris", "breast-cancer", "activity-features", "activity-series"):
        assert all(each.values["paper_aic"] >= 2 * each.values["parameters"] - 1 for each in catalogue()[name].paper)


def test_a_file_is_read(tmp_path: Path) -> None:
    order, experiment = read_experiment(declared(tmp_path, FILE))
    assert order == 1
    assert experiment.name == "trial"
    assert experiment.settings_of("clean", "quick") == {
        "data": "iris",
        "rows": 100,
        "parameters": {"generations": 2, "population_size": 40},
    }
    assert experiment.settings_of("clean", "full")["parameters"]["generations"] == 5
    assert experiment.paper[0].not_comparable == {"accuracy": "why"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "T"', 'titel = "T"', "trial.toml: title: is missing"),
        ('title = "T"', 'title = "T"\ncolour = 1', "trial.toml: colour: is unknown"),
        ('title = "T"', "title = 3", "trial.toml: title: must be text, not 3"),
        ('runner = "classification"', 'runner = "magic"', "trial.toml: runner: 'magic' is none of"),
        ('"accuracy", "parameters"', '"speed"', "trial.toml: measures: 'speed' is not measured by classification"),
        ('"accuracy", "parameters"', "1", "trial.toml: measures: must be a list of texts"),
        ("runs = 1\n", "runs = 1\nlimit = 3\n", "trial.toml: quick: limit: is unknown"),
        ("runs = 1\n", "runs = true\n", "trial.toml: quick: runs: must be a number"),
        ("runs = 1\n", "runs = -1\n", "trial.toml: quick: runs: must be 0 or more"),
        ('model = "evoter"', 'model = "tree"', r"trial.toml: paper\[0\]: model: 'tree' is none of \['evoter'\]"),
        ("accuracy = 0.99", "speed = 0.99", r"trial.toml: paper\[0\]: speed: is unknown; known here"),
        ('accuracy = "why"', 'bic = "why"', r"trial.toml: paper\[0\]: not_comparable: bic: is unknown"),
        ("clean = { rows", "dirty = { rows", "trial.toml: variant_settings: dirty: is unknown"),
        ('evoter = "EVOTER"', "", "trial.toml: models: must not be empty"),
        ("[quick]", "[quick", "trial.toml: "),
        ('where = "Table 1"', 'where = "Table 1"\npicture = "oil"', "trial.toml: picture: 'oil' is none of"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in FILE
    with pytest.raises(ExperimentError, match=message):
        read_experiment(declared(tmp_path, FILE.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rows = 100", "lines = 100", "trial.toml: settings of clean, quick: lines: is unknown to the runner"),
        ('data = "iris"', "", "trial.toml: settings of clean, quick: data: is missing for the runner"),
    ],
)
def test_settings_are_checked_by_the_runner(tmp_path: Path, old: str, new: str, message: str) -> None:
    _, experiment = read_experiment(declared(tmp_path, FILE.replace(old, new, 1)))
    with pytest.raises(ExperimentError, match=message):
        check_settings(experiment, "quick")
