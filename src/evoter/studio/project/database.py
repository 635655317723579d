"""The SQLite file of a project: one table of records, to which records are added and from which none is taken.

Records are forced to disk before an addition returns (write-ahead log, `synchronous=FULL`). A file from elsewhere is
untrusted: its tables must be exactly ours, and nothing in it is executed.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from evoter.rules.editing.logged_rules import EditConflictError
from evoter.rules.files.document import MAX_FILE_BYTES
from evoter.studio.project.errors import ProjectError
from evoter.studio.project.records import Record

APPLICATION = 0x45564F54
"""What the header of a project file names as its application: EVOT."""

SUFFIX = ".evoter"
MAX_PROJECT_BYTES = 2 * 1024**3
_CHECK_SECONDS = 20.0
"""How long SQLite may take over a file from elsewhere."""

_MAGIC = b"SQLite format 3\0"
_JOURNAL = slice(18, 20)
"""Bytes of the header that say whether there is a write-ahead log."""

_REFUSE = "CREATE TRIGGER {name} BEFORE {change} ON records BEGIN SELECT RAISE(ABORT, 'records stay as they are'); END"
_TABLES = [
    ("table", "records", "CREATE TABLE records (number INTEGER PRIMARY KEY, record BLOB NOT NULL)"),
    ("trigger", "no_update", _REFUSE.format(name="no_update", change="UPDATE")),
    ("trigger", "no_delete", _REFUSE.format(name="no_delete", change="DELETE")),
]


def is_project_file(path: str | os.PathLike[str]) -> bool:
    """Tell by its first bytes whether a file is a SQLite file, as projects are."""
    place = Path(path).expanduser()
    if not place.is_file():
        return False
    with place.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def serialized(records: Sequence[Record]) -> bytes:
    """Return a project file with these records, which any SQLite reads, as it is when nobody has it open."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute("BEGIN")
        for _, _, statement in _TABLES:
            connection.execute(statement)
        _insert(connection, records)
        connection.execute("COMMIT")
        return connection.serialize()


def lines_of(content: bytes, name: str) -> list[bytes]:
    """Return the records in the content of a project file."""
    if not content.startswith(_MAGIC):
        raise ProjectError(f"{name} is not a project file; choose a file that the studio exported")
    if len(content) > MAX_PROJECT_BYTES:
        raise ProjectError(f"{name} is longer than {MAX_PROJECT_BYTES:,} bytes")
    plain = bytearray(content)
    plain[_JOURNAL] = b"\x01\x01"  # what is in memory has no write-ahead log
    with _telling(name), closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(bytes(plain))
        connection.execute("PRAGMA query_only = ON")
        until = time.monotonic() + _CHECK_SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
        _check_tables(connection, name)  # before the pages, since checking those evaluates what tables declare
        _check_pages(connection, name)
        return list(_lines(connection, name))


def lines_in(path: Path) -> list[bytes]:
    """Return the records in a project file, which others may have open."""
    _check_size(path)
    with _telling(path.name), closing(_opened(path, "ro")) as connection:
        return list(_checked_lines(connection, path.name))


class Database:
    """A project file that is open for adding records."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        _check_size(path)
        with _telling(self._name):
            self._connection = _opened(path, "rw")
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = FULL")
                self._lines = list(_checked_lines(self._connection, self._name))
                # The lock of a project keeps other programs from adding records; not all file systems have locks.
                self._known = self._lines[-1] if self._lines else None
            except BaseException:
                self._connection.close()
                raise

    def read(self) -> list[bytes]:
        """Hand over the records that the file had when it was opened; they are not kept."""
        lines, self._lines = self._lines, []
        return lines

    def append(self, records: Sequence[Record]) -> None:
        """Add records, all or none; they are on disk when this returns."""
        with _telling(self._name):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                if self._last() != self._known:
                    raise EditConflictError(
                        f"{self._name} was changed by another program since it was opened; open it again"
                    )
                _insert(self._connection, records)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._known = records[-1].line()

    def close(self) -> None:
        """Close the file; what the write-ahead log holds is moved into it."""
        self._connection.close()

    def _last(self) -> bytes | None:
        row = self._connection.execute("SELECT record FROM records ORDER BY number DESC LIMIT 1").fetchone()
        return None if row is None else row[0]


def _insert(connection: sqlite3.Connection, records: Sequence[Record]) -> None:
    lines = ((record.number, record.line()) for record in records)
    connection.executemany("INSERT INTO records (number, record) VALUES (?, ?)", lines)


def _check_size(path: Path) -> None:
    if not is_project_file(path):
        if not path.exists():
            raise FileNotFoundError(2, "no such file", str(path))
        raise ProjectError(f"{path.name} is not a project file of the studio; name one that ends in {SUFFIX}")
    if path.stat().st_size > MAX_PROJECT_BYTES:
        raise ProjectError(f"{path.name} is longer than {MAX_PROJECT_BYTES:,} bytes; begin a new project")


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    """Open a file that exists; one in a folder that cannot be written to is read as it is, if nobody is writing it."""
    uri = f"file:{quote(str(path.resolve()))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        if mode != "ro" or path.with_name(f"{path.name}-wal").exists():
            raise
        connection = sqlite3.connect(f"{uri}&immutable=1", uri=True, isolation_level=None)
    return connection


def _check_pages(connection: sqlite3.Connection, name: str) -> None:
    """Refuse a file whose pages do not fit together."""
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise ProjectError(f"{name} is damaged ({found}); restore it from an export or a copy")


def _checked_lines(connection: sqlite3.Connection, name: str) -> Iterator[bytes]:
    _check_tables(connection, name)
    yield from _lines(connection, name)


def _check_tables(connection: sqlite3.Connection, name: str) -> None:
    """Refuse a file that is no project, or has other tables than a project has; nothing in it is evaluated."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_FILE_BYTES + 1024)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise ProjectError(f"{name} is a SQLite file of another program, and not a project")
    tables = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY rowid").fetchall()
    if tables != _TABLES:
        raise ProjectError(f"{name} holds other tables than a project does; it was changed, or is of a newer evoter")


def _lines(connection: sqlite3.Connection, name: str) -> Iterator[bytes]:
    for number, record in connection.execute("SELECT number, record FROM records ORDER BY number"):
        if not isinstance(record, bytes):
            raise ProjectError(f"record {number} of {name} is not in the form in which records are written")
        yield record


@contextmanager
def _telling(name: str) -> Iterator[None]:
    """Say in plain words what SQLite complains about."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise ProjectError(f"{name} cannot be read or written ({error}); restore it from an export or a copy") from None
