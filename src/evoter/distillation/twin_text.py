"""Twins as text and as HTML: how faithful, how large, learnt from what, and where twin and original disagree."""

from html import escape
from typing import TYPE_CHECKING

from evoter.analysis.formatting import counted, percent, rounded
from evoter.analysis.group_statistics import Share
from evoter.rules.printing.pieces import visible

if TYPE_CHECKING:
    from evoter.distillation.agreement import Explained
    from evoter.distillation.disagreement import Disagreement
    from evoter.distillation.neighbourhood import Neighbourhood
    from evoter.distillation.twin import Twin

MAX_ROWS = 10
"""The number of rows with different answers that are listed."""


def text_of(twin: "Twin") -> str:
    """Print a twin as plain text."""
    blocks = [
        [heading_of(twin), *(f"  {line}" for line in summary_lines(twin))],
        [twin.ruleset.to_text(declarations=False)],
        disagreement_lines(twin.disagreement),
    ]
    if len(twin.front) > 1:
        blocks.append(["rule sets of other sizes, on the unseen rows", *f"{twin.front!r}".split("\n")])
    return "\n\n".join("\n".join(block) for block in blocks)


def html_of(twin: "Twin") -> str:
    """Print a twin as HTML."""
    lines = "".join(f"<li>{escape(line)}</li>" for line in summary_lines(twin))
    first, *others = disagreement_lines(twin.disagreement)
    where = "".join(f"<li>{escape(line.strip())}</li>" for line in others)
    front = twin.front._repr_html_() if len(twin.front) > 1 else ""
    return (
        f"<p><b>{escape(heading_of(twin))}</b></p><ul>{lines}</ul>"
        f"<pre>{escape(twin.ruleset.to_text(declarations=False))}</pre>"
        f"<p>{escape(first)}</p><ul>{where}</ul>{front}"
    )


def heading_of(twin: "Twin") -> str:
    """Return the heading: of what this is the twin, and how large it is."""
    size = f"{counted(len(twin.ruleset.rules), 'rule')}, {counted(twin.ruleset.n_conditions, 'condition')}"
    return visible(f"{'local ' if twin.neighbourhood else ''}twin of {twin.name}: {size}")


def summary_lines(twin: "Twin") -> list[str]:
    """Return fidelity, accuracies, and what the twin was learnt from, one sentence each."""
    numbers = twin.mean_difference is not None
    of_numbers = " of the variance explained" if numbers else ""
    among = counted(twin.fidelity.n_rows, "unseen row")
    lines = [f"fidelity {share_text(twin.fidelity)}{of_numbers} on {among}"]
    if twin.accuracy is not None and twin.original_accuracy is not None:
        own, original = map(share_text, (twin.accuracy, twin.original_accuracy))
        lines.append(f"{'R2 on labels' if numbers else 'accuracy'} there {own}; of the original {original}")
    if twin.mean_difference is not None:
        lines.append(f"answers there differ by {rounded(twin.mean_difference)} on average")
    if twin.probability_gap is not None:
        lines.append(f"probabilities there differ by {twin.probability_gap:.3f} on average")
    share = f", which are {percent(twin.query_share)} of all" if twin.n_queries else ""
    targets = "numbers" if numbers else "probabilities" if twin.soft else "classes"
    lines.append(
        f"learnt from the {targets} that the original gives for {counted(twin.n_rows, 'row')} and "
        f"{counted(twin.n_queries, 'query')}{share}"
    )
    if twin.neighbourhood is not None:
        lines += neighbourhood_lines(twin.neighbourhood, twin.ruleset.features_used)
    return lines


def neighbourhood_lines(place: "Neighbourhood", features: tuple[str, ...]) -> list[str]:
    """Return what is known about the neighbourhood of a local twin, with the ranges of the features it reads."""
    wider = ", more than usual, since the answer is the same for nearly all nearer ones" if place.widened else ""
    lines = [f"in the neighbourhood of one case: the nearest {place.n_rows:,} of {counted(place.n_of, 'row')}{wider}"]
    ranges = [
        f"{name} from {rounded(low)} to {rounded(high)}"
        for name, (low, high) in place.ranges.items()
        if name in features
    ]
    if ranges:
        lines.append(visible(f"where {', '.join(ranges)}"))
    sure = "" if place.confidence is None else f" ({percent(place.confidence)})"
    same = "so does the twin" if place.agrees else f"the twin says {_answer(place.twin)}"
    lines.append(visible(f"of the case the original says {_answer(place.original)}{sure}; {same}"))
    return lines


def disagreement_lines(found: "Disagreement") -> list[str]:
    """Return where twin and original disagree: how often, in which regions, and on which rows."""
    among = counted(found.overall.n_rows, "unseen row")
    by = "" if found.limit is None else f" by more than {rounded(found.limit)}"
    if not found.rows:
        return [f"twin and original {f'do not differ{by} on any of' if by else 'agree on all'} {among}"]
    lines = [f"they {'differ' if by else 'disagree'}{by} on {found.overall.n_hits:,} of {among}"]
    if found.confidence is not None:
        there, elsewhere = map(percent, found.confidence)
        lines.append(f"  the original gives its own answer a probability of {there} there, and {elsewhere} elsewhere")
    for region in found.regions:
        if region.unseen is None:
            counts = "no unseen row is there"
        else:
            counts = (
                f"{region.unseen.n_hits} of {counted(region.unseen.n_rows, 'unseen row')}, {share_text(region.unseen)}"
            )
        lines.append(visible(f"  where {region}: {counts}"))
    if not found.regions:
        lines.append("  no region stands out")
    for row, twin, original in list(zip(found.rows, found.twin, found.original, strict=True))[:MAX_ROWS]:
        lines.append(visible(f"  row {row}: the twin says {_answer(twin)}, the original {_answer(original)}"))
    if len(found.rows) > MAX_ROWS:
        lines.append(f"  and {len(found.rows) - MAX_ROWS:,} more")
    return lines


def _answer(answer: object) -> str:
    return rounded(answer) if isinstance(answer, float) else str(answer)


def share_text(share: "Share | Explained") -> str:
    """Return a share with its interval.

    >>> share_text(Share.of(95, 100))
    '95.0% (88.8% to 97.8%)'
    """
    return f"{percent(share.value)} ({percent(share.low)} to {percent(share.high)})"
