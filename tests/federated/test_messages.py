"""Tests of requests and answers."""

import numpy as np
import pytest

from evoter.federated.errors import MessageError, RefusedError
from evoter.federated.messages import (
    EXTEND,
    INSERT,
    Agreement,
    Counted,
    Describe,
    Moves,
    Refusal,
    Request,
    Sketch,
    Tables,
    check_size,
    n_counts,
    n_tables,
    read_answer,
    read_request,
    write_answer,
    write_request,
)
from evoter.federated.populations import CodedRuleSets
from evoter.federated.sums import Sums
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse

RULES = parse("age > 60 and town = Bonn -> sick; Default -> well")
SCHEMA = RULES.schema
CODED = CodedRuleSets.of_rulesets([RULES, RULES.replace(rules=())], SCHEMA, with_actions=True)
CUTS = (np.array([30.0, 60.0]),)
WIDE = parse("age > 60 and dose > 2 and town = Bonn -> sick; Default -> well").schema
WIDE_CODED = CodedRuleSets.of_rulesets([RuleSet((), "well", WIDE)] * 2, WIDE, with_actions=True)
SUMS = Sums(np.array([[0, 1]]), np.array([-0.5]))
CONTEXTS = np.array([[0, 0, 1], [0, 0, EXTEND], [0, 1, INSERT], [1, 0, INSERT]])


@pytest.mark.parametrize(
    "request_",
    [
        Describe(),
        Sketch(Agreement(SCHEMA, {"a": "ff"}), CUTS),
        Tables(Agreement(SCHEMA), CODED),
        Moves(Agreement(SCHEMA), CUTS, CODED, CONTEXTS),
        Moves(Agreement(WIDE), (*CUTS, *CUTS, np.array([5.0])), WIDE_CODED, CONTEXTS[-1:], SUMS),
    ],
)
def test_requests_survive_and_are_written_alike(request_: Request) -> None:
    message = write_request(request_)
    read = read_request(message)
    assert type(read) is type(request_)
    assert write_request(read) == message


def test_sizes_are_known_beforehand() -> None:
    agreement = Agreement(SCHEMA)
    assert n_counts(Sketch(agreement, CUTS)) == 4
    assert n_counts(Tables(agreement, CODED)) == 2 * 3
    moves = Moves(agreement, CUTS, CODED, CONTEXTS)
    assert n_counts(moves) == 4 * (4 + 3) * 4
    assert (n_tables(Sketch(agreement, CUTS)), n_tables(Tables(agreement, CODED)), n_tables(moves)) == (1, 2, 8)
    assert n_tables(Moves(Agreement(WIDE), CUTS * 3, WIDE_CODED, CONTEXTS[-1:], SUMS)) == 4
    check_size(moves)
    with pytest.raises(RefusedError, match="are the most"):
        check_size(Moves(agreement, CUTS, CODED, np.zeros((400_000, 3), np.int64)))


@pytest.mark.parametrize(
    "request_",
    [
        Sketch(Agreement(SCHEMA), ()),
        Sketch(Agreement(SCHEMA), (np.array([2.0, 1.0]),)),
        Sketch(Agreement(SCHEMA), (np.array([np.nan]),)),
        Sketch(Agreement(SCHEMA), (np.arange(5_000.0),)),
        Moves(Agreement(SCHEMA), CUTS, CODED, np.array([[2, 0, 0]])),
        Moves(Agreement(SCHEMA), CUTS, CODED, np.array([[0, 1, 0]])),
        Moves(Agreement(SCHEMA), CUTS, CODED, np.array([[0, 0, 2]])),
        Moves(Agreement(SCHEMA), CUTS, CODED, np.array([[0, 0, -3]])),
        Moves(Agreement(SCHEMA), CUTS, CODED, np.array([[-1, 0, 0]])),
        Moves(Agreement(SCHEMA), CUTS, CODED, np.array([[1, 1, INSERT]])),
        Moves(Agreement(SCHEMA), CUTS, CODED, np.array([[0, 0]])),
        Moves(Agreement(WIDE), CUTS * 2, WIDE_CODED, CONTEXTS[-1:], SUMS),
        Moves(Agreement(WIDE), CUTS * 3, WIDE_CODED, CONTEXTS[-1:], Sums(np.array([[0, 2]]), np.ones(1))),
        Moves(Agreement(WIDE), CUTS * 3, WIDE_CODED, CONTEXTS[-1:], Sums(np.array([[0, 0]]), np.ones(1))),
        Moves(Agreement(WIDE), CUTS * 3, WIDE_CODED, CONTEXTS[-1:], Sums(np.array([[0, 1]]), np.array([np.inf]))),
        Moves(Agreement(WIDE), CUTS * 3, WIDE_CODED, CONTEXTS[-1:], Sums(np.array([[0, 1]]), np.ones(2))),
    ],
)
def test_requests_for_what_is_not_there_are_refused(request_: Request) -> None:
    with pytest.raises(MessageError):
        read_request(write_request(request_))


def test_answers_survive() -> None:
    counted = read_answer(write_answer(Counted(np.array([1, 2]), 7)))
    assert isinstance(counted, Counted)
    assert counted.counts.tolist() == [1, 2]
    assert counted.n_tables_left == 7
    assert read_answer(write_answer(Refusal("no", is_spent=True))) == Refusal("no", is_spent=True)
    with pytest.raises(MessageError, match="whole numbers"):
        read_answer(write_answer(Counted(np.array([1.5]))))
    with pytest.raises(MessageError):
        read_answer(write_request(Describe()))
    with pytest.raises(MessageError):
        read_request(write_answer(Refusal("no")))
