"""The studio: where people who sign a model read, edit, prove and sign its rules in the browser.

`evoter.studio` is this package, and a function: calling it is calling `evoter.studio.running.notebook.studio`.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evoter.studio.running.serving import Studio


class _CallableModule(ModuleType):
    """A package that can be called, because its name is also that of the one function that most people need."""

    def __call__(self, *arguments: Any, **options: Any) -> "Studio":
        from evoter.studio.running.notebook import studio

        return studio(*arguments, **options)


sys.modules[__name__].__class__ = _CallableModule
