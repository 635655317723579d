"""Opening the studio in a browser without showing its token to other users of the machine."""

import html
import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAGE = """<!doctype html>
<meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}"><title>EVOTER studio</title>
<p><a href="{url}">Open the studio</a></p>
"""


@contextmanager
def browser_opened(url: str) -> Iterator[bool]:
    """Open an address in a browser, if there is one; give whether that was tried.

    The command line of a browser is visible to all users of a machine, so that it names a file that only this user can
    read, and which leads to the address; the file is there as long as the context.
    """
    if not has_screen():
        yield False
        return
    with tempfile.TemporaryDirectory(prefix="evoter-studio-") as folder:
        page = Path(folder) / "open.html"
        page.write_text(_PAGE.format(url=html.escape(url)), encoding="utf-8")
        page.chmod(0o600)
        try:
            tried = webbrowser.open(page.as_uri())
        except (OSError, webbrowser.Error):
            tried = False
        yield tried


def has_screen() -> bool:
    """Tell whether a browser could show a window; one in the terminal would be in the way."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
