"""Rule files of Cognizant's leaf-common package, in and out, with the meaning that its evaluator gives them."""

import json
import os
from collections.abc import Mapping

from evoter.rules.errors import RuleError, RuleFileError
from evoter.rules.files.document import below, parse_document, read_field, read_file, read_object, refuse
from evoter.rules.files.leaf_columns import BINDING_KEY, REPRESENTATION
from evoter.rules.files.leaf_reader import read_ruleset
from evoter.rules.files.leaf_writer import columns_of, ruleset_fields
from evoter.rules.files.writing import write_file
from evoter.rules.model import RuleSet


def loads_leaf(
    text: str | bytes,
    *,
    states: Mapping[str, str] | None = None,
    actions: Mapping[str, str] | None = None,
    categories: bool = True,
) -> RuleSet:
    """Read a rule set of mode vote from the text of a leaf-common file, bare or a binding.

    A binding names its states and actions. Those of a bare rule set are named by `states` and `actions`, which map the
    keys of the file to names; without these, the keys are the names. One-hot columns become categorical features, or
    with `categories=False` stay numeric columns of 0 and 1.
    """
    fields = read_object(parse_document(text), "")
    root = ""
    named_states: Mapping[str, object] | None = states
    named_actions: Mapping[str, object] | None = actions
    if "key" in fields:
        if states is not None or actions is not None:
            raise RuleFileError("the document is a binding, which names its states and actions itself; pass no names")
        if fields["key"] != BINDING_KEY:
            refuse(fields["key"], "key", f'"{BINDING_KEY}"')
        named_states = read_field(fields, "", "states", read_object)
        named_actions = read_field(fields, "", "actions", read_object)
        root = "rules"
        fields = read_field(fields, "", root, read_object)
    if fields.get("representation_type") != REPRESENTATION:
        refuse(fields.get("representation_type"), below(root, "representation_type"), f'"{REPRESENTATION}"')
    return read_ruleset(fields, root, states=named_states, actions=named_actions, categories=categories)


def dumps_leaf(ruleset: RuleSet, *, binding: bool = True) -> str:
    """Write a rule set of mode vote as the text of a leaf-common file, as a binding or bare.

    Categorical features become one-hot columns, booleans columns of 0 and 1. What such a file cannot say is refused;
    what no decision depends on (the names and pins of rules, units) is left out.
    """
    if ruleset.schema.target is not None:
        raise RuleError("leaf-common has no numeric actions: export to JSON, SQL, Python, PMML or ONNX")
    columns = columns_of(ruleset.schema)
    fields = ruleset_fields(ruleset, columns)
    if binding:
        fields = {
            "key": BINDING_KEY,
            "states": {key: column.name for key, column in columns.items()},
            "actions": {str(number): action for number, action in enumerate(ruleset.schema.actions)},
            "rules": fields,
        }
    return json.dumps(fields, indent=4, allow_nan=False)


def load_leaf(
    path: str | os.PathLike[str],
    *,
    states: Mapping[str, str] | None = None,
    actions: Mapping[str, str] | None = None,
    categories: bool = True,
) -> RuleSet:
    """Read a rule set from a leaf-common file; see `loads_leaf`."""
    return loads_leaf(read_file(path), states=states, actions=actions, categories=categories)


def save_leaf(ruleset: RuleSet, path: str | os.PathLike[str], *, binding: bool = True) -> None:
    """Write a rule set to a leaf-common file, which is replaced all at once; see `dumps_leaf`."""
    write_file(path, dumps_leaf(ruleset, binding=binding) + "\n")
