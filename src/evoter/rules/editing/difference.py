"""What distinguishes two rule sets, in words: rules added, removed, changed and moved, and declarations."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import partial
from operator import itemgetter

from evoter.rules.model import Rule, RuleSet
from evoter.rules.printing.action_pieces import action_pieces, actions_pieces
from evoter.rules.printing.pieces import ASCII, Role, joined, render, values_pieces
from evoter.rules.schema import Feature
from evoter.rules.text import print_rule

_MAX_COMPARED = 10_000
"""Where there are more pairs than this of a rule that is gone and a new one, none is called a changed one."""


def difference(before: RuleSet, after: RuleSet) -> str:
    """Return what changed from one rule set to another, a line for each change; no text if they are equal.

    Numbers of rules are those before, and for added rules those after. Rules whose numbers change only because others
    were added, removed or moved are not mentioned.

    >>> from evoter.rules.parser import parse
    >>> before = parse("age > 60 -> high; bmi > 30 -> high; sugar > 7 -> high; Default -> low")
    >>> after = parse("sugar > 7 -> high; age > 65 -> high; bmi > 30 -> high; Default -> low", before.schema)
    >>> print(difference(before, after))
    rule 1: age > 60 -> high becomes age > 65 -> high
    rule 3 becomes rule 1: sugar > 7 -> high
    """
    return "\n".join([*_about_rules(before, after), *_about_the_rest(before, after)])


def _about_rules(before: RuleSet, after: RuleSet) -> Iterator[str]:
    old, new = before.rules, after.rules
    equal = _equal_rules(old, new)
    changed = _changed_rules(before, after, equal)
    pairs = sorted([*equal, *changed])
    stays = {pairs[index] for index in _longest_rising([there for _, there in pairs])}
    gone = sorted({*range(len(old))} - {here for here, _ in pairs})
    lines = [(here, f"rule {here + 1} removed: {print_rule(old[here], before.schema)}") for here in gone]
    for here, there in changed:
        texts = print_rule(old[here], before.schema), print_rule(new[there], after.schema)
        lines.append((here, f"rule {here + 1}: {texts[0]} becomes {texts[1]}"))
    for here, there in equal:
        lines += [(here, line) for line in _about_notes(here, old[here], new[there])]
    for here, there in pairs:
        if (here, there) not in stays:
            lines.append((here, f"rule {here + 1} becomes rule {there + 1}: {print_rule(new[there], after.schema)}"))
    yield from (line for _, line in sorted(lines, key=itemgetter(0)))
    for there in sorted({*range(len(new))} - {there for _, there in pairs}):
        yield f"rule {there + 1} added: {print_rule(new[there], after.schema)}"


def _equal_rules(old: Sequence[Rule], new: Sequence[Rule]) -> list[tuple[int, int]]:
    """Pair the positions of rules that decide the same, each of them once, in the order of the old ones."""
    places: dict[object, list[int]] = defaultdict(list)
    for there, rule in reversed([*enumerate(new)]):
        places[_meaning(rule)].append(there)
    pairs = []
    for here, rule in enumerate(old):
        if found := places.get(_meaning(rule)):
            pairs.append((here, found.pop()))
    return pairs


def _meaning(rule: Rule) -> object:
    return rule.conditions, rule.action, rule.certainty


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """Return the indices of a longest subsequence that rises: the rules that need not move.

    >>> _longest_rising([3, 0, 1, 2])
    [1, 2, 3]
    """
    ends: list[int] = []
    tails: list[int] = []
    before: list[int] = []
    for index, number in enumerate(numbers):
        length = bisect_left(tails, number)
        before.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [number]
        ends[length : length + 1] = [index]
    found = []
    index = ends[-1] if ends else -1
    while index >= 0:
        found.append(index)
        index = before[index]
    return found[::-1]


def _changed_rules(before: RuleSet, after: RuleSet, equal: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pair other rules that read a common feature: each new one with the old one whose text is most similar."""
    known_here, known_there = {here for here, _ in equal}, {there for _, there in equal}
    gone = [here for here in range(len(before.rules)) if here not in known_here]
    come = [there for there in range(len(after.rules)) if there not in known_there]
    if len(gone) * len(come) > _MAX_COMPARED:
        return []
    changed = []
    for there in come:
        alike = [here for here in gone if _features(before.rules[here]) & _features(after.rules[there])]
        if alike:
            here = max(alike, key=partial(_similarity, before, after, there))
            changed.append((here, there))
            gone.remove(here)
    return changed


def _features(rule: Rule) -> set[str]:
    return {term.feature for condition in rule.conditions for term in condition.terms}


def _similarity(before: RuleSet, after: RuleSet, there: int, here: int) -> float:
    texts = print_rule(before.rules[here], before.schema), print_rule(after.rules[there], after.schema)
    return SequenceMatcher(None, *texts, autojunk=False).ratio()


def _about_notes(here: int, old: Rule, new: Rule) -> Iterator[str]:
    if old.pinned is not new.pinned:
        yield f"rule {here + 1} is {'now' if new.pinned else 'no longer'} pinned"
    if old.name != new.name:
        yield f"rule {here + 1} is now called {new.name!r}" if new.name else f"rule {here + 1} no longer has a name"


def _about_the_rest(before: RuleSet, after: RuleSet) -> Iterator[str]:
    defaults = [
        joined(render(action_pieces(each.default, each.default_certainty, each.schema), ASCII))
        for each in (before, after)
    ]
    yield from _change("the default", *defaults)
    yield from _change("deciding", before.mode.value, after.mode.value)
    yield from _change("the furthest lag", str(before.schema.max_lag), str(after.schema.max_lag))
    actions = [joined(render(actions_pieces(each.schema), ASCII)) for each in (before, after)]
    yield from _change("actions", *actions)
    old = {feature.name: feature for feature in before.schema.features}
    new = {feature.name: feature for feature in after.schema.features}
    for name in (name for name in old if name not in new):
        yield f"feature removed: {name}"
    for name, feature in new.items():
        if name not in old:
            yield f"feature added: {declaration(feature)}"
        else:
            yield from _change(f"feature {name}", _values(old[name]), _values(feature))
    if [*old] != [*new] and sorted(old) == sorted(new):
        yield "features are declared in another order"


def _change(what: str, before: str, after: str) -> Iterator[str]:
    if before != after:
        yield f"{what}: {before} becomes {after}"


def declaration(feature: Feature) -> str:
    """Return the declaration of a feature, as it stands below 'where'.

    >>> declaration(Feature("age", low=18, high=95, unit="years"))
    'age: numeric [18..95] years'
    """
    return f"{joined(render([(Role.FEATURE, feature.name)], ASCII))}: {_values(feature)}"


def _values(feature: Feature) -> str:
    return joined(render(values_pieces(feature), ASCII))
