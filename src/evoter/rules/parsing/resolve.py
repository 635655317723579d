"""Gives parsed text its meaning: which names are features, categories, truth values and actions."""

from evoter.rules.condition import OPPOSITES
from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.model import Condition, Mode, Rule, RuleSet, check_condition
from evoter.rules.parsing.actions import implied_target, resolve_action
from evoter.rules.parsing.drafts import ConditionDraft, RuleDraft, RuleSetDraft, Sighting, TermDraft
from evoter.rules.parsing.tokens import SCALED, TokenStream, begins_with_not
from evoter.rules.schema import Feature, Kind, Schema


def resolve_ruleset(draft: RuleSetDraft, schema: Schema | None, mode: Mode | None, stream: TokenStream) -> RuleSet:
    """Make a rule set of a draft, with the given schema, the declared one, or one built from the rules."""
    declared_mode = draft.declarations.mode
    if mode is not None and declared_mode is not None and mode is not declared_mode:
        message = f"the text says 'decide: {declared_mode}', which disagrees with the requested mode {mode.value!r}"
        raise stream.error(message, draft.declarations.mode_at)
    known = frozenset(draft.declarations.features) if schema is None else frozenset(schema.names)
    for each in draft.rules:
        _refuse_negations(each, known, stream)
    if schema is None:
        schema = _own_schema(draft, stream)
    else:
        _check_agreement(draft, schema, stream)
    known_actions = frozenset(schema.actions)
    rules = tuple([_to_rule(rule, schema, known_actions, stream) for rule in draft.rules])
    default = resolve_action(draft.default, schema, known_actions, stream)
    try:
        certainty = draft.default.certainty
        return RuleSet(rules, default, schema, certainty, mode or declared_mode or Mode.FIRST)
    except RuleError as error:
        # The rule set says what is wrong; checking each condition again finds the position.
        for rule, rule_draft in zip(rules, draft.rules, strict=True):
            for condition, condition_draft in zip(rule.conditions, rule_draft.conditions, strict=True):
                _check_condition(condition, condition_draft, schema, stream)
        raise stream.error(str(error), draft.default.certainty_at) from None


def resolve_rule(draft: RuleDraft, schema: Schema, stream: TokenStream) -> Rule:
    """Make a rule of a draft, checked against the schema."""
    _refuse_negations(draft, frozenset(schema.names), stream)
    rule = _to_rule(draft, schema, frozenset(schema.actions), stream)
    for condition, condition_draft in zip(rule.conditions, draft.conditions, strict=True):
        _check_condition(condition, condition_draft, schema, stream)
    return rule


def resolve_condition(draft: ConditionDraft, schema: Schema, stream: TokenStream) -> Condition:
    """Make a condition of a draft, checked against the schema."""
    condition = _to_condition(draft, schema, stream)
    _check_condition(condition, draft, schema, stream)
    return condition


def _refuse_negations(draft: RuleDraft, known: frozenset[str], stream: TokenStream) -> None:
    """Refuse `NOT age > 5`, which would be read as a condition on a feature called `NOT age`."""
    for condition in draft.conditions:
        left = condition.left
        if begins_with_not(left.term.feature) and not left.quoted and left.term.feature not in known:
            opposite = OPPOSITES[condition.operator]
            message = f"NOT is not in the language: write the opposite, '{left.term.feature[4:]} {opposite} ...'"
            raise stream.error(message, left.at)


def _to_rule(draft: RuleDraft, schema: Schema, known_actions: frozenset[str], stream: TokenStream) -> Rule:
    name = resolve_action(draft.action, schema, known_actions, stream)
    conditions = tuple([_to_condition(condition, schema, stream) for condition in draft.conditions])
    action = draft.action
    try:
        return Rule(conditions, name, action.certainty, draft.name, draft.pinned)
    except RuleError as error:
        raise stream.error(str(error), draft.at if 0 < action.certainty <= 1 else action.certainty_at) from None


