"""Reads the `where` block of rule text, which declares features, actions, lags and the way to decide."""

from typing import Any

from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.model import Mode
from evoter.rules.parsing.drafts import Declarations
from evoter.rules.parsing.tokens import MAX_DIGITS, NUMERIC, TokenStream
from evoter.rules.schema import Feature, Kind, Target

_KINDS = ("numeric", "binary", "one of", "yes/no", "boolean")
_FLAGS = {"scaled": "scaled", "may be missing": "missing", "decimal comma": "decimal_comma"}
_MISSING_AS = "missing as"
_NAMED = {"read as": "cells", "in column": "column"}
"""Properties whose value is a name."""
_STEP = "step"


def parse_where(stream: TokenStream) -> Declarations:
    """Where = "where" [ ":" ] { Declaration ( NEWLINE | ";" ) } ."""
    stream.advance()
    if stream.kind == "COLON":
        stream.advance()
    declarations = Declarations({})
    while stream.kind != "END":
        declarations = _parse_declaration(stream, declarations)
        if stream.kind not in ("NEWLINE", "SEMICOLON", "END"):
            raise stream.unexpected("the end of the declaration (a new line or ';')")
        while stream.kind in ("NEWLINE", "SEMICOLON"):
            stream.advance()
    return declarations


def _parse_declaration(stream: TokenStream, declarations: Declarations) -> Declarations:
    """Declaration = Actions | Lags | Decide | Feature ."""
    at = stream.start
    topic = stream.value.lower() if stream.kind == "NAME" else ""
    name = stream.take_name("the name of a feature, 'actions', 'lags' or 'decide'")
    stream.take("COLON", f"':' after {name!r}")
    if topic == "actions" and declarations.actions is None and declarations.target is None:
        named = _parse_actions(stream)
        if isinstance(named, Target):
            return declarations._replace(target=named, actions_at=at)
        return declarations._replace(actions=named, actions_at=at)
    if topic == "lags" and declarations.max_lag is None:
        return declarations._replace(max_lag=_parse_lags(stream), max_lag_at=at)
    if topic == "decide" and declarations.mode is None:
        return declarations._replace(mode=_parse_decide(stream), mode_at=at)
    if topic in ("actions", "lags", "decide"):
        raise stream.error(f"{topic!r} is declared twice; a feature of this name goes in double quotes", at)
    if name in declarations.features:
        raise stream.error(f"feature {name!r} is declared twice", at)
    declarations.features[name] = (_parse_feature(stream, name, at), at)
    return declarations


def _parse_names(stream: TokenStream, first: str = "") -> tuple[str, ...]:
    """Names = Name { "|" Name } ."""
    names = [first or stream.take_name("a name", by_line=True)]
    while stream.kind == "BAR":
        stream.advance()
        names.append(stream.take_name("a name after '|'", by_line=True))
    return tuple(names)


def _parse_numeric_actions(stream: TokenStream) -> Target:
    """NumericActions = "numeric" [ Unit ] [ "," "target" Name ] ."""
    at = stream.start
    # A unit, or a name, is part of the same token when it is bare.
    unit = " ".join(stream.advance(by_line=True).split()[1:])
    if not unit and stream.kind in ("STRING", "SYMBOL"):
        unit = stream.take_unit(by_line=True)
    name = ""
    if stream.kind == "COMMA":
        stream.advance()
        words = stream.take("NAME", "'target' and its name after ','", by_line=True).split()
        if words[0].lower() != "target":
            raise stream.error(f"expected 'target' and its name after ',', got {' '.join(words)!r}", at)
        name = " ".join(words[1:]) or stream.take_name("a name after 'target'", by_line=True)
    try:
        return Target(name, unit)
    except RuleError as error:
        raise stream.error(str(error), at) from None


def _parse_actions(stream: TokenStream) -> tuple[str, ...] | Target:
    """Actions = "actions" ":" ( NumericActions | ActionName { "|" ActionName } ) ."""
    if stream.kind == "NAME" and stream.value.split()[0].lower() == NUMERIC:
        return _parse_numeric_actions(stream)
    actions = [stream.take_action("an action")]
    while stream.kind == "BAR":
        stream.advance()
        actions.append(stream.take_action("an action after '|'"))
    return tuple(actions)


