"""Hypervolume: the exact volume between some points and a reference point, by sweeps."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.fronts.sorting import Sorting, room_for_sorting, sort_by_column
from evoter.kernels.layout import Floats, Ints


@kernel
def _area(points: Floats, n: int, reference: Floats, order: Ints, sorting: Sorting) -> float:
    """Return the area that the first `n` points dominate, by a sweep along the first objective."""
    for i in range(n):
        order[i] = i
    sort_by_column(points, 0, order[:n], sorting)
    area = 0.0
    height = reference[1]
    for i in order[:n]:
        if points[i, 1] < height:
            area += (reference[0] - points[i, 0]) * (height - points[i, 1])
            height = points[i, 1]
    return area


@kernel
def _insert(x: float, y: float, stairs: Floats, n: int) -> tuple[int, float]:
    """Put a point into a staircase of `n` points, its ends included; return the new length and the area gained.

    Stairs go from the least x and the largest y to the largest x and the least y; points that it dominates are removed.
    """
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if stairs[middle, 0] <= x:
            low = middle + 1
        else:
            high = middle
    left = low - 1
    if stairs[left, 1] <= y:
        return n, 0.0
    first = left if stairs[left, 0] == x else low
    height = stairs[left, 1]
    gained = 0.0
    x_before = x
    right = low
    while stairs[right, 1] >= y:
        gained += (stairs[right, 0] - x_before) * (height - y)
        x_before, height = stairs[right, 0], stairs[right, 1]
        right += 1
    gained += (stairs[right, 0] - x_before) * (height - y)
    shift = first + 1 - right
    if shift > 0:
        for k in range(n - 1, right - 1, -1):
            stairs[k + shift, 0], stairs[k + shift, 1] = stairs[k, 0], stairs[k, 1]
    elif shift < 0:
        for k in range(right, n):
            stairs[k + shift, 0], stairs[k + shift, 1] = stairs[k, 0], stairs[k, 1]
    stairs[first, 0], stairs[first, 1] = x, y
    return n + shift, gained


@kernel
def _volume(points: Floats, n: int, reference: Floats, order: Ints, sorting: Sorting, stairs: Floats) -> float:
    """Return the volume that the first `n` points dominate: a staircase grows along the third objective."""
    for i in range(n):
        order[i] = i
    sort_by_column(points, 2, order[:n], sorting)
    stairs[0, 0], stairs[0, 1] = -np.inf, reference[1]
    stairs[1, 0], stairs[1, 1] = reference[0], -np.inf
    n_stairs = 2
    volume = 0.0
    for i in order[:n]:
        n_stairs, gained = _insert(points[i, 0], points[i, 1], stairs, n_stairs)
        volume += gained * (reference[2] - points[i, 2])
    return volume


@kernel
def _measure(
    points: Floats, n: int, n_objectives: int, reference: Floats, order: Ints, sorting: Sorting, stairs: Floats
) -> float:
    """Return what the first `n` points dominate in the first one to three objectives."""
    if n_objectives == 3:
        return _volume(points, n, reference, order, sorting, stairs)
    if n_objectives == 2:
        return _area(points, n, reference, order, sorting)
    longest = 0.0
    for i in range(n):
        longest = max(longest, reference[0] - points[i, 0])
    return longest


@kernel
def _limit(points: Floats, order: Ints, k: int, n: int, n_objectives: int, limited: Floats) -> int:
    """Write the part of each point of `order[k + 1:n]` that point `order[k]` dominates too; return how many count.

    Of these corners, those that an earlier one dominates are left out.
    """
    n_kept = 0
    for j in range(k + 1, n):
        for m in range(n_objectives):
            limited[n_kept, m] = max(points[order[j], m], points[order[k], m])
        dominated = False
        for i in range(n_kept):
            dominated = True
            for m in range(n_objectives):
                if limited[i, m] > limited[n_kept, m]:
                    dominated = False
                    break
            if dominated:
                break
        if not dominated:
            n_kept += 1
    return n_kept


@allocating_kernel
def _hypervolume(points: Floats, n: int, n_objectives: int, reference: Floats) -> float:
    """Return what the first `n` points dominate in their first objectives.

    With more than three objectives, points are taken from the worst to the best in the last objective. Each adds the
    box between itself and the reference without the part that later points dominate too; in the last objective all of
    that part begins where the box does, so that it is measured with one objective fewer.
    """
    order = np.arange(n)
    sorting = room_for_sorting(n)
    if n_objectives <= 3:
        return _measure(points, n, n_objectives, reference, order, sorting, np.empty((n + 2, 2)))
    last = n_objectives - 1
    sort_by_column(points, last, order, sorting)
    order = order[::-1].copy()
    limited = np.empty((n, last))
    total = 0.0
    for k in range(n):
        box = 1.0
        for m in range(last):
            box *= reference[m] - points[order[k], m]
        n_limited = _limit(points, order, k, n, last, limited)
        total += (box - _hypervolume(limited, n_limited, last, reference)) * (reference[last] - points[order[k], last])
    return total


@allocating_kernel
def hypervolume(points: Floats, reference: Floats) -> float:
    """Return the volume between some points, all objectives minimised, and a reference point.

    Points that are not better than the reference in every objective add nothing, nor do those with a NaN; a point of
    minus infinity makes the region infinite.
    """
    n, n_objectives = points.shape
    inside = np.empty((n, n_objectives))
    n_inside = 0
    endless = False
    for i in range(n):
        better = True
        for m in range(n_objectives):
            inside[n_inside, m] = points[i, m]
            better &= points[i, m] < reference[m]
        if better:
            endless |= np.isinf(inside[n_inside]).any()
            n_inside += 1
    return np.inf if endless else _hypervolume(inside, n_inside, n_objectives, reference)
