"""XML documents keep line ends and refuse characters that XML cannot contain."""

from xml.etree import ElementTree

import pytest

from evoter.export.xml import check_characters, document_text
from evoter.rules.errors import RuleError


def test_line_ends_survive_reading() -> None:
    document = ElementTree.Element("a", b="1\r\n2\t3")
    ElementTree.SubElement(document, "c").text = "x\r\ny"
    read = ElementTree.fromstring(document_text(document, short={"a"}))
    assert read.get("b") == "1\r\n2\t3"
    assert read.findtext("c") == "x\r\ny"


@pytest.mark.parametrize("character", ["\0", "\x01", "\x0b", "\x1f", "\ufffe", "\uffff"])
def test_characters_that_xml_cannot_contain_are_refused(character: str) -> None:
    with pytest.raises(RuleError, match="XML cannot contain the character"):
        check_characters(f"a{character}b")
    with pytest.raises(RuleError, match="rename it"):
        document_text(ElementTree.Element("a", b=character))