def _parse_lags(stream: TokenStream) -> int:
    """Lags = "lags" ":" [ "0" ".." ] NUMBER ."""
    if stream.value == "0" and stream.peek() == "DOTS":
        stream.advance()
        stream.advance()
    if stream.kind != "NUMBER" or not stream.value.isdigit() or len(stream.value) > MAX_DIGITS:
        raise stream.unexpected("the largest lag, as in '0..3'")
    return int(stream.advance(by_line=True))


def _parse_decide(stream: TokenStream) -> Mode:
    """Decide = "decide" ":" WORD ."""
    at = stream.start
    mode = stream.take_name("a way to decide", by_line=True)
    try:
        return Mode(mode.lower())
    except ValueError:
        raise stream.error(
            f"unknown way to decide {mode!r}{did_you_mean(mode, [mode.value for mode in Mode])}", at
        ) from None


def _parse_feature(stream: TokenStream, name: str, at: int) -> Feature:
    """Feature = Name ":" ( Numeric | "binary" | Categorical | Boolean ) { "," Property } ."""
    kind_at = stream.start
    words = stream.take("NAME", "'numeric', 'binary', 'one of' or 'yes/no'", by_line=True).split()
    attributes: dict[str, Any]
    if words[0].lower() == NUMERIC:
        attributes = _parse_numeric(stream, " ".join(words[1:]))
    elif [word.lower() for word in words[:2]] == ["one", "of"]:
        # The first category is part of the same token when it is a bare name.
        attributes = {"kind": Kind.CATEGORICAL, "categories": _parse_names(stream, " ".join(words[2:]))}
    elif " ".join(words).lower() == "binary":
        attributes = {"low": 0.0, "high": 1.0, "step": 1.0}
    elif " ".join(words).lower() in ("yes/no", "boolean"):
        attributes = {"kind": Kind.BOOLEAN}
    else:
        kind = " ".join(words)
        raise stream.error(f"unknown kind of feature {kind!r}{did_you_mean(kind, _KINDS)}", kind_at)
    while stream.kind == "COMMA":
        stream.advance()
        attributes |= _parse_property(stream)
    try:
        return Feature(name, **attributes)
    except RuleError as error:
        raise stream.error(str(error), at) from None


def _parse_property(stream: TokenStream) -> dict[str, Any]:
    """Property = "step" NUMBER | "scaled" | "may be missing" | "missing as" Names | "decimal comma" | Reading ."""
    at = stream.start
    known = [_STEP, *_FLAGS, _MISSING_AS, *_NAMED]
    words = stream.take_name(f"{', '.join(map(repr, known[:-1]))} or {known[-1]!r} after ','", by_line=True)
    for start in (_MISSING_AS, *_NAMED):
        rest = words[len(start) :]
        if words[: len(start)].lower() == start and rest[:1] in ("", " "):
            # The first text is part of the same token when it is a bare name.
            if start in _NAMED:
                return _parse_reading(stream, start, rest.strip())
            return {"missing_texts": _parse_names(stream, rest.strip())}
    if words.lower() == _STEP:
        return {"step": stream.take_number(by_line=True)}
    if words.lower() not in _FLAGS:
        raise stream.error(f"unknown property {words!r} of a feature{did_you_mean(words, known)}", at)
    return {_FLAGS[words.lower()]: True}


def _parse_reading(stream: TokenStream, words: str, name: str) -> dict[str, Any]:
    """Reading = "read as" Name | "in column" Name ."""
    return {_NAMED[words]: name or stream.take_name(f"a name after {words!r}", by_line=True)}


def _parse_numeric(stream: TokenStream, unit: str) -> dict[str, Any]:
    """Numeric = "numeric" [ RANGE ] [ Unit ] ."""
    low, high = stream.take_range(by_line=True) if stream.kind == "RANGE" else (None, None)
    if not unit and stream.kind in ("NAME", "STRING", "SYMBOL"):
        unit = stream.take_unit(by_line=True)
    return {"low": low, "high": high, "unit": unit}
