"""The user's own text editor, opened on the text of rules."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evoter.cli.output import Failure

_COMMON = ("sensible-editor", "nano", "vi", "notepad")


def editor_command() -> list[str]:
    """Return the command of the user's editor: $VISUAL, $EDITOR, or a common one in a terminal."""
    for variable in ("VISUAL", "EDITOR"):
        if command := os.environ.get(variable, "").strip():
            return shlex.split(command)
    found = next((name for name in _COMMON if shutil.which(name)), None) if sys.stdin.isatty() else None
    if found is None:
        raise Failure(
            "there is no editor to open the rules in", "set $EDITOR, or give edits as options: --replace, --drop, ..."
        )
    return [found]


def edit_text(text: str, notes: Sequence[str], command: Sequence[str], path: Path | None = None) -> tuple[str, Path]:
    """Let the user edit a text, which begins with notes; return it with them, and the file that holds it.

    The file is left for the caller to remove, so that nothing that was typed is lost if it makes no sense.
    """
    if path is None:
        descriptor, name = tempfile.mkstemp(prefix="evoter-", suffix=".rules")
        os.close(descriptor)
        path = Path(name)
    commented = "".join(f"# {note}\n" for note in notes)
    path.write_text(f"{commented}{text}\n", encoding="utf-8")
    try:
        code = subprocess.run([*command, str(path)], check=False).returncode
    except OSError as error:
        path.unlink()
        raise Failure(f"the editor {command[0]!r} cannot be started: {error.strerror}", "set $EDITOR") from None
    if code != 0:
        raise Failure(
            f"the editor {command[0]!r} ended with code {code}", f"nothing was changed; your text is in {path}"
        )
    return path.read_text(encoding="utf-8"), path


def without_notes(text: str) -> str:
    """Return a text without the lines that are comments."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))
