"""The cache of stored tables: each is built once, found by its source, checked, and removed when room is short."""

import hashlib
import json
import os
import secrets
import shutil
import weakref
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

from evoter.rules.files.writing import FileInUseError, locked, sync_folder
from evoter.tables.sources import frame_column
from evoter.tables.stored.batches import Batches, open_batches
from evoter.tables.stored.building import MANIFEST, VERSION, DamagedTableError, Progress, build, open_stored
from evoter.tables.stored.table import StoredTable

CACHE_VARIABLE: Final = "EVOTER_CACHE"
SIZE_VARIABLE: Final = "EVOTER_TABLE_CACHE_BYTES"

MAX_BYTES: Final = 50 * 10**9
"""How many bytes the tables of the cache may have, unless the variable above says otherwise."""

_DRAFT: Final = "draft-"


def store_table(X: Any, progress: Progress | None = None) -> StoredTable:
    """Return a table that is read in batches as a stored table, from the cache if it is there and as it was.

    Tables that come from files are kept in the cache; others are stored in a temporary folder as long as they are used.
    """
    return store_batches(open_batches(X), progress)


def store_batches(batches: Batches, progress: Progress | None = None) -> StoredTable:
    """Return a table that has been opened as a stored table."""
    parent = cache_folder()
    parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(parent)
    if not batches.files:
        keeper = _TemporaryFolder(parent)
        try:
            build(batches, keeper.path, frame_column, "", progress)
            return open_stored(keeper.path, "", keeper)
        except BaseException:
            keeper.close()
            raise
    key = source_key(batches)
    folder = parent / key
    with suppress(DamagedTableError):
        table = open_stored(folder, key)
        os.utime(folder / MANIFEST)  # it was used now
        return table
    draft = _TemporaryFolder(parent)
    try:
        build(batches, draft.path, frame_column, key, progress)
        _replace(draft.path, folder, key)
    finally:
        draft.close()
    sync_folder(parent)
    _make_room(parent, folder)
    return open_stored(folder, key)


class _TemporaryFolder:
    """A folder that exists, and is locked, as long as somebody refers to this object."""

    def __init__(self, parent: Path) -> None:
        stack = ExitStack()
        self.path = parent / f"{_DRAFT}{secrets.token_hex(8)}"
        stack.enter_context(locked(self.path))
        self.path.mkdir()
        stack.callback(shutil.rmtree, self.path, ignore_errors=True)
        self.close = weakref.finalize(self, stack.close)


def cache_folder() -> Path:
    """Return the folder of stored tables: `$EVOTER_CACHE/tables`, else `~/.cache/evoter/tables`."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return (Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "evoter") / "tables"


def source_key(batches: Batches) -> str:
    """Return what a table is found by: the paths, sizes and times of its files, and the types of its columns."""
    files = []
    for path in batches.files:
        status = path.stat()
        files.append([str(path.resolve()), status.st_size, status.st_mtime_ns])
    described = json.dumps([VERSION, files, list(batches.types.items())])
    return hashlib.sha256(described.encode()).hexdigest()


def _replace(draft: Path, folder: Path, key: str) -> None:
    """Give a finished folder its name, unless another process was faster and its folder is sound."""
    try:
        draft.rename(folder)
    except OSError:
        try:
            open_stored(folder, key)
        except DamagedTableError:
            shutil.rmtree(folder, ignore_errors=True)
            draft.rename(folder)


def _remove_abandoned(parent: Path) -> None:
    """Remove folders whose writers were killed: nobody holds their locks."""
    for draft in parent.glob(f"{_DRAFT}*"):
        if not draft.is_dir():
            continue
        try:
            with locked(draft):
                shutil.rmtree(draft, ignore_errors=True)
        except FileInUseError:
            continue


def _make_room(parent: Path, newest: Path) -> None:
    """Remove the tables that were used least recently while all together have more bytes than the cache may have."""
    text = os.environ.get(SIZE_VARIABLE, "")
    if text and not text.isdecimal():
        raise ValueError(f"{SIZE_VARIABLE} is {text!r}, which is not a whole number; correct it, or unset it")
    most = int(text) if text else MAX_BYTES
    tables = sorted(parent.glob(f"*/{MANIFEST}"), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for folder in [newest, *(path.parent for path in tables if path.parent != newest)]:
        if folder.name.startswith(_DRAFT):
            continue
        n_bytes = sum(file.stat().st_size for file in folder.iterdir())
        if folder == newest or total + n_bytes <= most:
            total += n_bytes
        else:
            shutil.rmtree(folder, ignore_errors=True)
