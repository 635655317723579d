"""Rule files of any form, and the record of the fit that lies beside one."""

import codecs
import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evoter.cli.output import Failure, nearest, split_hint
from evoter.cli.tables.files import read_bytes
from evoter.rules.errors import RuleError, RuleSyntaxError

if TYPE_CHECKING:
    from evoter.export import Format
    from evoter.rules.model import RuleSet

RECORD_FORMAT = "evoter-fit"
RECORD_SUFFIX = ".fit.json"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule set with the name of its file, and the record of its fit where that lies beside it."""

    name: str
    ruleset: "RuleSet"
    record: Mapping[str, Any]

    @property
    def target(self) -> str | None:
        """The column that the rules were fitted to predict, where it is known."""
        target = self.record.get("target")
        return target if isinstance(target, str) else None

    @property
    def placeholders(self) -> dict[str, list[str]]:
        """The texts among numbers that the fit took for missing, by column."""
        columns = self.record.get("columns")
        found = columns if isinstance(columns, list) else []
        return {str(each["name"]): list(each["read_as_missing"]) for each in found if each.get("read_as_missing")}

    @property
    def missing(self) -> tuple[str, ...]:
        """The texts that meant missing in the fit, beside the usual ones."""
        return tuple(map(str, self.reading.get("missing", ())))

    @property
    def header(self) -> bool:
        """Whether the table of the fit had names in its first line."""
        return bool(self.reading.get("header", True))

    @property
    def reading(self) -> Mapping[str, Any]:
        """How the table of the fit was read, where it is known."""
        reading = self.record.get("reading")
        return reading if isinstance(reading, Mapping) else {}


def load_rules(path: str) -> RuleFile:
    """Read a rule file: JSON, leaf-common's JSON or text, which the content tells."""
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
    return RuleFile(name, ruleset, {} if path == "-" else _record_beside(Path(path), digest))


def _parse(content: bytes, name: str) -> "RuleSet":
    if not content.strip():
        raise Failure(f"{name} is empty", "a rule file is what `evoter fit` writes, or rules as text")
    if content.lstrip()[:1] != b"{":
        from evoter.rules.parser import parse

        try:
            return parse(content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig"))
        except UnicodeDecodeError as error:
            if b"->" in content:
                line = content.count(b"\n", 0, error.start) + 1
                raise Failure(f"{name}, line {line}: not written in UTF-8", "save it again as UTF-8 text") from None
            raise Failure(f"{name} is no rule file", "rules come before the table, as JSON or as UTF-8 text") from None
        except RuleSyntaxError:
            if content.lstrip()[:1] == b"<":
                hint = "name the .json or the .txt file that lies beside it"
                raise Failure(f"{name} is a page to look at, not a rule file", hint) from None
            if any(mark in content.split(b"\n", 1)[0] for mark in b",;\t|") and b"->" not in content:
                raise Failure(f"{name} is no rule file, but looks like a table", "rules come first") from None
            raise
    from evoter.rules.files.document import parse_document

    document = parse_document(content)
    if isinstance(document, Mapping) and document.get("format") == RECORD_FORMAT:
        rules = name.removesuffix(RECORD_SUFFIX) + ".json"
        raise Failure(f"{name} is the record of a fit, not its rules", f"the rules are in {rules!r}")
    if isinstance(document, Mapping) and "format" not in document and "rules" in document:
        from evoter.rules.leaf import loads_leaf

        return loads_leaf(content)
    from evoter.rules.json_codec import loads

    return loads(content)


def record_path(rules: Path) -> Path:
    """Return where the record of the fit that wrote a rule file lies."""
    return rules.with_suffix(RECORD_SUFFIX)


def _record_beside(rules: Path, digest: str) -> Mapping[str, Any]:
    """Return the record of the fit, if it is there and is that of these very rules."""
    try:
        record = json.loads(record_path(rules).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(record, dict) or record.get("format") != RECORD_FORMAT:
        return {}
    described = record.get("rules")
    return record if isinstance(described, dict) and described.get("sha256") == digest else {}


def find_form(name: str) -> "Format":
    """Return a format by name."""
    from evoter.export import FORMATS

    if name not in FORMATS:
        raise Failure(f"unknown format {name!r}", nearest(name, FORMATS, f"known: {', '.join(FORMATS)}"))
    return FORMATS[name]


@contextmanager
def formatting(what: str, hint: str = "") -> Iterator[None]:
    """Turn what a format cannot say, an option that it does not have and a package that it lacks into failures.

    `what` is being written; the hint is given where the error has none.
    """
    try:
        yield
    except ImportError as error:
        message, _, remedy = str(error).partition(": ")
        raise Failure(f"{what}: {message}", remedy or hint) from None
    except (ValueError, TypeError) as error:  # a RuleError is a ValueError; an unknown option a TypeError
        message, remedy = split_hint(str(error))
        raise Failure(f"{what}: {message}", remedy or hint) from None
