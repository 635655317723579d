"""Projects of the studio: versions of rules, test openings and signatures, in one file whose entries are chained."""

from evoter.rules.editing.logged_rules import EditConflictError
from evoter.studio.project.contents import Origin, Setup, SignOff, TestOpening, Version
from evoter.studio.project.errors import ProjectError
from evoter.studio.project.importing import ImportOutcome, ImportPlan
from evoter.studio.project.project import Project
from evoter.studio.project.records import Record, RecordKind
from evoter.studio.project.rows import Split, row_hashes
from evoter.studio.project.verification import ProjectVerification, verify_project

__all__ = [
    "Project",
    "ProjectError",
    "EditConflictError",
    "Setup",
    "Version",
    "Origin",
    "Split",
    "row_hashes",
    "TestOpening",
    "SignOff",
    "ImportOutcome",
    "ImportPlan",
    "Record",
    "RecordKind",
    "ProjectVerification",
    "verify_project",
]
