"""Turn the folder of a reproduction into the documentation's page about it, with some of its pictures."""

import argparse
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from evoter.experiments import catalogue
from evoter.experiments.pages import QUICK

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = (
    "blood-pressure/alarms",
    "decision-boundaries/boundaries",
    "decision-boundaries/tree-linear",
    "decision-boundaries/tree-cubic",
    "diabetes/curves",
    "heart-failure/curves",
    "accuracy-complexity/clean",
)
"""Those that are shown: the others are in the folder that the command writes."""

MARKER = "<!-- what follows is written by benchmarks/reproduction_page.py -->\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the results on docs/reproduction.md, below what is said there by hand, and their pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the reproduction")
    chosen = parser.parse_args(arguments)
    page = (chosen.folder / "index.md").read_text(encoding="utf-8")
    body = re.sub(r"^(#+ )", r"#\1", page, flags=re.MULTILINE)
    body = re.sub(r"!\[([^]]*)]\(([^)]+)\.png\)\n*", _picture, body)
    path = DOCS / "reproduction.md"
    head, _, earlier = path.read_text(encoding="utf-8").partition(MARKER)
    path.write_text(f"{head}{MARKER}\n{merged(earlier, body)}", encoding="utf-8")
    for name in PICTURES:
        source = chosen.folder / f"{name}.png"
        if source.exists():
            shutil.copy(source, DOCS / "_static" / _file(name))
    Console().print(f"wrote {path}")


def merged(earlier: str, body: str) -> str:
    """Return the new page, with the sections and lines of the earlier one for experiments that the new one lacks.

    A full reproduction takes several sittings, and may be published after each.
    """
    (intro, new), (_, old) = _sections(body), _sections(earlier)
    titles = [experiment.title for experiment in catalogue().values()]
    lines = {**_lines(earlier), **_lines(intro)}
    table = "".join(lines[title] for title in titles if title in lines)
    first, *others = _lines(intro).values()
    for line in others:
        intro = intro.replace(line, "")
    # Each line says of which effort its runs are, and earlier ones may be of the other.
    intro = intro.replace(first, table).replace(f"{QUICK}\n\n", "")
    return intro + "".join({**old, **new}[title] for title in ("Protocols", *titles) if title in {**old, **new})


def _sections(page: str) -> tuple[str, dict[str, str]]:
    """Return what is before the first section of a page, and its sections by title."""
    intro, *parts = re.split(r"^(?=### )", page, flags=re.MULTILINE)
    return intro, {part.partition("\n")[0].removeprefix("### "): part.rstrip("\n") + "\n\n" for part in parts}


def _lines(page: str) -> dict[str, str]:
    """Return the lines of the table of experiments by title."""
    return {match[1]: match[0] for match in re.finditer(r"^\| \[([^]]+)]\(#.*\n", page, re.MULTILINE)}


def _file(name: str) -> str:
    return f"reproduction-{name.replace('/', '-')}.png"


def _picture(match: re.Match[str]) -> str:
    title, name = match.groups()
    return f"![{title}](_static/{_file(name)})\n\n" if name in PICTURES else ""


if __name__ == "__main__":
    main()
