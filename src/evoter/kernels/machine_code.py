"""The cache of machine code on disk: never stale, never trusted when damaged, and never a reason for a run to fail.

numba's own cache looks only at the file of the function itself, so an edit to a kernel that another file calls would
keep old code alive; it stops a program whose cache is damaged or cannot be written. Here the folder is named after a
digest of all kernel sources, every file carries a checksum, and whatever cannot be read or written is compiled again.

Several processes may start at once. The first one that needs a kernel reserves it, and the others wait for its machine
code; a reservation ends with the process that holds it.
"""

import getpass
import hashlib
import os
import pickle
import platform
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import _Cache
from numba.core.serialize import dumps

from evoter.kernels.stored_code import restored, stored
from evoter.rules.files.writing import FileInUseError, locked, write_file

FOLDER_VARIABLE = "NUMBA_CACHE_DIR"
"""Names a folder for machine code; it is then the only one that is tried."""

LONGEST_WAIT = 300.0
"""Seconds after which a kernel is compiled, although another process has reserved it and may hang."""

_BETWEEN_LOOKS = 0.02
_PACKAGE = Path(__file__).parents[1]
_SUFFIX = ".kernel"
_CHECKSUM_BYTES = 32
_TAG = f"py{''.join(platform.python_version_tuple()[:2])}-numba{numba.__version__}"


class KernelCache(_Cache):
    """What numba asks of a cache, for one kernel: machine code by signature, each in a file of its own."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._enabled = True
        self._reservation: ExitStack | None = None

    @contextmanager
    def reserving(self) -> Iterator[None]:
        """Reserve what is not found in the cache until this context ends, so that no other process compiles it too."""
        if self._reservation is not None:  # a kernel that is being compiled for one signature needs another
            yield
            return
        with ExitStack() as reservation:
            self._reservation = reservation
            try:
                yield
            finally:
                self._reservation = None

    @property
    def cache_path(self) -> str | None:
        """The folder of the machine code, None if there is none."""
        folder = cache_folder()
        return None if folder is None else str(folder)

    def has_code(self) -> bool:
        """Tell whether there is machine code on disk for some signature."""
        return any(any(folder.glob(f"{self._name}-*{_SUFFIX}")) for folder in readable_folders())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel for a signature, None if it must be compiled."""
        if not Path(self._function.__code__.co_filename).is_relative_to(_PACKAGE):
            target_context.refresh()  # other kernels than ours may need anything that numba has
        name = self._file_name(sig, target_context.codegen())
        for readable in readable_folders() if self._enabled else ():
            found = _load(readable / name, sig, target_context)
            if found is not None:
                return found
        folder = cache_folder() if self._enabled else None
        if folder is None or not self._reserve(folder / name):
            return None
        return _load(folder / name, sig, target_context)  # another process may have made it in the meantime

    def _reserve(self, path: Path) -> bool:
        """Wait until no other process compiles a kernel, and reserve it; return whether looking again is worthwhile."""
        if self._reservation is None:
            return False
        begin = time.monotonic()
        while time.monotonic() - begin < LONGEST_WAIT:
            try:
                self._reservation.enter_context(locked(path))
            except FileInUseError:
                time.sleep(_BETWEEN_LOOKS)
            except OSError:  # a full disk, for example: several processes may then do the same work
                return False
            else:
                return True
        return False

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel; where that is impossible, the next process compiles it again."""
        folder = cache_folder() if self._enabled else None
        if folder is None or data.lifted or data.library.has_dynamic_globals:
            return
        try:
            content: bytes = dumps((sig, stored(data)))  # type: ignore[no-untyped-call]
        except (AttributeError, TypeError, ValueError):  # a numba in which `stored` does not find what it needs
            return
        try:
            write_file(folder / self._file_name(sig, data.codegen), hashlib.sha256(content).digest() + content)
        except OSError:  # a full disk or a folder that has been removed
            return

    def enable(self) -> None:
        """Use the cache."""
        self._enabled = True

    def disable(self) -> None:
        """Neither load nor keep machine code."""
        self._enabled = False

    def flush(self) -> None:
        """Forget the machine code of this kernel."""
        folder = cache_folder()
        for path in () if folder is None else folder.glob(f"{self._name}-*{_SUFFIX}"):
            _remove(path)

    def _file_name(self, sig: Any, codegen: Any) -> str:
        """Return the name of the file of a signature on this kind of processor."""
        code = self._function.__code__
        key = (
            str(sig),
            codegen.magic_tuple(),
            code.co_code.hex(),
            str(code.co_consts),
            _source_digest(code.co_filename),
        )
        return f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}{_SUFFIX}"


def _load(path: Path, sig: Any, target_context: Any) -> Any:
    """Return the compiled kernel in a file, None if there is none."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    try:
        if hashlib.sha256(content[_CHECKSUM_BYTES:]).digest() != content[:_CHECKSUM_BYTES]:
            raise ValueError("the file is damaged")
        signature, parts = pickle.loads(content[_CHECKSUM_BYTES:])  # noqa: S301 - our own file, checked
        return restored(target_context, *parts) if signature == sig else None
    except Exception:  # damaged files fail in more ways than can be listed; all are cured by compiling again
        _remove(path)
        return None


