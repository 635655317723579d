"""Random panels of unequal lengths with degenerate values, and their instances as the interpreter reads them."""

from random import Random

import numpy as np
from hypothesis import strategies as st

from evoter.kernels.layout import Floats
from evoter.rules.schema import Schema
from evoter.tables.panel import Panel
from evoter.tables.series import read_panel
from strategies import Row
from tasks import as_rows, random_columns

VALUES = st.one_of(st.just(float("nan")), st.integers(-3, 3).map(float), st.floats(-1e6, 1e6, allow_subnormal=False))


@st.composite
def instances(draw: st.DrawFn, max_instances: int = 4, max_steps: int = 12) -> list[Floats]:
    """Series of equally many channels and any lengths, with missing values."""
    n_channels = draw(st.integers(1, 3))
    lengths = draw(st.lists(st.integers(1, max_steps), min_size=1, max_size=max_instances))
    return [
        np.array(draw(st.lists(st.lists(VALUES, min_size=n, max_size=n), min_size=n_channels, max_size=n_channels)))
        for n in lengths
    ]


def random_panel(rng: Random, schema: Schema, lengths: list[int]) -> Panel:
    """A panel for a schema, with values inside and outside its ranges."""
    return read_panel([random_columns(rng, schema, n) for n in lengths], channels=schema.names)


def steps_of(panel: Panel, instance: int, schema: Schema) -> list[Row]:
    """The steps of one instance as the interpreter reads them."""
    return as_rows(panel.select(schema.names)[instance], schema)
