"""DisparityDisplay: rates of groups side by side, with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.displays.style import COLOURS, QUIET, plain, pyplot, tidy
from evoter.fairness.audit import Audit, audit
from evoter.fairness.audit_text import SHOWN
from evoter.fairness.group_audit import ColumnAudit
from evoter.problems import RATES
from evoter.rules.errors import did_you_mean


@dataclass(slots=True, repr=False)
class DisparityDisplay:
    """The rates of all groups of a protected column, in the style of scikit-learn's displays.

    A panel for each rate; in it a point for each group with Wilson's 95 % interval, hollow where fewer rows are behind
    it than the audit compares. Make it with `from_audit` or `from_estimator`; after `plot`, `axes_` and `figure_` are
    matplotlib's.

    Parameters
    ----------
    audited : ColumnAudit
        The groups.
    rates : sequence of str
        The rates to show, by name.
    min_rows : int
        Groups of fewer rows are hollow.
    """

    audited: ColumnAudit
    rates: tuple[str, ...]
    min_rows: int
    axes_: NDArray[Any] = field(default_factory=lambda: np.empty(0, object))
    figure_: Any = None

    @classmethod
    def from_audit(
        cls,
        found: Audit,
        column: str | None = None,
        *,
        favourable: str | None = None,
        rates: Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw a column of an audit.

        Parameters
        ----------
        found : Audit
            What `evoter.audit` returned.
        column : str or None, default=None
            A protected column, or several together such as "sex & age"; None for the first.
        favourable : str or None, default=None
            The favourable decision; None for the first that was audited.
        rates : sequence of str or None, default=None
            The rates; None for those that the tables of an audit show.
        ax : matplotlib Axes, sequence of Axes, or None, default=None
            Where to draw, one for each rate; None for new axes.
        """
        audited = found.column(column, favourable)
        for rate in rates or ():
            if rate not in RATES:
                raise ValueError(f"there is no rate {rate!r}{did_you_mean(rate, list(RATES))}")
        known = [rate for rate in rates or SHOWN if any(rate in group.rates for group in audited.groups)]
        return cls(audited, tuple(known), found.min_rows).plot(ax=ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, protected: Any, ax: Any = None, **audit_kw: Any
    ) -> Self:
        """Audit a fitted classifier, or a rule set, and draw the first column; keywords are those of `evoter.audit`."""
        return cls.from_audit(audit(estimator, X, y, protected=protected, **audit_kw), ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw into matplotlib axes, one for each rate; new ones by default."""
        groups = self.audited.groups
        if ax is None:
            size = (2.6 * len(self.rates) + 1.2, 1.2 + 0.35 * len(groups))
            _, ax = pyplot("DisparityDisplay").subplots(
                1, len(self.rates), figsize=size, sharey=True, squeeze=False, layout="constrained"
            )
        self.axes_ = np.atleast_1d(np.asarray(ax, object)).ravel()
        if len(self.axes_) != len(self.rates):
            raise ValueError(f"there are {len(self.axes_)} axes for {len(self.rates)} rates: give one for each rate")
        for axes, rate in zip(self.axes_, self.rates, strict=True):
            for place, group in enumerate(groups):
                share = group.rates.get(rate)
                if share is None:
                    continue
                few = share.n_rows < self.min_rows
                bars = [[max(0.0, share.value - share.low)], [max(0.0, share.high - share.value)]]
                look = {"color": QUIET if few else COLOURS[0], "markerfacecolor": "white" if few else COLOURS[0]}
                axes.errorbar([share.value], [place], xerr=bars, fmt="o", capsize=3, **look)
            axes.set(xlim=(-0.03, 1.03), xlabel=SHOWN.get(rate, rate.replace("_", " ")))
            tidy(axes)
        first = self.axes_[0]
        labels = [plain(f"{group.name} ({group.n_rows:,} rows)") for group in groups]
        first.set_yticks(range(len(groups)), labels=labels)
        first.set_ylim(len(groups) - 0.5, -0.5)
        first.set_title(
            plain(f"{self.audited.column}, decision {self.audited.favourable}"), loc="left", fontsize="medium"
        )
        self.figure_ = first.figure
        return self
