"""XML documents as text: indented, with line ends that readers keep, and without characters that XML cannot contain."""

import re
from collections.abc import Collection
from xml.etree.ElementTree import Element, indent, tostring

from evoter.rules.errors import RuleError

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_characters(text: str) -> None:
    """Refuse text with a character that XML cannot contain."""
    if found := _NO_XML.search(text):
        raise RuleError(f"XML cannot contain the character {found[0]!r} in {text!r}: rename it")


def document_text(document: Element, *, short: Collection[str] = ()) -> str:
    """Write a document; elements called one of `short` are written on one line with what they contain.

    >>> from xml.etree.ElementTree import fromstring
    >>> print(document_text(fromstring("<a><b><c>&lt;</c></b><d><e/></d></a>"), short={"b"}), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <a>
      <b><c>&lt;</c></b>
      <d>
        <e />
      </d>
    </a>
    """
    for element in document.iter():
        for text in (*element.attrib.values(), element.text or ""):
            check_characters(text)
    indent(document)
    for element in document.iter():
        if element.tag in short:
            element.text = None
            for child in element:
                child.tail = None
    text = tostring(document, encoding="unicode")
    # In an attribute a carriage return is written as an escape already; elsewhere a reader would make it a line feed.
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + text.replace("\r", "&#13;") + "\n"
