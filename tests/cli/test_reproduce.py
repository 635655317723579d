"""Tests of `evoter reproduce`: the list, and wrong names; the runs themselves are tested with the experiments."""

from commands import fails, run, run_json


def test_experiments_are_listed() -> None:
    listed = run_json("reproduce", "--list")
    assert "iris" in [each["name"] for each in listed]
    output = run("reproduce", "--list").stdout
    assert all(each["name"] in output for each in listed)


def test_unknown_experiments_are_one_line() -> None:
    message, hint = fails("reproduce", "irris")
    assert message == "no experiment is called 'irris'"
    assert hint == "did you mean 'iris'?"
