"""What commands write in plain words: rules, also rewritten by a language model, and explanations."""

import logging
from typing import TYPE_CHECKING

from evoter.cli.output import Failure, Streams
from evoter.cli.plain_words.options import Wording, saying

if TYPE_CHECKING:
    from evoter.rules.answers.changes import Counterfactuals
    from evoter.rules.answers.explanations import Explanations
    from evoter.rules.explain import Explanation
    from evoter.rules.model import RuleSet


def write_rules(
    streams: Streams, ruleset: "RuleSet", words: Wording, url: str | None, model: str | None, *, dry: bool
) -> str:
    """Return a rule set in plain words, rewritten if a language model is given; with `dry`, what it would get."""
    with saying():
        if url is None:
            if model is not None or dry:
                raise Failure(
                    f"{'--rewrite-model' if model else '--dry-run'} needs --rewrite-url", "add --rewrite-url URL"
                )
            return ruleset.to_text("plain", **words.options)
        if model is None:
            raise Failure("--rewrite-url needs the name of a model", "add --rewrite-model NAME")
        from evoter.language.rewriting.endpoint import Endpoint
        from evoter.language.rewriting.rewrite import preview, rewrite

        endpoint = Endpoint(url, model)
        if dry:
            return preview(ruleset, endpoint, **words.options)
        streams.remark(f"asking {model} at {url}")
        # The reason for a refusal is logged, which would show it a second time.
        logging.getLogger("evoter.language").addHandler(logging.NullHandler())
        rewritten = rewrite(ruleset, endpoint, **words.options)
        if not rewritten.accepted:
            streams.warn(f"the rewritten text is not used: {rewritten.reason}")
        else:
            streams.remark(f"rewritten by {model}; every name, number and comparison was checked")
        return rewritten.text


def say_explanations(streams: Streams, explanations: "Explanations", words: Wording | None) -> None:
    """Show explanations of several rows as a table, or in plain words if they are asked for."""
    if words is None:
        streams.show(explanations, fold=True)
        return
    with saying():
        _show(streams, explanations.to_text("plain", **words.options))


def say_explanation(
    streams: Streams, explanation: "Explanation", changes: "Counterfactuals | None", words: Wording | None
) -> None:
    """Show an explanation and what would change the decision, in plain words if they are asked for."""
    if words is None:
        streams.show(explanation, *([] if changes is None else [changes.to_text()]))
        return
    with saying():
        from evoter.language.explanations import plain_changes

        _show(streams, explanation.to_text("plain", **words.options))
        if changes is not None:
            _show(streams, plain_changes(changes, explanation, **words.options))


def _show(streams: Streams, text: str) -> None:
    """Show words as they are: brackets in names are no markup."""
    from rich.text import Text

    streams.show(Text(text), fold=True)
