"""Which values each feature may have in a proof: all that rules can be given, or those that the schemas declare."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evoter.rules.condition import Constant
from evoter.rules.errors import SchemaError
from evoter.rules.reasoning.spans import GREATEST, LEAST, Spans, intersection
from evoter.rules.reasoning.variables import present
from evoter.rules.schema import Feature, Kind, Schema

FINITE: Spans = ((LEAST + 1, GREATEST - 1),)
"""The ordinals of all finite doubles."""


class Domain:
    """The values of features in one or several schemas that call the same columns by the same names."""

    def __init__(self, schemas: Sequence[Schema], *, within_ranges: bool) -> None:
        self.within_ranges = within_ranges
        self._features: dict[str, list[Feature]] = {}
        for schema in schemas:
            for feature in schema.features:
                self._features.setdefault(feature.name, []).append(feature)
        self.max_lag = max(schema.max_lag for schema in schemas)

    def in_order(self, names: Iterable[str]) -> list[str]:
        """Return names of features in the order of the schemas."""
        wanted = set(names)
        return [name for name in self._features if name in wanted]

    def check(self, name: str) -> None:
        """Refuse a feature that is of different kinds, or has no value that is in all its ranges."""
        kinds = {feature.kind for feature in self._features[name]}
        if len(kinds) > 1:
            raise SchemaError(f"{name!r} is {' in one rule set and '.join(sorted(kinds))} in the other")
        if not (self.numbers(name) if self.kind(name) is Kind.NUMERIC else self.values(name)):
            raise SchemaError(f"{name!r} has no value that is in the range of both rule sets; prove it for every input")

    def kind(self, name: str) -> Kind:
        """Return what the values of a feature are."""
        return self._features[name][0].kind

    def numbers(self, name: str) -> Spans:
        """Return the ordinals of the values of a numeric feature."""
        spans = FINITE
        for feature in self._features[name] if self.within_ranges else ():
            spans = intersection(spans, present(feature))
        return spans

    def step(self, name: str) -> float | None:
        """Return the step of a numeric feature, None where it may have any value."""
        steps = [feature.step for feature in self._features[name] if feature.step is not None]
        return steps[0] if steps and self.within_ranges else None

    def values(self, name: str) -> tuple[Constant, ...]:
        """Return the categories or truth values of a feature, and perhaps a category that is not listed."""
        if self.kind(name) is Kind.BOOLEAN:
            return False, True
        listed = list(dict.fromkeys(each for feature in self._features[name] for each in feature.categories))
        if self.within_ranges:
            return tuple(each for each in listed if all(f.has_category(each) for f in self._features[name]))
        unlisted = "another category"
        while unlisted in listed:
            unlisted = f"yet {unlisted}"
        return (*listed, unlisted)

    def may_be_missing(self, name: str) -> bool:
        """Tell whether a value of a feature may be missing."""
        return not self.within_ranges or all(feature.missing for feature in self._features[name])

    def usual(self, name: str) -> Feature:
        """Return a feature with the range in which examples are looked for first."""
        return self._features[name][0]


def as_read(feature: Feature, *, scale: bool) -> Feature:
    """Return what matters of a feature to the value of a term: its name, and its range where it is scaled."""
    if scale and feature.scaled:
        return replace(Feature(feature.name), low=feature.low, high=feature.high, scaled=True)
    return Feature(feature.name)
