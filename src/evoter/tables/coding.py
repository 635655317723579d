"""Texts, categories and truth values of polars and Arrow as numbered values, without an object for every cell."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from evoter.tables.columns import CodedCells

_TRUTHS = (False, True, None)


def code_cells(series: Any) -> CodedCells | None:
    """Return the cells of a series of polars or Arrow as numbered values, in order of appearance; None for others.

    >>> import polars as pl
    >>> code_cells(pl.Series(["f", "m", None, "f"]))
    CodedCells(values=('f', 'm', None), codes=array([0, 1, 2, 0], dtype=uint32))
    """
    if nw.dependencies.is_polars_series(series):
        return _of_polars(series)
    if nw.dependencies.is_pyarrow_chunked_array(series):
        return _of_arrow(series)
    return None


def _of_polars(series: Any) -> CodedCells | None:
    import polars as pl

    if series.dtype == pl.Boolean:
        return CodedCells(_TRUTHS, series.cast(pl.UInt8).fill_null(2).to_numpy())
    if series.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return None
    texts = series if series.dtype == pl.String else series.cast(pl.String)
    values = texts.drop_nulls().unique(maintain_order=True)
    if len(values) == 0:
        return _all_missing(len(texts))
    codes = texts.cast(pl.Enum(values)).to_physical().cast(pl.UInt32)
    return _with_missing(values.to_list(), codes.fill_null(len(values)).to_numpy(), series.null_count())


def _of_arrow(series: Any) -> CodedCells | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_boolean(series.type):
        codes = pc.fill_null(series.cast(pa.uint8()), 2)
        return CodedCells(_TRUTHS, codes.to_numpy())
    type_ = series.type.value_type if pa.types.is_dictionary(series.type) else series.type
    if not (pa.types.is_string(type_) or pa.types.is_large_string(type_) or pa.types.is_string_view(type_)):
        return None
    if len(series) == series.null_count:
        return _all_missing(len(series))
    texts = series if type_ is series.type else series.cast(type_)
    encoded = pc.dictionary_encode(texts).unify_dictionaries()
    values = encoded.chunk(0).dictionary.to_pylist()
    chunks = [np.asarray(pc.fill_null(chunk.indices, len(values))) for chunk in encoded.chunks]
    return _with_missing(values, np.concatenate(chunks).astype(np.uint32), series.null_count)


def _with_missing(values: list[str], codes: NDArray[Any], n_missing: int) -> CodedCells:
    return CodedCells((*values, None) if n_missing else tuple(values), codes)


def _all_missing(n_cells: int) -> CodedCells:
    return CodedCells((None,), np.zeros(n_cells, np.uint32))
