"""Where commands may write files."""

import os
from pathlib import Path

from evoter.cli.failure import Failure


def writable(path: str | Path) -> Path:
    """Return where a file is to be written, or refuse a place that is a directory, is not there or is closed to us."""
    place = Path(path).expanduser()
    if place.is_dir():
        raise Failure(f"{str(place)!r} is a directory", "name a file in it")
    if not place.parent.is_dir():
        raise Failure(f"there is no directory {str(place.parent)!r} to write to", f"mkdir -p {place.parent}")
    if not os.access(place.parent, os.W_OK):
        raise Failure(f"you may not write to the directory {str(place.parent)!r}", "name another place with --output")
    return place
