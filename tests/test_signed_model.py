"""The tutorial that goes from a fitted model to a signed one shows real output on the command line, too."""

import os
import re
from pathlib import Path

import pytest

from commands import shown_and_printed
from project import ROOT
from test_examples import blocks

PAGE = ROOT / "docs" / "tutorial_signed_model.md"
ANY_LINES = "\n...\n"


@pytest.mark.skipif("EVOTER_DATA" not in os.environ, reason="set EVOTER_DATA to a directory that holds published data")
def test_the_tutorial_shows_real_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first block writes the tables that the commands read; a line of three dots stands for lines left out."""
    monkeypatch.chdir(tmp_path)
    written = next(block.text for block in blocks(PAGE) if block.language == "pycon")
    exec(re.sub(r"^(>>>|\.\.\.) ?", "", written, flags=re.MULTILINE), {})  # noqa: S102 - this is our own page
    shown = shown_and_printed(PAGE)
    assert len(shown) == 13
    for expected, printed in shown:
        pattern = r"\n(?:.*\n)*?".join(map(re.escape, f"\n{expected}\n".split(ANY_LINES)))
        assert re.fullmatch(pattern, f"\n{printed}\n"), printed
