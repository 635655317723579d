"""Turn the folder of a reproduction into the documentation's page about it, with some of its pictures."""

import argparse
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = ("blood-pressure/alarms", "diabetes/curves", "heart-failure/curves", "accuracy-complexity/clean")
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
    head = path.read_text(encoding="utf-8").partition(MARKER)[0]
    path.write_text(f"{head}{MARKER}\n{body}", encoding="utf-8")
    for name in PICTURES:
        source = chosen.folder / f"{name}.png"
        if source.exists():
            shutil.copy(source, DOCS / "_static" / _file(name))
    Console().print(f"wrote {path}")


def _file(name: str) -> str:
    return f"reproduction-{name.replace('/', '-')}.png"


def _picture(match: re.Match[str]) -> str:
    title, name = match.groups()
    return f"![{title}](_static/{_file(name)})\n\n" if name in PICTURES else ""


if __name__ == "__main__":
    main()
