"""Film a policy at work: a GIF of an episode that shows, in each frame, the rule that decides."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import gymnasium
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from rich.console import Console

import evoter.environments.flappy_bird  # noqa: F401 (registers itself)
from evoter import EvoterPolicy

MARGIN = 6
LINE = 14
LETTER = 7


def frame(picture: NDArray[np.uint8], lines: Sequence[str], deciding: int) -> Image.Image:
    """Return a picture with the rules below it, the deciding one highlighted."""
    width = max(picture.shape[1], 2 * MARGIN + max(LETTER * len(line) for line in lines))
    image = Image.new("RGB", (width, picture.shape[0] + LINE * len(lines) + 2 * MARGIN), "white")
    image.paste(Image.fromarray(picture), ((width - picture.shape[1]) // 2, 0))
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        y = picture.shape[0] + MARGIN + LINE * number
        if number == deciding:
            pen.rectangle((0, y, width, y + LINE - 1), fill=(255, 224, 130))
        pen.text((MARGIN, y), line, fill="black")
    return image


def film(policy: EvoterPolicy, env: str, seed: int, n_frames: int, every: int) -> list[Image.Image]:
    """Play an episode and return every so many frames of it."""
    environment = gymnasium.make(env, render_mode="rgb_array")
    ruleset = policy.ruleset_
    lines = ruleset.to_text(declarations=False).splitlines()
    observation, _ = environment.reset(seed=seed)
    policy.reset()
    frames = []
    for step in range(n_frames * every):
        decision = policy.policy_.decide(observation)
        if step % every == 0:
            deciding = decision.deciding[0] if decision.deciding else len(ruleset.rules)
            frames.append(frame(np.asarray(environment.render()), lines, deciding))
        action = policy.policy_.actions[policy.schema_.actions.index(decision.action)]
        observation, _, terminated, truncated, _ = environment.step(action)
        if terminated or truncated:
            break
    environment.close()
    return frames


def main(arguments: Sequence[str] | None = None) -> None:
    """Evolve or load a policy and write an animation of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=Path("policy.gif"), help="the file to write")
    parser.add_argument("--env", default="CartPole-v1", help="the environment (CartPole-v1)")
    parser.add_argument("--policy", type=Path, help="a saved policy; without it, one is evolved")
    parser.add_argument("--generations", type=int, default=50, metavar="N", help="at most so many (50)")
    parser.add_argument("--frames", type=int, default=100, metavar="N", help="frames of the animation (100)")
    parser.add_argument("--every", type=int, default=2, metavar="N", help="steps per frame (2)")
    parser.add_argument("--seed", type=int, default=0, help="of evolution and of the episode")
    chosen = parser.parse_args(arguments)
    policy = EvoterPolicy(chosen.env, generations=chosen.generations, random_state=chosen.seed)
    policy = policy.fit() if chosen.policy is None else policy.load(chosen.policy)
    first, *others = film(policy, chosen.env, chosen.seed, chosen.frames, chosen.every)
    first.save(chosen.path, save_all=True, append_images=others, duration=50, loop=0, optimize=True)
    Console().print(f"wrote {chosen.path}: {1 + len(others)} frames")


if __name__ == "__main__":
    main()
