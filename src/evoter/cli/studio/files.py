"""The files that the studio is given: rules or a project, a table, and where the project is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from evoter.cli.fit.column_roles import Choices
from evoter.cli.fit.protected import check_protected
from evoter.cli.output import Failure, writable
from evoter.cli.rule_files import RuleFile, load_rules
from evoter.cli.tables.files import ReadingOptions, Source, read_source, unknown_column
from evoter.studio.project import Project, ProjectError, Setup
from evoter.studio.project.database import SUFFIX, is_project_file
from evoter.studio.running.notebook import open_project
from evoter.studio.table.columns import StudioTable

if TYPE_CHECKING:
    from evoter.rules.model import RuleSet


@dataclass(frozen=True, slots=True)
class Given:
    """What the command line names: a rule file or a project or neither, and a table."""

    rules: RuleFile | None
    project: Path | None
    table: str

    @classmethod
    def read(cls, names: Sequence[str], project: str | None) -> "Given":
        """Tell by their content which of one or two files is what."""
        if not names or len(names) > 2:
            raise Failure(
                "the studio takes a table, and before it the rules or the project",
                "evoter studio rules.json data.csv --target COLUMN, or evoter studio --demo",
            )
        *first, table = names
        if is_project_file(table):
            raise Failure(
                f"{table} is a project, which does not hold the rows",
                f"name the table too: evoter studio {table} TABLE",
            )
        named = None if project is None else Path(project).expanduser()
        if not first:
            return cls(None, named, table)
        if is_project_file(first[0]):
            if named is not None:
                raise Failure(f"--project has no effect beside {first[0]}, which is a project", "leave out one of them")
            return cls(None, Path(first[0]).expanduser(), table)
        if first[0].endswith(SUFFIX):
            raise Failure(
                f"there is no project {first[0]}" if not Path(first[0]).exists() else f"{first[0]} is no project",
                f"begin one with evoter studio {table} --project {first[0]}",
            )
        return cls(load_rules(first[0]), named, table)

    @property
    def project_path(self) -> Path:
        """The project file that is named, or else one named after the rules or the table."""
        if self.project is not None:
            return self.project if self.project.suffix == SUFFIX else self.project.with_name(self.project.name + SUFFIX)
        if self.rules is not None and self.rules.path is not None:
            name = self.rules.path.name.removesuffix(self.rules.path.suffix).removesuffix(".rules")
        else:
            name = "table" if self.table == "-" else Path(Path(self.table).name.removesuffix(".gz")).stem
        return Path(f"{name}{SUFFIX}")

    @property
    def ruleset(self) -> "RuleSet | None":
        """The rules of the rule file."""
        return None if self.rules is None else self.rules.ruleset


@dataclass(frozen=True, slots=True)
class Opened:
    """An open project with its table; `continued` tells whether it was there before."""

    project: Project
    table: StudioTable
    continued: bool


def open_files(
    given: Given,
    reading: ReadingOptions,
    *,
    target: str | None,
    protected: Sequence[str],
    identifier: str | None,
    author: str | None,
) -> Opened:
    """Read the table, and open the project or create it; options must agree with a project that is continued."""
    path = writable(given.project_path)
    source = read_source(given.table, reading)
    continued = path.exists()
    if not continued:
        setup = _new_setup(given, source, target, protected, identifier)
        table = _table(source, setup, given.ruleset)
        project = open_project(path, replace(setup, target=table.plan.target), given.ruleset, author=author)
        return Opened(project, table, continued)
    with _closing_on_error(Project.open(path)) as opened:
        project = opened.project
        _check_same(project.setup, path.name, target, protected, identifier)
        rules = given.ruleset
        if rules is not None and rules not in [version.active for version in project.versions]:
            raise Failure(
                f"{path.name} is a project with other rules than those of {given.rules.name if given.rules else ''}",
                f"continue it with evoter studio {path.name} {given.table}, or begin another with --project",
            )
        ruleset = project.current.ruleset if project.current is not None else None
        return Opened(project, _table(source, project.setup, ruleset), continued)


class _closing_on_error:  # noqa: N801 - a context manager, named like a function
    """Closes a project if the context fails, and leaves it open otherwise."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def __enter__(self) -> "_closing_on_error":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is not None:
            self.project.close()


def import_project(project: Project, path: str, author: str | None) -> str:
    """Take in a project file that others have continued; return what happened in a sentence."""
    from evoter.cli.tables.files import read_bytes

    name = Path(path).name
    try:
        outcome, version = project.import_file(read_bytes(path), reason=f"imported from {name}", author=author)
    except ProjectError as error:
        raise Failure(f"{name} cannot be imported: {error}") from None
    if version is None:
        return f"{name} holds nothing new"
    if outcome == "continued":
        return f"{name} continues this project: its entries were added"
    return f"{name} has another history: its rules became version {version.number}"


def _new_setup(
    given: Given, source: Source, target: str | None, protected: Sequence[str], identifier: str | None
) -> Setup:
    record = None if given.rules is None else given.rules.record()
    known = target or (None if record is None else record.target)
    checked = check_protected(protected, source, known)
    if identifier is not None and identifier not in source.names:
        raise unknown_column(identifier, source.names, source.name)
    return Setup(known or "", source.name, checked, identifier)


def _table(source: Source, setup: Setup, ruleset: "RuleSet | None") -> StudioTable:
    choices = Choices(target=setup.target or None, identifier=setup.identifier)
    return StudioTable.from_source(source, choices, ruleset)


def _check_same(setup: Setup, name: str, target: str | None, protected: Sequence[str], identifier: str | None) -> None:
    """Refuse options that say something else than the project that is continued."""
    for option, said, known in (
        ("--target", target, setup.target),
        ("--protected", ", ".join(protected) or None, ", ".join(setup.protected)),
        ("--id", identifier, setup.identifier),
    ):
        if said is not None and said != known:
            raise Failure(
                f"{option} {said} has no effect: {name} is a project with {option} {known or 'left out'}",
                f"leave out {option}, or begin another project with --project",
            )
