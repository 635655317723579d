"""The history of a project, ready for JSON: versions with their branches, and two of them side by side."""

from typing import Any

from evoter.rules.editing.difference import difference
from evoter.rules.printing.pieces import ASCII, joined, render
from evoter.rules.printing.rule_pieces import default_pieces
from evoter.rules.text import print_rule
from evoter.studio.answers.cards import EditedRules
from evoter.studio.project import Project, Version


def describe_version(project: Project, version: Version) -> dict[str, Any]:
    """Return who made a version, when and why, and what became of it."""
    active = version.active
    return {
        "id": version.number,
        "parent": version.parent,
        "kind": str(version.origin),
        "author": version.author,
        "time": version.time,
        "reason": version.reason,
        "changes": list(version.changes),
        "hash": version.hash,
        "rules_sha256": version.sha256,
        "size": {"rules": len(active.rules), "conditions": active.n_conditions},
        "children": [each.number for each in project.versions if each.parent == version.number],
        "signed": any(each.version == version.number for each in project.sign_offs),
        "openings": sum(1 for each in project.openings if each.version == version.number),
        "is_head": version is project.current,
    }


def describe_versions(project: Project) -> dict[str, Any]:
    """Return the whole history, and where undo and redo lead."""
    current, undo, redo = project.current, project.undo_target, project.redo_target
    return {
        "head": None if current is None else current.number,
        "versions": [describe_version(project, each) for each in project.versions],
        "undo": None if undo is None else undo.number,
        "redo": None if redo is None else redo.number,
    }


def compare_texts(before: EditedRules, after: EditedRules) -> dict[str, Any]:
    """Return what changed in words, and the rules of both that decide, each with whether the other has it too."""
    texts = [_texts(each) for each in (before, after)]
    shared = set(texts[0]) & set(texts[1])
    said = difference(before.active, after.active)
    return {
        "text": [{"change": line} for line in said.splitlines()],
        "sides": [
            [
                {"number": number, "text": text, "same": text in shared}
                for number, text in zip(each.numbers, side, strict=True)
            ]
            for each, side in zip((before, after), texts, strict=True)
        ],
    }


def _texts(edited: EditedRules) -> list[str]:
    active = edited.active
    default = joined(render(default_pieces(active), ASCII))
    return [*(print_rule(rule, active.schema) for rule in active.rules), default]
