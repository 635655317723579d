"""Old names of attributes still work, with a warning that says the new one."""

import pytest

from evoter.evolution.settings import Settings
from evoter.renamed import renamed_to


class Model:
    old_ = renamed_to("new_")


def test_the_old_name_reads_the_new_one() -> None:
    model = Model()
    assert not hasattr(model, "old_"), "as long as there is nothing to read"
    model.new_ = 3  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="old_ is now called new_"):
        assert model.old_ == 3


def test_settings_know_their_old_names() -> None:
    with pytest.warns(DeprecationWarning, match=r"Settings\.surplus is now called oversampling"):
        assert Settings(oversampling=3).surplus == 3
    with pytest.warns(DeprecationWarning, match="'surplus' is now called 'oversampling'"):
        assert Settings().replace(surplus=3).oversampling == 3
