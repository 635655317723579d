"""Events: what changes in a session, told to everyone who listens."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import Any

BYE = "bye"
"""The last event of a session."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; `number` counts all events of a session."""

    number: int
    name: str
    data: Mapping[str, Any]


Listener = Callable[[Event], None]


class Events:
    """Passes events on to listeners, in the thread in which they happen; a listener must not wait."""

    def __init__(self) -> None:
        self._listeners: dict[int, Listener] = {}
        self._numbers = count(1)
        self._keys = count()
        self._lock = Lock()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a function with every event from now on; return a function that ends this.

        >>> events, heard = Events(), []
        >>> end = events.listen(lambda event: heard.append(event.name))
        >>> events.tell("version", {"head": 2})
        >>> end()
        >>> events.tell("version", {"head": 3})
        >>> heard
        ['version']
        """
        with self._lock:
            key = next(self._keys)
            self._listeners[key] = listener

        def end() -> None:
            with self._lock:
                self._listeners.pop(key, None)

        return end

    def tell(self, name: str, data: Mapping[str, Any]) -> None:
        """Pass an event on."""
        with self._lock:
            event = Event(next(self._numbers), name, dict(data))
            listeners = list(self._listeners.values())
        for listener in listeners:
            listener(event)
