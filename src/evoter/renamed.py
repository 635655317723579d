"""Attributes that were renamed: reading one under its old name still works, with a DeprecationWarning."""

import warnings
from typing import Any


def renamed_to(new: str) -> Any:
    """Return a property that reads the attribute `new` and says that this is its name now.

    >>> class Model:
    ...     n_rules = 3
    ...     rule_count = renamed_to("n_rules")
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     n_rules = Model().rule_count
    >>> n_rules, str(caught[0].message)
    (3, 'Model.rule_count is now called n_rules')
    """
    return _Renamed(new)


class _Renamed:
    def __init__(self, new: str) -> None:
        self._new = new
        self._old = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._old = name

    def __get__(self, instance: object, owner: type) -> Any:
        if instance is None:
            return self
        value = getattr(instance, self._new)
        message = f"{owner.__name__}.{self._old} is now called {self._new}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return value
