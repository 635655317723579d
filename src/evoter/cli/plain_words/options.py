"""Options for plain words: the language, labels and times that they are written with, and who rewrites them."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evoter.cli.options import named_texts, refuse_ignored
from evoter.cli.output import Failure, split_hint
from evoter.rules.errors import RuleError

if TYPE_CHECKING:
    from evoter.rules.model import RuleSet
    from evoter.rules.printing.pieces import TimeStep

WORDS = "Plain words"
WORD_OPTIONS = ("language", "labels", "label", "time_step")
REWRITING_OPTIONS = ("rewrite_url", "rewrite_model", "dry_run")

Plain = Annotated[bool, typer.Option("--plain", help="Write sentences for people.", rich_help_panel=WORDS)]
Language = Annotated[
    str,
    typer.Option(
        "--language", metavar="CODE", help="Their language: en, de, or a catalogue file.", rich_help_panel=WORDS
    ),
]
LabelFile = Annotated[
    str | None,
    typer.Option(
        "--labels", metavar="FILE", help="A TOML or JSON file with labels for names and units.", rich_help_panel=WORDS
    ),
]
Label = Annotated[
    list[str] | None,
    typer.Option(
        "--label",
        metavar="NAME=LABEL",
        help="What a feature, an action, the target or a value (FEATURE=VALUE) is called.",
        rich_help_panel=WORDS,
    ),
]
Step = Annotated[
    str | None,
    typer.Option(
        "--time-step", metavar="TIME", help="How long a lag of one takes, such as '30 min'.", rich_help_panel=WORDS
    ),
]
RewriteUrl = Annotated[
    str | None,
    typer.Option(
        "--rewrite-url",
        metavar="URL",
        help="Have a language model at this OpenAI-compatible address rewrite the sentences; its key is read from "
        "EVOTER_REWRITING_KEY.",
        rich_help_panel=WORDS,
    ),
]
RewriteModel = Annotated[
    str | None,
    typer.Option("--rewrite-model", metavar="NAME", help="The name of the language model.", rich_help_panel=WORDS),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Print what would be sent to the language model, and send nothing.", rich_help_panel=WORDS
    ),
]


@dataclass(frozen=True, slots=True)
class Wording:
    """How plain words are written: `language` and `labels` as in `RuleSet.to_text`, and how long a step takes."""

    language: str
    labels: Any
    time_step: "TimeStep | None"

    @property
    def options(self) -> dict[str, Any]:
        """The options for rule sets and explanations."""
        return {"language": self.language, "labels": self.labels, "time_step": self.time_step}


def wording(
    context: typer.Context,
    ruleset: "RuleSet",
    language: str,
    labels: str | None,
    label: Sequence[str] | None,
    time_step: str | None,
) -> Wording | None:
    """Return how plain words are written, None if they are not asked for; options without effect are refused."""
    if not context.params["plain"]:
        given = [name for name in (*WORD_OPTIONS, *REWRITING_OPTIONS) if name in context.params]
        refuse_ignored(context, given, "without --plain", "add --plain")
        return None
    if labels is not None and label:
        raise Failure("--labels and --label cannot be combined", "add the labels to the file")
    with saying():
        from evoter.language.names.labels import load_labels

        chosen = None if labels is None else load_labels(labels)
    return Wording(language, _given_labels(label, ruleset) if label else chosen, _time_step(time_step))


def _given_labels(pairs: Sequence[str], ruleset: "RuleSet") -> dict[str, str]:
    from evoter.language.names.labels import known_values

    schema = ruleset.schema
    values = [f"{name}={value}" for name in schema.names for value in known_values(schema, name)]
    if schema.target is None:
        return named_texts(pairs, "--label", [*values, *schema.names, *schema.actions], "feature, action or value")
    target = [schema.target.name] if schema.target.name else []
    return named_texts(pairs, "--label", [*values, *schema.names, *target], "feature, target or value")


def _time_step(text: str | None) -> "TimeStep | None":
    if text is None:
        return None
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(\S.*?)\s*", text)
    if match is None or float(match[1]) == 0.0:
        raise Failure(f"--time-step {text!r} is not a time", "write a number and a unit, such as '30 min'")
    return float(match[1]), match[2]


@contextmanager
def saying() -> Iterator[None]:
    """Turn errors about labels, languages and endpoints into failures."""
    try:
        yield
    except RuleError as error:
        message, hint = split_hint(str(error))
        raise Failure(message, hint) from None
