"""The pages of the studio, as the browser gets them: index.html, ES modules and styles; no build step."""

from importlib.resources import files
from importlib.resources.abc import Traversable


def page_files() -> Traversable:
    """Return the folder with the pages: index.html, icon.svg, modules, styles and vendor."""
    return files("evoter.studio.pages")
