"""Flappy Bird in batches: the game of `flappy_bird`, compiled, for many birds at once."""

import numpy as np

from evoter.environments.batch import Bools, Step, generator
from evoter.environments.flappy_course import (
    BIRD_START,
    BIRD_X,
    FASTEST_FALL,
    FIRST_PIPES,
    FLAP,
    GAP,
    GRAVITY,
    LOWEST,
    MAX_STEPS,
    NEXT_PIPE,
    PASSED,
    PIPE_SPEED,
    PIPE_WIDTH,
    REACH,
    ROOM,
    count_pipes,
    draw_gaps,
)
from evoter.kernels.compilation import entry_kernel, inlined_kernel
from evoter.kernels.evaluation.policies import Past
from evoter.kernels.evaluation.programs import (
    Programs,
    empty_programs,
    forget,
    program_of,
    remember,
    rule_holds,
    write_program,
)
from evoter.kernels.layout import ACTION, DEFAULT, N_RULES, Floats, Ints, Population
from evoter.kernels.threads import Threads


@inlined_kernel
def collides(y: float, gap: float, ahead: float) -> bool:
    """Tell whether a bird hits the ground, the sky, or the nearest pipe, whose middle is `ahead` of it."""
    return (-PASSED < ahead < REACH and (y <= gap or y > gap + ROOM)) or y >= LOWEST or y <= 0.0


@inlined_kernel
def move(y: float, velocity: float, flapping: bool, thrusting: bool, flap: bool) -> tuple[float, float, bool, bool]:
    """Return a bird's state one frame later.

    A flap lasts two frames: one in which it acts, and one without gravity.
    """
    if flap:
        velocity = 0.0
        flapping = True
    if velocity < FASTEST_FALL and not thrusting:
        velocity += GRAVITY
    if flapping and not thrusting:
        velocity -= FLAP
        return y + velocity, velocity, True, True
    return y + velocity, velocity, False, False


@inlined_kernel
def see(
    y: float, velocity: float, gap: float, next_gap: float, distance: float, next_distance: float, seen: Floats
) -> None:
    """Write what a bird sees: itself, and the next two pipes."""
    seen[0] = y
    seen[1] = velocity
    seen[2] = distance
    seen[3] = gap
    seen[4] = gap + GAP
    seen[5] = next_distance
    seen[6] = next_gap
    seen[7] = next_gap + GAP


@entry_kernel
def fly(
    birds: Floats,
    flapping: Bools,
    thrusting: Bools,
    courses: Ints,
    gaps: Floats,
    nearest: int,
    ahead: float,
    actions: Ints,
    done: Bools,
) -> None:
    """Move every bird by one frame; the nearest pipe of its course has this number, its middle is `ahead`."""
    for row in range(len(birds)):
        y, velocity = birds[row]
        done[row] = collides(y, gaps[courses[row], nearest], ahead)
        birds[row, 0], birds[row, 1], flapping[row], thrusting[row] = move(
            y, velocity, flapping[row], thrusting[row], actions[row] == 1
        )


@entry_kernel
def observe(birds: Floats, courses: Ints, gaps: Floats, first: int, distances: Floats, observations: Floats) -> None:
    """Write what every bird sees, where the next pipe of its course has number `first`."""
    for row in range(len(birds)):
        gap, next_gap = gaps[courses[row], first], gaps[courses[row], first + 1]
        see(birds[row, 0], birds[row, 1], gap, next_gap, distances[0], distances[1], observations[row])


@entry_kernel
def fly_on(
    first: int,
    last: int,
    population: Population,
    gaps: Floats,
    pipes: Ints,
    distances: Floats,
    past: Past,
    programs: Programs,
    n_counted: int,
    returns: Floats,
    applied: Ints,
    decided: Ints,
) -> None:
    """Let individuals `first` to `last` fly every course from start to end; count frames and what their rules do.

    `pipes` and `distances` tell for every frame which pipe is nearest and which is next, and how far ahead the nearest
    one and the next two are. After the first `n_counted` courses, only rules that decide are counted. `past` tells how
    far rules look back and how values are scaled.
    """
    for i in range(first, last):
        program = program_of(programs, i)
        write_program(population, i, past, program)
        n_rules = population.header[i, N_RULES]
        for course in range(len(gaps)):
            y, velocity, flapping, thrusting = BIRD_START, 0.0, True, False
            returns[i, course] = len(pipes)
            place = forget(program)
            for step in range(len(pipes)):
                nearest, following = pipes[step]
                gap, next_gap = gaps[course, following], gaps[course, following + 1]
                see(y, velocity, gap, next_gap, distances[step, 1], distances[step, 2], program.seen)
                place = remember(program, past, place)
                decider = -1
                for r in range(n_rules):
                    if rule_holds(population, past, program, r, step, place):
                        applied[i, r] += 1
                        if decider < 0:
                            decider = r
                        if course >= n_counted:
                            break
                decided[i, decider if decider >= 0 else decided.shape[1] - 1] += 1
                if collides(y, gaps[course, nearest], distances[step, 0]):
                    returns[i, course] = step
                    break
                action = population.rules[i, decider, ACTION] if decider >= 0 else population.header[i, DEFAULT]
                y, velocity, flapping, thrusting = move(y, velocity, flapping, thrusting, action == 1)


