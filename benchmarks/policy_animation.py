"""Film a policy at work: a GIF of an episode that shows, in each frame, the rule that decides."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import gymnasium
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from rich.console import Console

from control import GOALS
from evoter import EvoterPolicy, RuleSet

Picture = NDArray[np.uint8]

MARGIN = 12
FONT = ImageFont.load_default(15)
LINE = 20
PAPER, INK, FAINT, MARKER = "white", (30, 30, 30), (140, 140, 140), (255, 224, 130)
MILLISECONDS = 50
N_COLOURS = 32
"""Enough for pictures of games, and a fraction of the size."""


def lines_of(ruleset: RuleSet) -> list[tuple[int, str]]:
    """Return the rules as short lines, each with the number of its rule, from 0 on.

    >>> from evoter import parse
    >>> lines_of(parse("a > 1 AND b < 2 -> Left; Default -> Right"))
    [(0, '1. a > 1'), (0, '    AND b < 2'), (0, '    -> Left'), (1, '2. Default'), (1, '    -> Right')]
    """
    lines = []
    for number, rule in enumerate(ruleset.to_text(declarations=False).splitlines()):
        broken = rule.replace(" AND ", "\n    AND ").replace(" -> ", "\n    -> ").split("\n")
        lines += [(number, line) for line in broken]
    return lines


def frame(picture: Picture, lines: Sequence[tuple[int, str]], deciding: int) -> Image.Image:
    """Return a picture with the rules beside it, the deciding one highlighted."""
    left = picture.shape[1]
    width = left + 2 * MARGIN + max(round(FONT.getlength(line)) for _, line in lines)
    height = max(picture.shape[0], LINE * len(lines) + 2 * MARGIN)
    image = Image.new("RGB", (width, height), PAPER)
    image.paste(Image.fromarray(picture), (0, (height - picture.shape[0]) // 2))
    pen = ImageDraw.Draw(image)
    top = (height - LINE * len(lines)) // 2
    for k, (number, line) in enumerate(lines):
        y = top + LINE * k
        if number == deciding:
            pen.rectangle((left + MARGIN // 2, y, width - MARGIN // 2, y + LINE), fill=MARKER)
        pen.text((left + MARGIN, y + 1), line, fill=INK if number == deciding else FAINT, font=FONT)
    return image.quantize(N_COLOURS)


def cropped(pictures: Sequence[Picture]) -> list[Picture]:
    """Return pictures without the rows above and below in which nothing ever is to be seen.

    >>> film = np.zeros((2, 5, 3, 3), np.uint8)
    >>> film[1, 2, 1] = 255
    >>> [picture.shape for picture in cropped(list(film))]
    [(1, 3, 3), (1, 3, 3)]
    """
    film = np.stack(pictures)
    busy = np.flatnonzero((film != film[0, 0, 0]).any(axis=(0, 2, 3)))
    if len(busy) == 0:
        return list(pictures)
    return list(film[:, busy[0] : busy[-1] + 1])


def play(policy: EvoterPolicy, env: str, seed: int, n_frames: int, every: int) -> tuple[list[Picture], list[int]]:
    """Play an episode and return every n-th picture of it with the rule that decided."""
    environment = gymnasium.make(env, render_mode="rgb_array")
    ruleset = policy.ruleset_
    observation, _ = environment.reset(seed=seed)
    policy.reset()
    pictures: list[Picture] = []
    deciding: list[int] = []
    for step in range(n_frames * every):
        decision = policy.policy_.decide(observation)
        if step % every == 0:
            pictures.append(np.asarray(environment.render(), np.uint8))
            deciding.append(decision.deciding[0] if decision.deciding else len(ruleset.rules))
        action = policy.policy_.actions[policy.schema_.actions.index(decision.action)]
        observation, _, terminated, truncated, _ = environment.step(action)
        if terminated or truncated:
            break
    environment.close()
    return pictures, deciding


def main(arguments: Sequence[str] | None = None) -> None:
    """Evolve or load a policy and write an animation of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=Path("policy.gif"), help="the file to write")
    parser.add_argument("--task", choices=GOALS, default="cart-pole v1", help="what to play (cart-pole v1)")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="a saved policy; without it, one is evolved")
    parser.add_argument("--generations", type=int, default=400, metavar="N", help="maximum number of generations (400)")
    parser.add_argument("--jobs", type=int, default=-1, metavar="N", help="threads; -1 is all cores (-1)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the frame to begin with (0)")
    parser.add_argument("--frames", type=int, default=100, metavar="N", help="frames of the animation (100)")
    parser.add_argument("--every", type=int, default=2, metavar="N", help="steps per frame (2)")
    parser.add_argument("--seed", type=int, default=0, help="of evolution and of the episode")
    chosen = parser.parse_args(arguments)
    goal = GOALS[chosen.task]
    policy = EvoterPolicy(
        goal.env, generations=chosen.generations, random_state=chosen.seed, n_jobs=chosen.jobs, **goal.parameters
    )
    policy = policy.fit() if chosen.policy is None else policy.load(chosen.policy)
    pictures, deciding = play(policy, goal.env, chosen.seed, chosen.first + chosen.frames, chosen.every)
    lines = lines_of(policy.ruleset_)
    shown = zip(cropped(pictures[chosen.first :]), deciding[chosen.first :], strict=True)
    first, *others = [frame(picture, lines, rule) for picture, rule in shown]
    first.save(chosen.path, save_all=True, append_images=others, duration=MILLISECONDS, loop=0, optimize=True)
    Console().print(f"wrote {chosen.path}: {1 + len(others)} frames")


if __name__ == "__main__":
    main()
