"""Names are loaded when they are asked for, and packages list what is theirs and nothing else."""

import importlib
import subprocess
import sys

import pytest

PACKAGES = ["evoter", "evoter.export", "evoter.experiments", "evoter.problems"]


@pytest.mark.parametrize("name", PACKAGES)
def test_all_public_names_are_there(name: str) -> None:
    package = importlib.import_module(name)
    assert set(package.__all__) <= set(dir(package))
    assert all(getattr(package, each) is not None for each in package.__all__)
    assert not {"lazily", "TYPE_CHECKING"} & set(dir(package))
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_a_name_loads_its_module_and_no_other() -> None:
    code = """
import sys, evoter.export
assert "evoter.export.sql" not in sys.modules
evoter.export.to_sql
assert "evoter.export.sql" in sys.modules
assert "evoter.export.pmml" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
