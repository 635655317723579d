"""Draw the decision boundary of a rule that compares features, and those of other models that learn it."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from evoter.experiments.pictures import draw_boundaries


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the rules and the models side by side and save the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=Path("decision-boundaries.png"), help="the file to write")
    parser.add_argument("--examples", type=int, default=500, metavar="N", help="examples to learn from (500)")
    chosen = parser.parse_args(arguments)
    draw_boundaries(chosen.path, n_examples=chosen.examples)
    Console().print(f"wrote {chosen.path}: green is Left, red is Right")


if __name__ == "__main__":
    main()
