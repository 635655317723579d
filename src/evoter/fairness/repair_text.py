"""Repairs as a table: accuracy and difference before and after, on unseen rows and on training rows."""

from evoter.fairness.audit_text import Section, points, points_between, share_text, table_lines
from evoter.fairness.repair import Outcome, Repairs
from evoter.rules.printing.pieces import visible


def repair_section(repairs: Repairs) -> Section:
    """Return the table of all options, with a note about the ends of the front."""
    head: tuple[str, ...]
    rows = [
        (
            each.way,
            str(each.ruleset.n_conditions),
            share_text(each.test.accuracy),
            _difference(each.test),
            "yes" if each.test.difference <= repairs.at_most else "no",
            *((share_text(each.train.accuracy), _difference(each.train)) if repairs.held_out else ()),
        )
        for each in repairs.options
    ]
    head = ("rules", "conditions", "accuracy", "difference", "within")
    if repairs.held_out:
        head = ("rules", "conditions", "accuracy, unseen", "difference, unseen", "within")
        head += ("accuracy, training", "difference, training")
    rate = repairs.rate.replace("_", " ")
    wanted = f"at most {100 * repairs.at_most:.1f} points wanted"
    notes = list(repairs.notes)
    if repairs.front:
        ends = [
            f"{share_text(each.test.accuracy)} right with a difference of {points(each.test.difference)}"
            for each in (repairs.front[0], repairs.front[-1])
        ]
        notes.append(f"front of {len(repairs.front)} candidates, on unseen rows: {ends[0]} to {ends[1]}")
    title = f"Difference in {rate} for the decision {repairs.favourable}, in percentage points; {wanted}"
    return Section(title, head, rows, notes, (0, 4))


def text_of(repairs: Repairs) -> str:
    """Print the table as plain text."""
    return "\n".join(map(visible, table_lines(repair_section(repairs))))


def _difference(outcome: Outcome) -> str:
    return f"{points(outcome.difference)} ({points_between(outcome.interval)})"
