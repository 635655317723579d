"""Populations arrive as they were sent, also where a receiver missed messages, and arrays are packed without loss."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evoter.evolution.engine import Evolution
from evoter.execution.messages import Array, Receiver, Sender, dense, sparse
from evoter.genome.arrays import compact, pick
from evoter.kernels.layout import Population
from tasks import SMALL, mixed_problem


def equal(one: Population, other: Population) -> bool:
    one, other = compact(one), compact(other)
    return all(np.array_equal(a, b) for a, b in zip((*one[0], *one[1:]), (*other[0], *other[1:]), strict=True))


def test_populations_arrive_as_they_were_sent() -> None:
    evolution = Evolution(mixed_problem(3), SMALL, seed=1)
    sender, receiver = Sender(), Receiver()
    latecomer: Receiver | None = None
    for generation in range(8):
        evolution.step()
        outgoing = sender.send(evolution.population)
        message = outgoing.message(whole=generation == 0)
        assert equal(receiver.receive(message), evolution.population)
        assert receiver.receive(message) is receiver.receive(message), "the same message may come again"
        if generation > 0:
            whole = outgoing.message(whole=True)
            assert len(message.slots) < len(whole.slots), "what is known is not sent again"
            if latecomer is None:
                with pytest.raises(ValueError, match="continues"):
                    Receiver().receive(message)
                latecomer = Receiver()
                assert equal(latecomer.receive(whole), evolution.population)
            else:
                assert equal(latecomer.receive(message), evolution.population)


def test_who_missed_a_message_has_all_that_later_ones_take_for_known() -> None:
    evolution = Evolution(mixed_problem(4), SMALL, seed=2)
    evolution.step()
    sender, receiver = Sender(), Receiver()
    for generation in range(6):
        sender.send(evolution.population)  # which is lost
        few = pick(evolution.population, np.array([generation]))
        assert equal(receiver.receive(sender.send(few).message(whole=True)), few)
        message = sender.send(evolution.population).message(whole=False)
        assert len(message.slots) == 0
        assert equal(receiver.receive(message), evolution.population)
        evolution.step()


def test_another_pool_begins_again() -> None:
    sender, receiver = Sender(), Receiver()
    for seed in range(2):
        evolution = Evolution(mixed_problem(seed), SMALL, seed=seed)
        evolution.step()
        outgoing = sender.send(evolution.population)
        with pytest.raises(ValueError, match="continues"):
            receiver.receive(outgoing.message(whole=False))
        assert equal(receiver.receive(outgoing.message(whole=True)), evolution.population)


NUMBERS = st.one_of(st.just(0), st.integers(-(2**62), 2**62), st.integers(-3, 3))


@given(
    st.one_of(
        arrays.arrays(np.int64, arrays.array_shapes(max_dims=3, min_side=0), elements=NUMBERS),
        arrays.arrays(np.float64, arrays.array_shapes(max_dims=3, min_side=0)),
    )
)
def test_arrays_are_packed_without_loss(array: Array) -> None:
    again = dense(sparse(array))
    assert again.dtype == array.dtype
    assert again.shape == array.shape
    assert again.tobytes() == array.tobytes()
