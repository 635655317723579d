"""Rule sets from wherever they are: objects, text, and files of every format that rules are written in."""

import codecs
import os
import re
from collections.abc import Mapping
from pathlib import Path

from evoter.rules.errors import RuleFileError
from evoter.rules.files.document import parse_document, read_file
from evoter.rules.json_codec import dumps, loads
from evoter.rules.leaf import loads_leaf
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_RULES = re.compile(r"[\n;{]|->|[→⟶]|\bTHEN\b|\bELSE\b", re.IGNORECASE)


Rules = RuleSet | str | os.PathLike[str]
"""A rule set, rule text, or the path of a rule file."""


def read_ruleset(rules: Rules) -> RuleSet:
    """Return a rule set itself, or read it from text or from a file: JSON, leaf-common's JSON, or text.

    A string with an arrow, a semicolon, a brace or a line break is text; any other is the path of a file.

    >>> read_ruleset("age > 60 -> old; Default -> young").default
    'young'
    >>> read_ruleset("rules.jsn")
    Traceback (most recent call last):
    evoter.rules.errors.RuleFileError: there is no file 'rules.jsn', and it is not rule text, which has an arrow '->'
    """
    if isinstance(rules, RuleSet):
        return rules
    if isinstance(rules, str) and _RULES.search(rules):
        return parse_rules(rules.encode())
    path = Path(rules).expanduser()
    if not path.exists():
        why = ", and it is not rule text, which has an arrow '->'" if isinstance(rules, str) else ""
        raise RuleFileError(f"there is no file {os.fspath(rules)!r}{why}")
    try:
        return parse_rules(read_file(path))
    except UnicodeDecodeError:
        raise RuleFileError(f"{os.fspath(rules)!r} is not a rule file: it is neither JSON nor UTF-8 text") from None


def parse_rules(content: bytes) -> RuleSet:
    """Read a rule set from the content of a file, whose format its beginning tells."""
    if content.lstrip()[:1] != b"{":
        return parse(content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig"))
    return loads_leaf(content) if is_leaf(content) else loads(content)


def is_leaf(content: bytes) -> bool:
    """Tell whether the content of a file is a rule set of leaf-common."""
    if content.lstrip()[:1] != b"{":
        return False
    document = parse_document(content)
    return isinstance(document, Mapping) and "format" not in document and "rules" in document


def rules_content(ruleset: RuleSet, path: Path) -> str:
    """Return the content of a rule file, which is JSON if its suffix is .json, else text."""
    return f"{dumps(ruleset) if path.suffix == '.json' else ruleset}\n"
