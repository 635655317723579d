"""Without the extra, fetching says what to install."""

import pytest

from evoter.datasets.libraries import load_library, load_pandas


def test_a_library_that_is_there_is_loaded() -> None:
    assert load_pandas().__name__ == "pandas"


def test_a_library_that_is_not_there_is_named_with_its_remedy() -> None:
    with pytest.raises(ImportError, match=r'needs no_such_library, .* pip install "evoter\[data\]"') as caught:
        load_library("no_such_library.part")
    assert caught.value.name == "no_such_library"
