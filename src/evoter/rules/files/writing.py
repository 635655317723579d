"""Writing files: each is replaced whole and durably, nothing is left lying about, and a file can be locked.

`write_file` writes a draft beside the file, forces it to disk, renames it, and forces the folder to disk. A crash at
any moment leaves the old file or the new one. A draft that a killed process left is removed by the next write.
"""

import os
import secrets
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from glob import escape
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows has no advisory locks of this kind: abandoned drafts stay, and every lock is granted
    fcntl = None  # type: ignore[assignment]

DRAFT_SUFFIX = ".tmp"
LOCK_SUFFIX = ".lock"
_HOLDER_BYTES = 200
_temporary: set[Path] = set()


class FileInUseError(OSError):
    """Another process, or another thread of this one, is using a file that only one may use at a time."""


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Replace a file all at once: readers find the old or the new content, whole, also after a crash or a full disk."""
    write_files({Path(path): content})


def write_files(contents: Mapping[Path, str | bytes], replacing: AbstractContextManager[object] | None = None) -> None:
    """Replace several files: none before all drafts are on disk, then each at once, the last one after all others.

    A failure to write leaves all files as they were. A crash between the first and the last file leaves new files
    beside old ones, so the last file should tell what belongs to it. The files are replaced within the context
    `replacing`.
    """
    with ExitStack() as drafts:
        written = [drafts.enter_context(_draft(path, content)) for path, content in contents.items()]
        with replacing or nullcontext():
            for number, (draft, target) in enumerate(written, 1):
                if number == len(written) > 1:
                    _sync_folders(written)
                with _naming(target):
                    draft.replace(target)
    _sync_folders(written)


@contextmanager
def replaced_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Give an open file that replaces another one, whole, when the context is left; after an error, nothing changes."""
    place = Path(path)
    target = place.resolve()
    _remove_abandoned_drafts(target)
    with _naming(place):
        draft, descriptor = _open_draft(target)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            with _naming(place):
                file.flush()
                os.fsync(descriptor)
        with _naming(place):
            draft.replace(target)
        sync_folder(target.parent)
    finally:
        draft.unlink(missing_ok=True)
        _temporary.discard(draft)


@contextmanager
def _draft(path: Path, content: str | bytes) -> Iterator[tuple[Path, Path]]:
    """Write a draft of a file to disk, to be renamed in this context; give the paths of draft and file."""
    target = path.resolve()  # a symbolic link stays: the file it points to is replaced
    _remove_abandoned_drafts(target)
    with _naming(path):
        draft, descriptor = _open_draft(target)
    try:
        try:
            with _naming(path):
                write_all(descriptor, content.encode() if isinstance(content, str) else content)
                os.fsync(descriptor)
            if fcntl is not None:
                yield draft, target  # while it is locked, so that nobody takes it for abandoned
        finally:
            os.close(descriptor)
        if fcntl is None:
            yield draft, target  # Windows renames closed files only
    finally:
        draft.unlink(missing_ok=True)
        _temporary.discard(draft)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Name the file in errors: those of an open file do not."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def remove_temporary_files() -> None:
    """Remove the drafts and locks of this process, which is about to end without leaving any context."""
    for path in list(_temporary):
        path.unlink(missing_ok=True)


def _sync_folders(written: Iterable[tuple[Path, Path]]) -> None:
    for folder in {target.parent for _, target in written}:
        sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Force a rename in a folder to disk, where the operating system and the file system can do so."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows, or a folder that may be written to and not read
        return
    try:
        os.fsync(descriptor)
    except OSError:  # some network file systems refuse to sync folders; the file itself is synced
        return
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep others from locking the same file while the context lasts; raise FileInUseError if it is locked already.

    The lock ends with the process that holds it, however that process ends. File systems without locks grant all.
    """
    place = Path(path).resolve()
    lock = place.with_name(f".{place.name}{LOCK_SUFFIX}")
    descriptor = _acquire(lock, os.fspath(path))
    try:
        os.ftruncate(descriptor, 0)
        write_all(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        yield
    finally:
        lock.unlink(missing_ok=True)
        _temporary.discard(lock)
        os.close(descriptor)


def _acquire(lock: Path, name: str) -> int:
    """Open and lock a lock file, which is created if need be and names its holder."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        if not _try_lock(descriptor):
            holder = os.read(descriptor, _HOLDER_BYTES).decode(errors="replace").strip() or "another process"
            os.close(descriptor)
            raise FileInUseError(f"{name} is in use by {holder}; wait until it ends, or use another file")
        if _is_at(lock, descriptor):
            _temporary.add(lock)
            return descriptor
        os.close(descriptor)  # the last holder removed the file in between: nobody else would find this lock


def _open_draft(target: Path) -> tuple[Path, int]:
    """Create a draft of a file and lock it, which tells other writers that it is not abandoned."""
    while True:
        draft = target.with_name(f".{target.name}.{secrets.token_hex(8)}{DRAFT_SUFFIX}")
        _temporary.add(draft)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        if _try_lock(descriptor) and _is_at(draft, descriptor):
            return draft, descriptor
        os.close(descriptor)  # another writer took it for abandoned before it was locked


def _remove_abandoned_drafts(target: Path) -> None:
    """Remove drafts of a file whose writers were killed: their locks are free."""
    if fcntl is None:
        return
    for draft in target.parent.glob(f".{escape(target.name)}.*{DRAFT_SUFFIX}"):
        try:
            descriptor = os.open(draft, os.O_RDONLY)
        except OSError:  # gone by now, or not ours to read
            continue
        try:
            if _try_lock(descriptor):
                draft.unlink(missing_ok=True)
        except OSError:  # not ours to remove
            continue
        finally:
            os.close(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    """Write all of some content to an open file, however much of it a call takes."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _is_at(path: Path, descriptor: int) -> bool:
    """Tell whether a path still leads to an open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _try_lock(descriptor: int) -> bool:
    """Lock an open file, unless it is locked already; True where locks are not supported at all."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
