"""Tests of messages as bytes."""

import contextlib
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.federated.errors import MessageError
from evoter.federated.frames import read_frame, write_frame
from laws import examples


def test_what_is_written_is_read() -> None:
    arrays = {"a": np.array([[1, -2]]), "b": np.array([0.5, np.inf]), "c": np.array([2**64 - 1], np.uint64)}
    frame = read_frame(write_frame({"x": [1, "ü"]}, arrays))
    assert frame.fields == {"x": [1, "ü"]}
    for name, array in arrays.items():
        np.testing.assert_array_equal(frame.arrays[name], array)
        assert frame.arrays[name].dtype == array.dtype


@given(st.binary(max_size=300))
@examples(300)
def test_any_bytes_are_refused_and_nothing_else_happens(message: bytes) -> None:
    with pytest.raises(MessageError):
        read_frame(message)


@given(st.data())
@examples(300)
def test_a_damaged_message_is_read_or_refused(data: st.DataObject) -> None:
    message = bytearray(write_frame({"request": "tables"}, {"a": np.arange(6).reshape(2, 3), "b": np.ones(4)}))
    for _ in range(data.draw(st.integers(1, 4))):
        message[data.draw(st.integers(0, len(message) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(MessageError):
        read_frame(bytes(message)[: data.draw(st.integers(0, len(message)))])


@pytest.mark.parametrize(
    "described",
    [
        [{"name": "a", "type": "i8", "shape": [10**9, 10**9]}],
        [{"name": "a", "type": "i8", "shape": [-1]}],
        [{"name": "a", "type": "O", "shape": [1]}],
        [{"name": "a", "type": "i8", "shape": [0]}] * 2,
        [{"name": "a", "type": "i8", "shape": [0, 0, 0]}],
        [{"name": f"a{n}", "type": "i8", "shape": [0]} for n in range(100)],
        "a",
    ],
)
def test_arrays_that_promise_too_much_are_refused_before_memory_is_taken(described: object) -> None:
    header = json.dumps({"fields": {}, "arrays": described}).encode()
    with pytest.raises(MessageError):
        read_frame(b"evoter-federated-1\n" + len(header).to_bytes(4, "big") + header)


def test_deep_nesting_and_repeated_keys_are_refused() -> None:
    for header in (b"[" * 100_000, b'{"fields": {"a": 1, "a": 2}, "arrays": []}', b'{"fields": 1}', b"{}"):
        with pytest.raises(MessageError):
            read_frame(b"evoter-federated-1\n" + len(header).to_bytes(4, "big") + header)