@cache
def readable_folders() -> tuple[Path, ...]:
    """Return the folders with machine code of the present sources, the one that is written to first.

    Others may have been filled when an image was built, by a user who could write to the package.
    """
    written = cache_folder()
    folders = [] if written is None else [written]
    for parent in _parents():
        folder = parent / _folder_name()
        try:
            if folder not in folders and _is_private(folder):
                folders.append(folder)
        except OSError:
            continue
    return tuple(folders)


@cache
def cache_folder() -> Path | None:
    """Return the folder for machine code of the present sources, created if need be; None if none can be written to."""
    for parent in _parents():
        folder = parent / _folder_name()
        try:
            if not folder.is_dir():
                _forget_old_sources(parent)
                folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK | os.X_OK) and _is_private(folder):
            return folder
    return None


@cache
def _folder_name() -> str:
    return f"kernels-{kernels_digest()[:16]}-{_TAG}"


def kernels_digest() -> str:
    """Return the digest of all sources that are compiled together."""
    folders = (_PACKAGE / "kernels", _PACKAGE / "environments")
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _source_digest(filename: str) -> str:
    """Return the digest of the file of a kernel that is not part of this package, such as a user's environment."""
    path = Path(filename)
    if path.is_relative_to(_PACKAGE):
        return ""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _parents() -> Iterator[Path]:
    """Yield the folders in which the cache may be, the best first."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        yield Path(chosen)
        return
    yield _PACKAGE / "kernels" / "__pycache__"
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - Path raises without a home
    if Path(home).is_absolute():  # an unknown home stays "~", which must not become a folder of that name
        yield Path(home) / "evoter"
    yield Path(tempfile.gettempdir()) / f"evoter-{_user()}"


def _user() -> str:
    try:
        return str(os.getuid()) if hasattr(os, "getuid") else getpass.getuser()
    except (OSError, KeyError):
        return "user"


def _is_private(folder: Path) -> bool:
    """Tell whether nobody else can put files into a folder: code that is loaded from there is trusted."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.lstat()
    trusted = status.st_uid in (os.getuid(), 0)
    return stat.S_ISDIR(status.st_mode) and trusted and not status.st_mode & stat.S_IWOTH


def _forget_old_sources(parent: Path) -> None:
    """Remove machine code of older sources, but only inside the package, which no other version shares."""
    if parent.is_relative_to(_PACKAGE):
        for folder in parent.glob(f"kernels-*-{_TAG}"):
            shutil.rmtree(folder, ignore_errors=True)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return
