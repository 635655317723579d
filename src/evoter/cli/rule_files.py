"""Rule files in all formats."""

import hashlib
import inspect
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from evoter.cli.fit_records import RECORD_FORMAT, RECORD_SUFFIX, FitRecord, record_of
from evoter.cli.output import Failure, nearest, split_hint
from evoter.cli.tables.files import read_bytes
from evoter.rules.errors import RuleError, RuleSyntaxError

if TYPE_CHECKING:
    from evoter.export import Format
    from evoter.rules.model import RuleSet


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule set with the name of its file; `path` and `sha256` lead to the record of its fit, if there is one."""

    name: str
    ruleset: "RuleSet"
    path: Path | None = None
    sha256: str = ""

    def record(self) -> FitRecord | None:
        """Return the record of the fit beside the rule file, for audits; None if it is absent or of other rules.

        Rules that were edited are those of the fit if the log of their edits begins with them.
        """
        if self.path is None:
            return None
        return record_of(self.path, self.sha256) or record_of(self.path, self._sha256_before_edits(self.path))

    def _sha256_before_edits(self, path: Path) -> str:
        from evoter.rules.editing.logged_rules import read_log

        entries = read_log(path).entries
        return entries[0].file_sha256 if entries and entries[-1].file_sha256 == self.sha256 else ""


def load_rules(path: str) -> RuleFile:
    """Read a rule file: JSON, leaf-common's JSON or text, as its content tells."""
    content = read_bytes(path)
    name = "standard input" if path == "-" else Path(path).name
    digest = hashlib.sha256(content).hexdigest()
    try:
        ruleset = _parse(content, name)
    except RuleSyntaxError as error:
        message, hint = split_hint(f"{name}, line {error.line}, column {error.column}: {error.message}")
        raise Failure(message, hint) from None
    except RuleError as error:
        message, hint = split_hint(f"{name}: {error}")
        raise Failure(message, hint) from None
    return RuleFile(name, ruleset, None if path == "-" else Path(path).expanduser(), digest)


def _parse(content: bytes, name: str) -> "RuleSet":
    if not content.strip():
        raise Failure(f"{name} is empty", "`evoter fit` writes rule files; rules as text will do as well")
    from evoter.rules.files.document import parse_document
    from evoter.rules.files.sources import parse_rules

    if content.lstrip()[:1] == b"{":
        document = parse_document(content)
        if isinstance(document, Mapping) and document.get("format") == RECORD_FORMAT:
            rules = name.removesuffix(RECORD_SUFFIX) + ".json"
            raise Failure(f"{name} is the record of a fit, not its rules", f"the rules are in {rules!r}")
    try:
        return parse_rules(content)
    except UnicodeDecodeError as error:
        if b"->" in content:
            line = content.count(b"\n", 0, error.start) + 1
            raise Failure(f"{name}, line {line}: not written in UTF-8", "save it again as UTF-8 text") from None
        raise Failure(f"{name} is not a rule file", "name the rules, JSON or UTF-8 text, before the table") from None
    except RuleSyntaxError:
        if content.lstrip()[:1] == b"<":
            hint = "name the .json or the .txt file beside it"
            raise Failure(f"{name} is a web page, not a rule file", hint) from None
        if any(mark in content.split(b"\n", 1)[0] for mark in b",;\t|") and b"->" not in content:
            raise Failure(f"{name} looks like a table, not a rule file", "name the rules before the table") from None
        raise


def find_form(name: str) -> "Format":
    """Return a format by name."""
    from evoter.export import FORMATS

    if name not in FORMATS:
        raise Failure(f"unknown format {name!r}", nearest(name, FORMATS, f"known: {', '.join(FORMATS)}"))
    return FORMATS[name]


def check_format_options(form: "Format", names: Iterable[str]) -> None:
    """Refuse options that a format does not have."""
    module, _, function = form.writer.partition(":")
    parameters = inspect.signature(getattr(import_module(module), function)).parameters
    known = [name for name in list(parameters)[1:] if name not in form.options]  # the first is the rule set
    for name in names:
        if name not in known:
            hint = nearest(name, known, f"its options are {', '.join(known)}" if known else "it has no options")
            raise Failure(f"--option {name} has no effect: {form.title} has no such option", hint)


def refuse_numbers(files: Iterable[RuleFile], what: str) -> None:
    """Refuse rules that predict numbers, for a command that is about classes."""
    for each in files:
        if each.ruleset.schema.target is not None:
            raise Failure(f"{each.name} predicts numbers, and {what}", "evoter show and evoter check measure numbers")


@contextmanager
def formatting(what: str, hint: str = "") -> Iterator[None]:
    """Turn errors into failures: rules that a format cannot express, and packages that are not installed.

    `what` is being written; the hint is used if the error has none.
    """
    try:
        yield
    except ImportError as error:
        message, _, remedy = str(error).partition(": ")
        raise Failure(f"{what}: {message}", remedy or hint) from None
    except (ValueError, TypeError) as error:  # a RuleError is a ValueError; an option of the wrong type a TypeError
        message, remedy = split_hint(str(error))
        raise Failure(f"{what}: {message}", remedy or hint) from None
