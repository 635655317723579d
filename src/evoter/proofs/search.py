"""The search by intervals: parts of the space in which a claim is decided, found by dividing it where rules change.

Every step holds for the rules as they are evaluated, rounding included. Relations of two features are known only as far
as the limits of the features tell, so that a part that seems to refute a claim may hold no point.
"""

from collections.abc import Iterator

from evoter.proofs.budget import Budget
from evoter.proofs.problem import MAYBE, NO, YES, Problem
from evoter.proofs.space import Box, Space


def refuting_parts(problem: Problem, budget: Budget, max_parts: float) -> Iterator[list[int]]:
    """Yield the parts of the space all of whose points, if there are any, refute the claim.

    Without any such part the claim is proved. Raises TimeoutError when time is up, or more parts would be looked at.
    """
    space = problem.space
    pending = [space.whole]
    n_parts = 0
    while pending:
        budget.check()
        n_parts += 1
        if n_parts > max_parts:
            raise TimeoutError
        masks = pending.pop()
        if not propagate(space, masks):
            continue
        verdict = problem.verdict(statuses(space, masks))
        if verdict is True:
            yield masks
        elif verdict is not False:
            index, accepted = _first_open(space.boxes[~verdict], masks)
            outside = masks.copy()
            outside[index] &= ~accepted
            masks[index] &= accepted
            pending += [outside, masks]


def statuses(space: Space, masks: list[int]) -> list[int]:
    """Tell for each conjunction whether it holds in a part of the space."""
    return [_status(box, masks) for box in space.boxes]


def _status(box: Box, masks: list[int]) -> int:
    status = YES
    for index, accepted in box:
        mask = masks[index]
        if not mask & accepted:
            return NO
        if mask & ~accepted:
            status = MAYBE
    return status


def _first_open(box: Box, masks: list[int]) -> tuple[int, int]:
    return next((index, accepted) for index, accepted in box if masks[index] & ~accepted)


def propagate(space: Space, masks: list[int]) -> bool:
    """Remove cells that no point has, given the others; tell whether there may be a point at all."""
    before: list[int] = []
    while before != masks:
        before = masks.copy()
        if not _agree_on_history(space, masks):
            return False
        for first, second in space.links:
            _keep_order(space, masks, first, second)
        for relation in space.relations:
            _relate(space, masks, *relation)
        if not all(masks):
            return False
    return True


def _agree_on_history(space: Space, masks: list[int]) -> bool:
    """Keep histories consistent: where a lag can be read, all shorter ones can."""
    if not space.by_lag or not space.by_lag[-1][0]:
        return True
    shortest_unread = min(
        (lag for lag, index in space.by_lag if masks[index] == space.variable(index).unavailable_cell), default=None
    )
    longest_read = max(
        (lag for lag, index in space.by_lag if not masks[index] & space.variable(index).unavailable_cell), default=0
    )
    for lag, index in space.by_lag:
        if lag <= longest_read:
            masks[index] &= ~space.variable(index).unavailable_cell
        elif shortest_unread is not None and lag >= shortest_unread:
            masks[index] &= space.variable(index).unavailable_cell
    return all(masks)


def _keep_order(space: Space, masks: list[int], first: int, second: int) -> None:
    """Keep the value at the second point from being lower, or missing where that at the first is not."""
    cells = space.variable(first)
    low, high = masks[first] & cells.present, masks[second] & cells.present
    others = masks[first] & masks[second] & ~cells.present
    if low and high:
        lowest = low & -low
        high &= ~(lowest - 1)
        low &= (1 << high.bit_length()) - 1
    else:
        low = high = 0
    if not low or not high:
        low = high = 0
    masks[first], masks[second] = low | others, high | others


def _relate(space: Space, masks: list[int], index: int, first: int, second: int) -> None:
    """Limit a relation by its variables, and decide whether it can be evaluated at all."""
    cells = space.relation(index)
    one, other = space.variable(first), space.variable(second)
    here, there = masks[first] & one.present, masks[second] & other.present
    mask = masks[index]
    if not mask & cells.absent_cell:
        masks[first], masks[second] = here, there
    elif masks[first] == here and masks[second] == there and not cells.may_be_nan:
        mask &= ~cells.absent_cell
    if not here or not there:
        mask &= cells.absent_cell
    elif mask & cells.present:
        mask &= space.possible(index, first, here, second, there) | cells.absent_cell
    if mask == cells.absent_cell and not cells.may_be_nan:
        if masks[first] == here:
            masks[second] &= ~other.present
        if masks[second] == there:
            masks[first] &= ~one.present
    masks[index] = mask
