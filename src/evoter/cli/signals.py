"""Ctrl-C and SIGTERM: a command ends at once with one line, or first keeps the best that it has.

Python runs a signal handler only when the main thread is between two instructions, which can take seconds while
machine code is made; and an exception that a handler raises can be lost, because numba's compiler is called back in
places where exceptions are printed and dropped. So a thread decides: a signal wakes it, and it ends the process.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDINGS = {int(signal.SIGINT): ("interrupted", 130), int(signal.SIGTERM): ("terminated", 143)}
"""For each signal, what a command says and its exit code."""

_WRITING = "evoter.rules.files.writing"


class _Command:
    """What is known about the running command: the main thread notes signals, the other one decides about them."""

    def __init__(self) -> None:
        self.deciding = threading.Lock()
        self.noted: int | None = None
        self.is_ending = False
        self.notice: str | None = None
        self.keeps = False
        self.raises = False
        self.raised = False


_command = _Command()


def install() -> None:
    """Decide about signals here from now on; signals that are ignored, as under nohup, stay so."""
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may set handlers
    awake, wake = socket.socketpair()
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.detach(), warn_on_full_buffer=False)
    threading.Thread(target=_decide, args=(awake,), daemon=True, name="signals").start()
    for number in ENDINGS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _in_main_thread)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_restore)


def keep(notice: str | None) -> None:
    """From now on, let a signal only be noted, and print the notice then; a second signal still ends the command."""
    with _command.deciding:
        _command.keeps, _command.notice = True, notice


def let_go() -> None:
    """From now on, let a signal end the command at once: there is nothing to lose any more."""
    with _command.deciding:
        _command.keeps = _command.raises = False


@contextmanager
def raising() -> Iterator[None]:
    """Let the first signal raise KeyboardInterrupt in the main thread, for code that expects it."""
    keep(None)
    _command.raises = True
    try:
        yield
    finally:
        let_go()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let signals wait until the context is left; it must be short."""
    with _command.deciding:
        yield


def code_of_signal() -> int | None:
    """Return the exit code for the signal that was noted, None if there was none."""
    return None if _command.noted is None else ENDINGS[_command.noted][1]


def _decide(awake: socket.socket) -> None:
    while True:
        for number in awake.recv(64):
            if number in ENDINGS:
                _receive(number)


def _receive(number: int) -> None:
    with _command.deciding:
        # The main thread may have raised KeyboardInterrupt and let go before this thread hears of the signal.
        answered = _command.keeps or _command.raised
        if not answered or _command.is_ending:
            _end(number)
        _command.is_ending = True
        if _command.notice is not None:
            _say(f"{ENDINGS[number][0]}: {_command.notice}")


def _end(number: int) -> None:
    """End the process, without drafts of files left behind and with the terminal as it was."""
    word, code = ENDINGS[number]
    _say(f"evoter: {word}")
    if remove := getattr(sys.modules.get(_WRITING), "remove_temporary_files", None):
        remove()
    os._exit(code)


def _say(text: str) -> None:
    """Print a line, whatever the main thread is doing to the standard streams."""
    # In a terminal there may be a line that shows progress, and a hidden cursor.
    start = "\r\x1b[2K\x1b[?25h" if os.isatty(2) and os.environ.get("TERM", "dumb") != "dumb" else ""
    try:
        os.write(2, f"{start}{text}\n".encode())
    except OSError:
        return


def _in_main_thread(number: int, frame: FrameType | None) -> None:
    """Note the signal and leave the decision to the thread, except where KeyboardInterrupt is expected."""
    _command.noted = _command.noted or number
    if _command.raises:
        _command.raises, _command.raised = False, True
        raise KeyboardInterrupt


def _restore() -> None:
    """Leave signals to Python in a child process: it has no thread that decides, and its signals are its own."""
    signal.set_wakeup_fd(-1)
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) is _in_main_thread:
            signal.signal(number, handler)