def _to_condition(draft: ConditionDraft, schema: Schema, stream: TokenStream) -> Condition:
    if draft.left.term.feature not in schema:
        raise _unknown_feature(draft.left, schema, stream)
    right = draft.form.resolve(draft, schema)
    if draft.remarks is not None:
        _check_remarks(draft, schema.feature(draft.left.term.feature), stream)
    try:
        condition = Condition(draft.left.term, draft.operator, right)
    except RuleError as error:
        raise stream.error(str(error), draft.right_at) from None
    for term, side in zip(condition.terms, draft.terms, strict=False):
        if term.feature not in schema:
            raise _unknown_feature(side, schema, stream)
    _check_scales(draft, schema, stream)
    return condition


def _check_scales(draft: ConditionDraft, schema: Schema, stream: TokenStream) -> None:
    """Refuse `scaled(x)` where x is not read scaled, and x beside it where it is; text without the mark is older."""
    marked = [side for side in draft.terms if side.scaled]
    if marked and not draft.form.scales:
        message = f"{SCALED}(...) is for comparisons with another feature; here a feature is read in its own unit"
        raise stream.error(message, marked[0].at)
    for side in draft.terms if marked else ():
        name = side.term.feature
        if side.scaled and not schema.feature(name).scaled:
            raise stream.error(f"{name!r} is not scaled in the schema: write it without '{SCALED}(...)'", side.at)
        if schema.feature(name).scaled and not side.scaled:
            raise stream.error(f"{name!r} is scaled in the schema: write it as '{SCALED}(...)' too", side.at)


def _check_condition(condition: Condition, draft: ConditionDraft, schema: Schema, stream: TokenStream) -> None:
    try:
        check_condition(condition, schema)
    except RuleError as error:
        raise stream.error(str(error), _culprit(draft, schema)) from None


def _culprit(draft: ConditionDraft, schema: Schema) -> int:
    """Return the position of the part of a condition that does not fit the schema."""
    for side in draft.terms:
        if side.term.feature in schema:
            numeric = schema.feature(side.term.feature).kind is Kind.NUMERIC
            fits = numeric if draft.form.adds else side.term.is_plain or (numeric and draft.form.compares)
            if side.term.lag > schema.max_lag or not fits:
                return side.at
    return draft.right_at


def _check_remarks(draft: ConditionDraft, feature: Feature, stream: TokenStream) -> None:
    """Refuse a unit or a range after a constant that is not the feature's."""
    remarks = draft.remarks
    assert remarks is not None
    if remarks.unit and remarks.unit != feature.unit:
        own = f"has the unit {feature.unit!r}" if feature.unit else "has no unit"
        raise stream.error(f"{feature.name!r} {own}, not {remarks.unit!r}", remarks.unit_at)
    if remarks.bounds is not None and remarks.bounds != (feature.low, feature.high):
        own = _range_text(feature.low, feature.high)
        raise stream.error(
            f"{feature.name!r} has the range {own}, not {_range_text(*remarks.bounds)}", remarks.bounds_at
        )


def _range_text(low: float | None, high: float | None) -> str:
    return f"[{'' if low is None else low}..{'' if high is None else high}]"


def _unknown_feature(draft: TermDraft, schema: Schema, stream: TokenStream) -> RuleError:
    name = draft.term.feature
    parts = name.split("-")
    if len(parts) == 2 and all(part in schema for part in parts) and not draft.quoted:
        hint = f"; a difference has spaces around its minus: '{parts[0]} - {parts[1]}'"
    else:
        hint = did_you_mean(name, schema.names)
    return stream.error(f"unknown feature {name!r}{hint}", draft.at)


def _check_agreement(draft: RuleSetDraft, schema: Schema, stream: TokenStream) -> None:
    """Refuse a `where` block that says something else than the schema given beside the text."""
    declared = draft.declarations
    for name, (feature, at) in declared.features.items():
        if name not in schema:
            raise stream.error(f"the schema given has no feature {name!r}{did_you_mean(name, schema.names)}", at)
        if feature != schema.feature(name):
            raise stream.error(f"this disagrees with the schema given, which has {schema.feature(name)}", at)
    if declared.target is not None and declared.target != schema.target:
        own = "has other actions" if schema.target is None else f"has {schema.target}"
        raise stream.error(f"this disagrees with the schema given, which {own}", declared.actions_at)
    if declared.actions is not None and (schema.target is not None or declared.actions != schema.actions):
        message = f"this disagrees with the schema given, which has the actions {', '.join(schema.actions)}"
        raise stream.error(message, declared.actions_at)
    if declared.max_lag is not None and declared.max_lag != schema.max_lag:
        message = f"this disagrees with the schema given, whose largest lag is {schema.max_lag}"
        raise stream.error(message, declared.max_lag_at)


