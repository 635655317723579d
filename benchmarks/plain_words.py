"""Ten rule sets before and after: learns some of them, and writes docs/plain_words_examples.md."""

import argparse
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evoter import EvoterClassifier, RuleSet, parse, simplify
from evoter.datasets import fetch_contraceptive_choice, fetch_credit_approval, fetch_heart_failure
from evoter.experiments.printed_rules import printed_rules

FOLDER = Path(__file__).with_suffix("")
PAGE = Path(__file__).parents[1] / "docs" / "plain_words_examples.md"
LEARN = "python benchmarks/plain_words.py --learn"
LANGUAGES = {"en": "English", "de": "German"}

INTRODUCTION = f"""Each rule set as EVOTER prints it, and in [plain words](plain_words.md), English and German. This
page is written by `python benchmarks/plain_words.py`; the learnt rule sets, in `benchmarks/plain_words`, by
`{LEARN}`. A test reads every sentence back and compares it with the rules."""


class Example(NamedTuple):
    """A rule set of the page; `figure` is its name among the paper's figures, and empty if it is learnt."""

    name: str
    title: str
    about: str
    figure: str = ""
    simplified: bool = False
    time_step: tuple[float, str] | None = None


EXAMPLES = (
    Example("iris", "Iris", "Units in the names of columns, and a sum; learnt from scikit-learn's table."),
    Example("breast_cancer", "Breast cancer", "Rules of two conditions, learnt from scikit-learn's table."),
    Example("wine", "Wine", "A weighted sum, and labels for classes; learnt from scikit-learn's table."),
    Example(
        "heart_failure",
        "Heart failure",
        "A difference of two laboratory values; the follow-up time was left out, because it is known only afterwards.",
    ),
    Example(
        "credit",
        "Credit approval",
        "A set of categories, features that are yes or no, and values that may be unknown; names were not published.",
    ),
    Example("contraception", "Contraceptive choice", "A survey, with labels for its questions."),
    Example(
        "heart_failure_votes", "Heart failure, by vote", "The same table in mode vote, in which rules have certainties."
    ),
    Example("cart_pole", "Cart-pole", "The paper's rule with a power and two coefficients.", "cart_pole"),
    Example(
        "blood_pressure",
        "Blood pressure",
        "The paper's rules for series, in which a step is a minute: lags and an interval.",
        "blood_pressure",
        time_step=(1, "min"),
    ),
    Example(
        "diabetes",
        "Diabetes",
        "The paper's Figure 10, each rule simplified by itself; [beside Figure 11](plain_words.md).",
        "diabetes",
        simplified=True,
    ),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn rule sets if asked to, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--learn", action="store_true", help="learn rule sets again; otherwise those in the folder are used"
    )
    if parser.parse_args(arguments).learn:
        learn()
    PAGE.write_text(page(), encoding="utf-8")


def load(example: Example) -> RuleSet:
    """Return a rule set of the page."""
    if not example.figure:
        return parse((FOLDER / f"{example.name}.rules").read_text(encoding="utf-8"))
    ruleset = printed_rules(example.figure).restricted()
    if not example.simplified:
        return ruleset
    # Each rule by itself, as the paper's expert read them: in mode first, simplification also removes whole rules.
    return simplify(ruleset.replace(mode="all")).replace(mode=ruleset.mode).restricted()


def labels(example: Example, language: str) -> dict[str, Any] | None:
    """Return the labels of an example in a language, if it has some."""
    path = FOLDER / f"{example.name}.{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def words(example: Example, language: str) -> str:
    """Return a rule set of the page in plain words."""
    options: dict[str, Any] = {"language": language, "labels": labels(example, language)}
    return load(example).to_text("plain", time_step=example.time_step, **options)


def page() -> str:
    """Return the page."""
    parts = ["# Ten rule sets before and after", INTRODUCTION]
    for number, example in enumerate(EXAMPLES, start=1):
        parts += [f"## {number}. {example.title}", example.about]
        parts.append(f"```rules\n{load(example).to_text()}\n```")
        parts += [f"{name}:\n\n```text\n{words(example, language)}\n```" for language, name in LANGUAGES.items()]
    return "\n\n".join(parts) + "\n"


def learn() -> None:
    """Learn the rule sets that are not the paper's, and keep them as text."""
    from sklearn.datasets import load_breast_cancer, load_iris, load_wine

    for name, read, conditions in (
        ("iris", load_iris, 3),
        ("breast_cancer", load_breast_cancer, 4),
        ("wine", load_wine, 6),
    ):
        bunch = read(as_frame=True)
        _learn(name, bunch.data, bunch.target_names[bunch.target], conditions)
    heart = fetch_heart_failure()
    known_before = heart.data.drop(columns="time")
    units = {name: unit for name, unit in heart.units.items() if name != "time"}
    _learn("heart_failure", known_before, heart.target, 6, units=units)
    _learn("heart_failure_votes", known_before, heart.target, 5, units=units, mode="vote")
    credit = fetch_credit_approval()
    _learn("credit", credit.data, credit.target, 5)
    choice = fetch_contraceptive_choice()
    _learn("contraception", choice.data, choice.target, 7, units=choice.units)


def _learn(name: str, X: Any, y: Any, conditions: int, **settings: Any) -> None:
    limits = {"complexity": conditions}
    model = EvoterClassifier(constraints=limits, generations=60, random_state=0, n_jobs=1, **settings).fit(X, y)
    FOLDER.mkdir(exist_ok=True)
    text = f"# Learnt by {LEARN}\n\n{model.ruleset_.restricted().to_text()}\n"
    (FOLDER / f"{name}.rules").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
