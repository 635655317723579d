"""`--pin`, `--forbid-feature`, `--forbid` and `--monotone`: the guardrails of a fit."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from evoter.cli.completion import complete_column
from evoter.cli.output import Failure, nearest

GUARDRAILS = "Guardrails"
DIRECTIONS = ("increasing", "decreasing")

Pin = Annotated[
    list[str] | None,
    typer.Option(
        "--pin",
        metavar="RULE",
        help="A rule that comes before all others, such as 'age < 18 -> refer'.",
        rich_help_panel=GUARDRAILS,
    ),
]
ForbidFeature = Annotated[
    list[str] | None,
    typer.Option(
        "--forbid-feature",
        metavar="COLUMN",
        help="No rule reads this column.",
        rich_help_panel=GUARDRAILS,
        autocompletion=complete_column,
    ),
]
Forbid = Annotated[
    list[str] | None,
    typer.Option(
        "--forbid",
        metavar="TEXT",
        help="Where a class must not be decided, such as 'age < 18 -> never surgery'.",
        rich_help_panel=GUARDRAILS,
    ),
]
MonotoneColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--monotone",
        metavar="COLUMN=DIRECTION",
        help="As this column rises, the class never moves the other way: increasing or decreasing, in the order of the "
        "classes.",
        rich_help_panel=GUARDRAILS,
    ),
]
Order = Annotated[
    str | None,
    typer.Option(
        "--monotone-order",
        metavar="CLASS,...",
        help="The classes from the lowest to the highest; of two, the alphabetical order by default.",
        rich_help_panel=GUARDRAILS,
    ),
]
ShowPrice = Annotated[
    bool,
    typer.Option(
        "--guardrail-price",
        help="Fit a second time without the guardrails, and show what they cost.",
        rich_help_panel=GUARDRAILS,
    ),
]


@dataclass(frozen=True, slots=True)
class GuardrailOptions:
    """The guardrails that the options ask for."""

    pinned: tuple[str, ...] = ()
    forbidden_features: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    monotone: dict[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    @classmethod
    def given(
        cls,
        pin: Sequence[str] | None,
        forbid_feature: Sequence[str] | None,
        forbid: Sequence[str] | None,
        monotone: Sequence[str] | None,
        order: str | None,
        *,
        price: bool,
    ) -> "GuardrailOptions":
        """Read the options; refuse those without effect beside the others."""
        if order is not None and not monotone:
            raise Failure("--monotone-order has no effect without --monotone", "leave it out")
        if price and not (pin or forbid_feature or forbid or monotone):
            raise Failure("--guardrail-price has no effect without guardrails", "give --forbid-feature, for example")
        classes = tuple(name.strip() for name in (order or "").split(",") if name.strip())
        return cls(
            tuple(pin or ()), tuple(forbid_feature or ()), tuple(forbid or ()), _directions(monotone or ()), classes
        )

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the classifier."""
        found = {
            "pinned": list(self.pinned),
            "forbidden_features": list(self.forbidden_features),
            "forbidden": list(self.forbidden),
            "monotone": self.monotone,
            "monotone_order": list(self.order),
        }
        return {name: value for name, value in found.items() if value}


def _directions(pairs: Sequence[str]) -> dict[str, str]:
    read: dict[str, str] = {}
    for pair in pairs:
        name, _, direction = (part.strip() for part in pair.rpartition("="))
        if not name:
            raise Failure(f"--monotone {pair!r} is not of the form COLUMN=DIRECTION", f"write {pair}=increasing")
        if direction not in DIRECTIONS:
            hint = nearest(direction, DIRECTIONS, "write increasing or decreasing")
            raise Failure(f"--monotone: there is no direction {direction!r}", hint)
        if name in read:
            raise Failure(f"--monotone names {name!r} twice", "give it once")
        read[name] = direction
    return read
