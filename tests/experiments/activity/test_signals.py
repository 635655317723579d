"""Signals become tables and series whose columns are named as rules name them."""

from evoter.experiments.activity.signals import COLUMNS, WARM_UP, as_series, load_signals


def test_columns_are_named_as_rules_name_them() -> None:
    frame = load_signals(WARM_UP).data
    series = as_series(frame)
    assert (series[:, 0, -1] == frame["total_acc_x[0]"]).all()
    assert (series[:, 8, 0] == frame["body_gyro_z[127]"]).all()
    assert len(COLUMNS) == len(set(COLUMNS)) == 1152