def _own_schema(draft: RuleSetDraft, stream: TokenStream) -> Schema:
    """Make the schema that the `where` block declares; what it leaves open is taken from the rules."""
    declared = draft.declarations
    features = [feature for feature, _ in declared.features.values()] or _infer_features(draft, stream)
    actions = declared.actions
    target = declared.target
    if actions is None and target is None:
        target = implied_target(draft)
    if actions is None and target is None:
        actions = tuple(dict.fromkeys([*(rule.action.action for rule in draft.rules), draft.default.action]))
    max_lag = declared.max_lag
    if max_lag is None:
        sides = (side for rule in draft.rules for condition in rule.conditions for side in condition.terms)
        max_lag = max((side.term.lag for side in sides), default=0)
    try:
        return Schema(features, actions or (), max_lag, target)
    except RuleError as error:
        raise stream.error(str(error), declared.actions_at if declared.actions else draft.default.at) from None


def _infer_features(draft: RuleSetDraft, stream: TokenStream) -> list[Feature]:
    """Collect the features from the rules, in order of appearance.

    A lone word after `=` or `!=` is a feature if its name is certainly one somewhere in the text, else a category.
    A feature that is tested for being missing may be missing.
    """
    conditions = [condition for rule in draft.rules for condition in rule.conditions]
    certain = frozenset(name for condition in conditions for name in condition.form.certain_features(condition))
    sightings: dict[str, Sighting] = {}
    for condition in conditions:
        for side in condition.terms:
            if side.term.feature in certain:
                sightings.setdefault(side.term.feature, Sighting(side.at)).scaled |= side.scaled
        sighting = sightings[condition.left.term.feature]
        if condition.remarks is not None:
            _note_remarks(sighting, condition, stream)
        condition.form.note(condition, sighting, certain)
    for action in (*(rule.action for rule in draft.rules), draft.default):
        if action.number is not None and action.number.feature:
            sightings.setdefault(action.number.feature, Sighting(action.number.feature_at))
    return [_to_feature(name, sighting, stream) for name, sighting in sightings.items()]


def _note_remarks(sighting: Sighting, draft: ConditionDraft, stream: TokenStream) -> None:
    remarks = draft.remarks
    assert remarks is not None
    name = draft.left.term.feature
    if remarks.unit and sighting.unit and remarks.unit != sighting.unit:
        message = f"{name!r} is given in {sighting.unit!r} before and in {remarks.unit!r} here"
        raise stream.error(message, remarks.unit_at)
    if remarks.bounds is not None and sighting.bounds not in (None, remarks.bounds):
        before = f"{_range_text(*sighting.bounds)} in line {stream.line(sighting.bounds_at)}"
        raise stream.error(
            f"{name!r} has the range {before} and {_range_text(*remarks.bounds)} here", remarks.bounds_at
        )
    sighting.unit = sighting.unit or remarks.unit
    if sighting.bounds is None:
        sighting.bounds = remarks.bounds
        sighting.bounds_at = remarks.bounds_at


def _to_feature(name: str, sighting: Sighting, stream: TokenStream) -> Feature:
    low, high = sighting.bounds or (None, None)
    kind = Kind.NUMERIC
    categories: tuple[str, ...] = ()
    if sighting.words and all(sighting.words.values()):
        kind = Kind.BOOLEAN
    elif sighting.words:
        kind = Kind.CATEGORICAL
        categories = tuple(sighting.words)
    if sighting.scaled and (low is None or high is None):
        raise stream.error(f"{SCALED}({name}) needs the range of {name!r}: declare it after 'where'", sighting.at)
    try:
        return Feature(name, kind, low, high, categories, sighting.unit, sighting.scaled, missing=sighting.missing)
    except RuleError as error:
        raise stream.error(str(error), sighting.at) from None
