"""Project files from elsewhere: what one is to the project at hand, checked as a whole before anything is changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evoter.studio.project.contents import Origin
from evoter.studio.project.database import lines_of
from evoter.studio.project.errors import ProjectError
from evoter.studio.project.records import Record, RecordKind, parse_chain
from evoter.studio.project.state import State
from evoter.studio.project.verification import inspect_chain

NAME = "the file to import"


class ImportOutcome(StrEnum):
    """What becomes of a project file that is imported."""

    SAME = "same"
    CONTINUED = "continued"
    OPENED = "opened"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """A project file that was checked, what becomes of it, and the head of the project that this is true for."""

    outcome: ImportOutcome
    records: tuple[Record, ...]
    state: State
    head: str


def plan_import(content: bytes, ours: State, *, take_over: bool = False) -> ImportPlan:
    """Check a project file given by its content, and say what becomes of it.

    It is refused unless `evoter verify` would accept it. With `take_over`, it takes the place of a project in which
    nobody has done anything yet.
    """
    chain = parse_chain(lines_of(content, NAME))
    theirs, findings = inspect_chain(chain)
    wrong = next((each for each in findings if not each.passed), None)
    if wrong is not None or theirs.setup is None:
        raise ProjectError(f"{NAME} does not verify: {wrong.message if wrong else 'it has no set-up'}")
    records = chain.records

    def plan(outcome: ImportOutcome) -> ImportPlan:
        return ImportPlan(outcome, records, theirs, ours.head)

    if _begins_with(ours.records, records):
        return plan(ImportOutcome.SAME)
    if _begins_with(records, ours.records):
        return plan(ImportOutcome.CONTINUED)
    if ours.setup is not None and theirs.setup.target != ours.setup.target:
        raise ProjectError(
            f"{NAME} is a project about {theirs.setup.target!r}, and this one is about {ours.setup.target!r}"
        )
    if take_over and is_untouched(ours):
        return plan(ImportOutcome.OPENED)
    if theirs.current is None:
        raise ProjectError(f"{NAME} is another project, and has no rules yet")
    return plan(ImportOutcome.BRANCH)


def is_untouched(state: State) -> bool:
    """Tell whether a project has nothing in it but what it began with."""
    begun = (RecordKind.BEGIN, RecordKind.SPLIT, RecordKind.FAVOURABLE, RecordKind.VERSION)
    return all(record.kind in begun for record in state.records) and all(
        version.origin is Origin.BEGIN for version in state.versions
    )


def _begins_with(records: Sequence[Record], others: Sequence[Record]) -> bool:
    return len(records) >= len(others) and records[len(others) - 1].hash == others[-1].hash