class BatchFlappyBird:
    """Episodes of Flappy Bird: flap (1) or not (0); every frame without a collision is worth 1.

    All birds fly at the same speed, so that the pipes are at the same positions for all; only the gaps differ.
    """

    def __init__(self, max_steps: int = MAX_STEPS) -> None:
        self.max_steps = max_steps
        self._courses = np.empty(0, np.int64)
        self._gaps = np.empty((0, 0))
        self._pipes, self._distances = _survey(max_steps + 1)
        self._birds = np.empty((0, 2))

    def reset(self, seeds: Ints) -> Floats:
        """Begin an episode for every seed, on the course that `FlappyBird` has for it."""
        distinct, self._courses = np.unique(seeds, return_inverse=True)
        self._gaps = self._draw(distinct)
        n = len(seeds)
        self._birds = np.tile([BIRD_START, 0.0], (n, 1))
        self._flapping = np.ones(n, np.bool_)
        self._thrusting = np.zeros(n, np.bool_)
        self._step = 0
        return self._observe()

    def step(self, actions: Ints) -> Step:
        """Let every bird fly on for one frame."""
        done = np.empty(len(self._birds), np.bool_)
        nearest, ahead = self._pipes[self._step, 0], self._distances[self._step, 0]
        fly(self._birds, self._flapping, self._thrusting, self._courses, self._gaps, nearest, ahead, actions, done)
        self._step += 1
        return Step(self._observe(), (~done).astype(np.float64), done)

    def keep(self, rows: Ints) -> None:
        """Continue with these episodes only."""
        self._birds, self._courses = self._birds[rows], self._courses[rows]
        self._flapping, self._thrusting = self._flapping[rows], self._thrusting[rows]

    def play(
        self,
        population: Population,
        past: Past,
        seeds: Ints,
        threads: Threads,
        n_counted: int,
        returns: Floats,
        applied: Ints,
        decided: Ints,
    ) -> None:
        """Let every individual play an episode for every seed, from beginning to end."""
        pipes, distances = self._pipes[: self.max_steps], self._distances[: self.max_steps]
        programs = empty_programs(population, past)
        arguments = population, self._draw(seeds), pipes, distances, past, programs
        threads.run(fly_on, population.size, np.inf, *arguments, n_counted, returns, applied, decided)

    def _draw(self, seeds: Ints) -> Floats:
        n_pipes = count_pipes(self.max_steps)
        return np.array([draw_gaps(generator(int(seed)), n_pipes) for seed in seeds], np.float64)

    def _observe(self) -> Floats:
        observations = np.empty((len(self._birds), 8))
        following, distances = self._pipes[self._step, 1], self._distances[self._step, 1:]
        observe(self._birds, self._courses, self._gaps, following, distances, observations)
        return observations


def _survey(n_frames: int) -> tuple[Ints, Floats]:
    """Return for each frame which pipe is nearest and which is next, and how far the nearest and the next two are."""
    pipes, distances = np.empty((n_frames, 2), np.int64), np.empty((n_frames, 3))
    middles = np.array(FIRST_PIPES)  # from left to right
    n_passed = 0
    for frame in range(n_frames):
        nearest = int(np.argmin(np.abs(middles - BIRD_X)))
        following = 0 if middles[0] > BIRD_X else 1
        pipes[frame] = n_passed + nearest, n_passed + following
        distances[frame] = middles[[nearest, following, following + 1]] - BIRD_X
        if middles[0] < -PIPE_WIDTH:
            middles = np.append(middles[1:], NEXT_PIPE)
            n_passed += 1
        middles -= PIPE_SPEED
    return pipes, distances
