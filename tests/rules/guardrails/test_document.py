"""Guardrails as JSON: read back, they find the same violations, for rule sets of other features too."""

import json
from random import Random

import pytest

from evoter.rules.errors import RuleFileError
from evoter.rules.guardrails.document import guardrails_document, read_guardrails_document
from evoter.rules.model import Mode
from evoter.rules.parser import parse
from guarding import random_rails
from tasks import MIXED, random_ruleset


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.HARDMAX])
def test_what_is_read_back_finds_the_same(mode: Mode) -> None:
    for seed in range(25):
        rng = Random(seed)
        rails = random_rails(rng, MIXED, mode)
        document = json.loads(json.dumps(guardrails_document(rails)))
        ruleset = random_ruleset(rng, MIXED, mode).restricted()
        read = read_guardrails_document(document, "guardrails", ruleset)
        expected = [(each.guardrail, each.rule) for each in rails.violations(ruleset)]
        assert [(each.guardrail, each.rule) for each in read.violations(ruleset)] == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": 3}, "guardrails.rules: must be text"),
        ({"rules": "a >"}, "guardrails.rules: line 1"),
        ({"pinned": -1}, "guardrails.pinned"),
        ({"monotone": {"a": "up"}}, "guardrails.monotone.a"),
        ({"forbidden_features": "a"}, "guardrails.forbidden_features: must be a list"),
        ({"more": 1}, "more"),
    ],
)
def test_other_documents_are_refused(changes: dict[str, object], message: str) -> None:
    ruleset = parse("a > 1 -> yes; Default -> no")
    document = guardrails_document(random_rails(Random(0), MIXED, Mode.FIRST)) | changes
    with pytest.raises(RuleFileError, match=message):
        read_guardrails_document(document, "guardrails", ruleset)
