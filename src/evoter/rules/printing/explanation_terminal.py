"""Explanations in the colours of a terminal."""

from rich.text import Text

from evoter.rules.explain import Explanation


def colour_explanation(explanation: Explanation) -> Text:
    """Return an explanation as coloured text: what decided in bold, what held in green, what did not in red."""
    text = Text()
    for paragraph in explanation.paragraphs():
        text.append(paragraph.heading, style="bold" if paragraph.decided else "")
        for condition, values, holds in paragraph.conditions:
            text.append(f"\n  {condition:<{paragraph.width}}", style="green" if holds else "red")
            text.append(f"   ({values})", style="dim")
        text.append("\n")
    text.rstrip()
    return text
