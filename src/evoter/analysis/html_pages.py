"""The Jinja2 environment that all HTML pages are rendered with: reports on models and pages of reproductions."""

from functools import cache
from typing import TYPE_CHECKING, Any

from evoter.analysis.formatting import counted, percent, rounded
from evoter.rules.printing.pieces import visible

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **values: Any) -> str:
    """Render a template of `evoter/analysis/templates`; every value is escaped, whatever it contains."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("evoter.analysis"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"counted": counted, "percent": _percent, "rounded": rounded}
    return environment


def _printable(value: Any) -> Any:
    """Return a value as text in which invisible characters are written as escapes; rendered markup is kept as it is."""
    return value if hasattr(value, "__html__") else visible(str(value))


def _percent(share: float | None) -> str:
    return "–" if share is None else percent(share)
