"""A file of JSON lines that grows by whole lines: what is in it survives a crash."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


class Journal:
    """Objects in a file, one to a line; a line that a crash cut short or garbled is passed over."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[dict[str, Any]]:
        if not self.path.exists():
            return
        for line in self.path.read_bytes().split(b"\n"):
            try:
                values = json.loads(line)
            except ValueError:
                continue
            if isinstance(values, dict):
                yield values

    def append(self, values: Mapping[str, Any]) -> None:
        """Write an object down at once."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(values))  # the newline comes first: it ends what a crash cut short
            file.flush()
            os.fsync(file.fileno())
