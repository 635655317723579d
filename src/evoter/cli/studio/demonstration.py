"""Data and rules to try the studio with: patients with diabetes, which scikit-learn contains, and a first guess."""

import csv
from pathlib import Path

TARGET = "progression"
PROTECTED = ("sex",)
FAST = 140.0
"""A disease that progresses by more than this within a year counts as fast; the median is 140.5."""

COLUMNS = (
    "age", "sex", "bmi", "blood_pressure", "cholesterol", "ldl", "hdl", "cholesterol_ratio", "log_triglycerides",
    "glucose",
)  # fmt: skip
RULES = """\
bmi > 30 AND blood_pressure > 100 -> fast
log_triglycerides > 5 -> fast
age > 60 AND glucose > 110 -> fast
Default -> slow
"""
"""Written by hand, as somebody might who knows the disease and has not seen the data: something to improve on."""


def write_demonstration(folder: Path) -> tuple[Path, Path]:
    """Write the rules and the table into a folder; return their paths."""
    from sklearn.datasets import load_diabetes

    patients = load_diabetes(scaled=False)
    table = folder / "diabetes.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*COLUMNS, TARGET])
        for values, progression in zip(patients.data.tolist(), patients.target.tolist(), strict=True):
            row = [f"{value:.10g}" for value in values]
            row[COLUMNS.index("sex")] = f"group {int(values[COLUMNS.index('sex')])}"  # the source does not say which
            writer.writerow([*row, "fast" if progression > FAST else "slow"])
    rules = folder / "diabetes.rules.txt"
    rules.write_text(RULES, encoding="utf-8")
    return rules, table
