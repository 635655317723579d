"""Words for people: rule sets and explanations as sentences, read back from them, and rewritten by a language model."""

from evoter.lazy import lazily

TYPE_CHECKING = False  # as in the package itself
if TYPE_CHECKING:
    from evoter.language.catalogue import languages
    from evoter.language.names.labels import Labels, load_labels
    from evoter.language.parser import parse_plain
    from evoter.language.rewriting.endpoint import Endpoint
    from evoter.language.rewriting.rewrite import Rewriting, rewrite

__all__ = ["Endpoint", "Labels", "Rewriting", "languages", "load_labels", "parse_plain", "rewrite"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "Endpoint": "rewriting.endpoint",
        "Labels": "names.labels",
        "Rewriting": "rewriting.rewrite",
        "languages": "catalogue",
        "load_labels": "names.labels",
        "parse_plain": "parser",
        "rewrite": "rewriting.rewrite",
    },
)
