"""Whether the log of a project is whole and makes sense, and whether a rule file is a version that was signed."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evoter.rules.editing.verification import LogFinding, about_head
from evoter.rules.errors import RuleError
from evoter.rules.files.document import read_file
from evoter.rules.files.sources import parse_rules
from evoter.studio.project.contents import Version, switched_off
from evoter.studio.project.database import lines_in
from evoter.studio.project.errors import ProjectError
from evoter.studio.project.records import Chain, Record, parse_chain
from evoter.studio.project.state import State


@dataclass(frozen=True, slots=True)
class ProjectVerification:
    """All findings about a project file, its records as far as they are whole, and the hash of the last one."""

    findings: tuple[LogFinding, ...]
    records: tuple[Record, ...]
    head: str

    @property
    def passed(self) -> bool:
        """Whether all tests passed."""
        return all(finding.passed for finding in self.findings)


def verify_project(
    path: str | os.PathLike[str], head: str | None = None, rules: str | os.PathLike[str] | None = None
) -> ProjectVerification:
    """Check the chain of a project file, and that every record fits those before it.

    Parameters
    ----------
    path : path
        The project file, which may be in use.
    head : str or None, default=None
        The hash of a record, or its first 12 digits or more, that was noted elsewhere and must be in the chain: without
        it, nobody can tell whether the whole file was written anew, or its end cut off.
    rules : path or None, default=None
        A rule file that must be a version that was signed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import evoter
    >>> from evoter.studio.project import Project, Setup
    >>> rules = evoter.parse("age > 60 -> old; Default -> young")
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "age.evoter"
    ...     with Project.create(path, Setup("group"), rules, author="Ada") as project:
    ...         signed = project.sign_off(version=1, author="Ada", statement="I have read these rules.")
    ...     result = verify_project(path)
    >>> result.passed
    True
    >>> print(result.findings[-1].message)
    version 1 was signed by Ada, and the test rows were not opened for it
    """
    place = Path(path).expanduser()
    try:
        chain = parse_chain(lines_in(place))
    except ProjectError as error:
        return ProjectVerification((LogFinding(False, "file", str(error)),), (), "")
    state, findings = inspect_chain(chain)
    if rules is not None:
        findings.append(_about_rules(Path(rules).expanduser(), state))
    if head is not None:
        findings.append(about_head(head, chain.records))
    return ProjectVerification(tuple(findings), chain.records, chain.head)


def inspect_chain(chain: Chain) -> tuple[State, list[LogFinding]]:
    """Return the state that records lead to, as far as they make sense, and all findings about them."""
    state = State()
    findings = [_about_chain(chain), *_about_meaning(chain, state), *_about_versions(state), *_about_signatures(state)]
    return state, findings


def _about_chain(chain: Chain) -> LogFinding:
    n_records = len(chain.records)
    if chain.broken is not None:
        whole = f"; entries 1 to {n_records} before it are whole" if n_records else ""
        return LogFinding(False, "chain", f"the log is broken at {chain.broken}{whole}")
    if not n_records:
        return LogFinding(False, "chain", "there are no entries: the file was emptied")
    counted = "1 entry" if n_records == 1 else f"{n_records} entries"
    first, last = chain.records[0].time, chain.records[-1].time
    return LogFinding(True, "chain", f"{counted}, {first} to {last}, each with the hash of the one before")


def _about_meaning(chain: Chain, state: State) -> Iterator[LogFinding]:
    for record in chain.records:
        try:
            state.take(record, state.read(record))
        except ProjectError as error:
            yield LogFinding(False, "entries", str(error))
            return


def _about_versions(state: State) -> Iterator[LogFinding]:
    if not state.versions:
        return
    wrong = [message for version in state.versions if (message := _wrong_version(version))]
    for message in wrong:
        yield LogFinding(False, "versions", message)
    if not wrong and state.current is not None:
        counted = "1 version" if len(state.versions) == 1 else f"{len(state.versions)} versions"
        yield LogFinding(True, "versions", f"{counted}, the current one is {state.current.number}")


def _wrong_version(version: Version) -> str:
    if hashlib.sha256(version.rule_file()).hexdigest() != version.sha256:
        return f"version {version.number} names another hash than its rules have"
    try:
        if version.active != switched_off(version.ruleset, version.off):
            return f"version {version.number} decides by other rules than those that are switched on"
    except RuleError as error:
        return f"the rules of version {version.number} cannot be read: {error}"
    return ""


def _about_signatures(state: State) -> Iterator[LogFinding]:
    n_openings = len(state.openings)
    if n_openings:
        looks = "once" if n_openings == 1 else f"{n_openings} times"
        versions = ", ".join(dict.fromkeys(str(each.version) for each in state.openings))
        yield LogFinding(True, "test rows", f"opened {looks}, for version {versions}")
    for signed in state.sign_offs:
        if signed.opening is None:
            how = "and the test rows were not opened for it"
        else:
            how = f"after opening {signed.opening} of {n_openings} of the test rows"
        but = f", although this is not proved: {'; '.join(signed.unproved)}" if signed.unproved else ""
        yield LogFinding(True, "sign-off", f"version {signed.version} was signed by {signed.author}, {how}{but}")


def _about_rules(path: Path, state: State) -> LogFinding:
    content = read_file(path)
    digest = hashlib.sha256(content).hexdigest()
    same = [version for version in state.versions if version.sha256 == digest]
    written = "is"
    if not same:
        found = parse_rules(content)
        same = [version for version in state.versions if version.active == found]
        written = "has the rules of, written differently,"
    if not same:
        return LogFinding(False, "rules", f"{path.name} is no version of this project")
    numbers = {version.number for version in same}
    signed = [each for each in state.sign_offs if each.version in numbers]
    if not signed:
        return LogFinding(False, "rules", f"{path.name} {written} version {same[-1].number}, which nobody signed")
    names = ", ".join(dict.fromkeys(each.author for each in signed))
    return LogFinding(True, "rules", f"{path.name} {written} version {signed[-1].version}, signed by {names}")
