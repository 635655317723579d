"""What both commands share: options, messages about progress, and results as JSON."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from evoter.cli import signals
from evoter.cli.output import Failure, split_hint

if TYPE_CHECKING:
    from evoter.proofs import ProofResult
    from evoter.proofs.budget import Progress

WithinRanges = Annotated[
    bool,
    typer.Option(
        "--within-ranges",
        help="Prove it only for the ranges, categories and missing values that the rules declare, not for every input.",
    ),
]
Seconds = Annotated[
    float, typer.Option("--time", metavar="SECONDS", min=0.001, help="Maximum number of seconds for each proof.")
]


class ProofOptions(TypedDict):
    """What every question takes."""

    within_ranges: bool
    max_seconds: float
    progress: "Progress | None"


@contextmanager
def proving() -> Iterator[None]:
    """Let Ctrl-C end a proof with what is known so far, and say what to install where the solver is absent."""
    try:
        with signals.raising():
            yield
    except ImportError as error:
        message, _, remedy = str(error).partition(": ")
        raise Failure(message, remedy) from None
    except ValueError as error:  # a RuleError is one: an unknown action, a condition that cannot be read
        raise Failure(*split_hint(str(error).splitlines()[0])) from None


def described(result: "ProofResult") -> dict[str, object]:
    """Return a result, ready for JSON."""
    return {
        "claim": result.claim,
        "status": result.status,
        "counterexample": result.counterexample,
        "compared_with": result.compared_with,
        "decisions": [list(actions) for actions in result.decisions],
        "reason": result.reason,
        "exact": result.exact,
        "method": result.method,
        "seconds": round(result.seconds, 3),
    }
