"""The registry of formats: what a rule set can be written as, and what writes it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import cast

from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.files.writing import write_file
from evoter.rules.model import RuleSet


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write a rule set: a name, the usual ending of its files, and the function that makes it.

    `writer` is `module:function`, loaded when it is first used; `options` are given to it before those of the caller.
    """

    name: str
    title: str
    suffix: str
    writer: str
    binary: bool = False
    options: Mapping[str, object] = field(default_factory=dict)

    def make(self, ruleset: RuleSet, **options: object) -> str | bytes:
        """Return the rule set in this format; what it cannot say is a `RuleError`."""
        module, _, function = self.writer.partition(":")
        return cast("str | bytes", getattr(import_module(module), function)(ruleset, **{**self.options, **options}))

    def text(self, ruleset: RuleSet, **options: object) -> str:
        """Return the rule set as text; a format that is not text is refused.

        >>> from evoter.rules.parser import parse
        >>> print(FORMATS["markdown"].text(parse("x > 1 -> up; Default -> down"), declarations=False))
        | Rule | If | Then |
        | --- | --- | --- |
        | 1 | `x > 1` | `up` |
        | 2 | *otherwise* | `down` |
        """
        if self.binary:
            raise RuleError(f"{self.title} is no text: write it to a file, such as rules{self.suffix}")
        return cast("str", self.make(ruleset, **options))

    def write(self, ruleset: RuleSet, path: str | os.PathLike[str], **options: object) -> None:
        """Write the rule set to a file, which is replaced all at once."""
        made = self.make(ruleset, **options)
        write_file(path, made if isinstance(made, bytes) or made.endswith("\n") else made + "\n")


_PRINTED = "evoter.rules.text:print_ruleset"

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        form.name: form
        for form in (
            Format("text", "text", ".rules", _PRINTED),
            Format("json", "JSON", ".json", "evoter.rules.json_codec:dumps"),
            Format("leaf", "leaf-common JSON", ".leaf.json", "evoter.rules.leaf:dumps_leaf"),
            Format("markdown", "Markdown", ".md", _PRINTED, options={"form": "markdown"}),
            Format("latex", "LaTeX", ".tex", _PRINTED, options={"form": "latex"}),
            Format("html", "HTML", ".html", _PRINTED, options={"form": "html"}),
            Format("plain", "plain words", ".txt", _PRINTED, options={"form": "plain"}),
            Format("python", "Python", ".py", "evoter.export.python:to_python"),
            Format("sql", "SQL", ".sql", "evoter.export.sql:to_sql"),
            Format("javascript", "JavaScript", ".js", "evoter.export.javascript:to_javascript"),
            Format("c", "C", ".c", "evoter.export.c:to_c"),
            Format("dmn", "DMN", ".dmn", "evoter.export.dmn:to_dmn"),
            Format("excel", "Excel", ".xlsx", "evoter.export.excel:to_excel", binary=True),
            Format("pmml", "PMML", ".pmml", "evoter.export.pmml:to_pmml"),
            Format("onnx", "ONNX", ".onnx", "evoter.export.onnx:to_onnx", binary=True),
        )
    }
)
"""All formats, by name."""


def find_format(name: str) -> Format:
    """Return the format called `name`; an unknown name is refused with the nearest ones.

    >>> find_format("sqll")
    Traceback (most recent call last):
    evoter.rules.errors.RuleError: unknown format 'sqll'; did you mean 'sql'?
    """
    try:
        return FORMATS[name]
    except KeyError:
        raise RuleError(f"unknown format {name!r}{did_you_mean(name, FORMATS)}") from None
