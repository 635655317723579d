"""Reads pages of HTML strictly: every tag closed in order, no name twice, and what a browser would show or run."""

from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Page(HTMLParser):
    """A page taken apart: its text, its elements with their attributes, and what is wrong with it."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.mistakes: list[str] = []
        self._open: list[str] = []
        self.feed(source)
        self.close()
        self.mistakes += [f"<{tag}> is never closed" for tag in self._open]
        names = [attributes["id"] for _, attributes in self.elements if "id" in attributes]
        self.mistakes += [f"id {name} twice" for name in {name for name in names if names.count(name) > 1}]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.mistakes.append(f"</{tag}> at line {self.getpos()[0]} closes something else")

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        """What can be read, with single spaces."""
        return " ".join(" ".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements of a kind."""
        return [attributes for each, attributes in self.elements if each == tag]


def read_page(path: Path) -> Page:
    """Return the page in a file."""
    return Page(path.read_text(encoding="utf-8"))
