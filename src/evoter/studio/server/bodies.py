"""What requests may contain: every field with its type and its limits; unknown fields are refused."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

MAX_TEXT = 2_000
MAX_RULE = 20_000
MAX_RULES = 200_000

Text = Annotated[StrictStr, Field(max_length=MAX_TEXT)]
RuleText = Annotated[StrictStr, Field(max_length=MAX_RULE)]
WholeText = Annotated[StrictStr, Field(max_length=MAX_RULES)]
Reason = Annotated[StrictStr, Field(min_length=1, max_length=MAX_TEXT, pattern=r"\S")]
Version = Annotated[StrictInt, Field(ge=1, le=10**9)]
Number = Annotated[StrictFloat | StrictInt, Field(allow_inf_nan=False)]
Names = Annotated[list[Text], Field(max_length=1_000)]
Part = Literal["training", "validation", "open"]


class Body(BaseModel):
    """A request: no field that nobody reads, and no conversion of types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Edit(Body):
    """One edit: its name, and rule numbers and texts."""

    operation: Annotated[StrictStr, Field(max_length=40)]
    arguments: Annotated[list[StrictInt | StrictFloat | WholeText], Field(max_length=4)]


Edits = Annotated[list[Edit], Field(max_length=200)]


class EffectBody(Body):
    """Edits whose effect is asked for."""

    base: Version
    edits: Edits


class RebaseBody(EffectBody):
    """Edits that another version is to get as well."""

    onto: Version


class SaveBody(EffectBody):
    """Edits that become a version."""

    edits: Annotated[list[Edit], Field(min_length=1, max_length=200)]
    reason: Reason
    author: Text | None = None


class HeadBody(Body):
    """The version to go to."""

    base: Version
    version: Version
    reason: Text = ""
    author: Text | None = None


class CorrectionBody(Body):
    """What a column is, according to a person."""

    column: Text
    to: Literal["number", "category", "drop", "id", "auto"]
    reason: Reason
    revision: StrictInt
    author: Text | None = None


class FavourableBody(Body):
    """The decision that is favourable when groups are compared."""

    favourable: Text
    author: Text | None = None


class ProveBody(Body):
    """A statement to prove."""

    statement: RuleText
    version: Version | None = None


class SliceBody(Body):
    """Conditions that choose rows."""

    conditions: RuleText = ""
    part: Part = "validation"
    version: Version | None = None


class RowsBody(Body):
    """Conditions and filters that choose rows, and which of these to list."""

    conditions: RuleText = ""
    part: Part = "open"
    version: Version | None = None
    rule: Annotated[StrictInt, Field(ge=1, le=10**6)] | None = None
    label: Text | None = None
    decision: Text | None = None
    wrong: StrictBool | None = None
    offset: Annotated[StrictInt, Field(ge=0, le=10**9)] = 0
    limit: Annotated[StrictInt, Field(ge=1, le=100)] = 25


class AuditBody(Body):
    """Columns whose groups are compared."""

    part: Part = "validation"
    version: Version | None = None
    columns: Names | None = None
    favourable: Text | None = None
    bands: dict[Text, Annotated[list[Number], Field(min_length=1, max_length=20)]] | None = None


class CaseBody(Body):
    """A row, values, or a row with some other values."""

    version: Version | None = None
    row: Annotated[StrictInt, Field(ge=1, le=10**9)] | None = None
    identifier: Text | None = None
    values: Annotated[dict[Text, StrictBool | Number | Text | None], Field(max_length=5_000)] = {}
    to: Text | None = None
    fixed: Names = []


class GuardrailDefinition(Body):
    """Guardrails as people state them."""

    pinned: Annotated[list[RuleText], Field(max_length=100)] = []
    forbidden_features: Names = []
    forbidden: Annotated[list[RuleText], Field(max_length=100)] = []
    monotone: Annotated[dict[Text, Literal["increasing", "decreasing"]], Field(max_length=1_000)] = {}
    order: Names = []


class GuardrailsBody(Body):
    """Guardrails that take the place of those before."""

    definition: GuardrailDefinition
    revision: StrictInt
    reason: Reason
    author: Text | None = None


class EvolutionBody(Body):
    """The settings of a run."""

    generations: Annotated[StrictInt, Field(ge=1, le=100_000)] | None = None
    seconds: Annotated[Number, Field(gt=0, le=86_400)] | None = None
    population: Annotated[StrictInt, Field(ge=2, le=100_000)] | None = None
    max_rules: Annotated[StrictInt, Field(ge=1, le=100)] | None = None
    max_conditions: Annotated[StrictInt, Field(ge=1, le=50)] | None = None
    balanced: StrictBool = False
    seed: Annotated[StrictInt, Field(ge=0, le=2**31 - 1)] = 0
    limits: Annotated[dict[Text, Number], Field(max_length=20)] = {}
    from_head: StrictBool = False


class NothingBody(Body):
    """A request that says everything by its path."""


class PickBody(Body):
    """A candidate of the front that becomes a version."""

    number: Annotated[StrictInt, Field(ge=0, le=10**6)]
    base: Version | None
    reason: Reason
    author: Text | None = None


class OpeningBody(Body):
    """Why the test rows are opened."""

    version: Version
    reason: Reason
    author: Text | None = None


class SignOffBody(Body):
    """Who vouches for a version, and in which words."""

    version: Version
    statement: Reason
    name: Text | None = None
    unproved: Annotated[list[RuleText], Field(max_length=200)] = []


def fields_of(body: Body) -> dict[str, Any]:
    """Return the fields of a request by name."""
    return body.model_dump()
