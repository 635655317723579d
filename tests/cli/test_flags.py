"""Help texts show flags without a type."""

import pytest

from commands import run


@pytest.mark.parametrize("command", ["fit", "predict", "reproduce", "datasets", "datasets fetch"])
def test_flags_have_no_type(command: str) -> None:
    shown = run(*command.split(), "--help").stdout
    assert "--json" in shown
    assert "<bool>" not in shown
