"""Where commands may write files."""

from pathlib import Path

from evoter.cli.failure import Failure


def writable(path: str | Path) -> Path:
    """Return where a file is to be written, or refuse a place whose directory is not there."""
    place = Path(path).expanduser()
    if not place.parent.is_dir():
        raise Failure(f"there is no directory {str(place.parent)!r} to write to", f"mkdir -p {place.parent}")
    return place
