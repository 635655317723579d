"""Policies as rules beside PPO and DQN, for equal environment steps and for equal time."""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console

from evoter import EvoterPolicy

ENVIRONMENTS = ("Acrobot-v1", "MountainCar-v0", "LunarLander-v3")
TEST_EPISODES = 100
TEST_SEED = 1_000_000
HEAD = ("| environment | seed | policy | mean return | steps | seconds | size |", "|---|---:|---|---:|---:|---:|---|")
CONSOLE = Console()

_WIDE = {"net_arch": [256, 256]}
PEERS: dict[str, dict[str, dict[str, Any]]] = {
    "PPO": {
        "Acrobot-v1": {"n_steps": 256, "gae_lambda": 0.94, "n_epochs": 4, "ent_coef": 0.0},
        "MountainCar-v0": {"n_steps": 16, "gae_lambda": 0.98, "n_epochs": 4, "ent_coef": 0.0},
        "LunarLander-v3": {"n_steps": 1024, "gae_lambda": 0.98, "gamma": 0.999, "n_epochs": 4, "ent_coef": 0.01},
    },
    "DQN": {
        "Acrobot-v1": {"learning_rate": 6.3e-4, "batch_size": 128, "buffer_size": 50_000, "learning_starts": 0,
                       "target_update_interval": 250, "train_freq": 4, "gradient_steps": -1,
                       "exploration_fraction": 0.12, "exploration_final_eps": 0.1, "policy_kwargs": _WIDE},
        "MountainCar-v0": {"learning_rate": 4e-3, "batch_size": 128, "buffer_size": 10_000, "learning_starts": 1_000,
                           "gamma": 0.98, "target_update_interval": 600, "train_freq": 16, "gradient_steps": 8,
                           "exploration_fraction": 0.2, "exploration_final_eps": 0.07, "policy_kwargs": _WIDE},
        "LunarLander-v3": {"learning_rate": 6.3e-4, "batch_size": 128, "buffer_size": 50_000, "learning_starts": 0,
                           "target_update_interval": 250, "train_freq": 4, "gradient_steps": -1,
                           "exploration_fraction": 0.12, "exploration_final_eps": 0.1, "policy_kwargs": _WIDE},
    },
}  # fmt: skip
"""Settings that were tuned for each environment by others (those of RL Baselines3 Zoo), not defaults."""

N_ENVIRONMENTS = {"PPO": 16, "DQN": 1}


class Counted(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An environment that adds its steps to a count shared by all."""

    steps = 0

    def step(self, action: Any) -> Any:
        """Take a step, and count it."""
        Counted.steps += 1
        return super().step(action)


def returns_of(name: str, act: Callable[[Any], Any], begin: Callable[[], None]) -> float:
    """Return the mean return of a policy in the test episodes."""
    environment = gymnasium.make(name)
    returns = []
    for episode in range(TEST_EPISODES):
        observation, _ = environment.reset(seed=TEST_SEED + episode)
        begin()
        total, over = 0.0, False
        while not over:
            observation, reward, terminated, truncated, _ = environment.step(act(observation))
            total += float(reward)
            over = terminated or truncated
        returns.append(total)
    environment.close()
    return float(np.mean(returns))


def evolve(name: str, seed: int, seconds: float) -> tuple[str, int, float]:
    """Evolve a policy for some seconds; print it, and return its line, the steps it took and the time."""
    Counted.steps = 0
    start = time.perf_counter()
    policy = EvoterPolicy(
        lambda: Counted(gymnasium.make(name)), max_seconds=seconds, target_score=1e9, random_state=seed
    ).fit()
    elapsed = time.perf_counter() - start
    steps = Counted.steps
    score = returns_of(name, policy, policy.reset)
    CONSOLE.print(f"\n{policy.policy_}\n", markup=False, highlight=False)
    size = f"{policy.ruleset_.n_conditions} conditions"
    return f"| {name} | {seed} | EVOTER | {score:.1f} | {steps:,} | {elapsed:.0f} | {size} |", steps, elapsed


def learn(name: str, peer: str, seed: int, steps: int, seconds: float) -> list[str]:
    """Train a peer for as many steps, and note how good it was after as many seconds."""
    import stable_baselines3  # here, since it is heavy and --help does not need it
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.env_util import make_vec_env

    lines = []

    def note(model: Any, elapsed: float) -> None:
        score = returns_of(name, lambda seen: model.predict(seen, deterministic=True)[0], lambda: None)
        size = sum(weights.numel() for weights in model.policy.parameters())
        taken = model.num_timesteps
        lines.append(f"| {name} | {seed} | {peer} | {score:.1f} | {taken:,} | {elapsed:.0f} | {size:,} weights |")

    class AtTime(BaseCallback):  # type: ignore[misc]
        """Notes the score once, when the time is over; noting takes no part of the time."""

        def __init__(self) -> None:
            super().__init__()
            self.noted = 0.0

        def _on_step(self) -> bool:
            elapsed = time.perf_counter() - start
            if elapsed > seconds and self.noted == 0.0:
                begin = time.perf_counter()
                note(self.model, elapsed)
                self.noted = time.perf_counter() - begin
            return True

    environments = make_vec_env(name, N_ENVIRONMENTS[peer], seed=seed)
    model = getattr(stable_baselines3, peer)("MlpPolicy", environments, seed=seed, device="cpu", **PEERS[peer][name])
    at_time = AtTime()
    start = time.perf_counter()
    model.learn(steps, callback=at_time)
    note(model, time.perf_counter() - start - at_time.noted)
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is asked for, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=ENVIRONMENTS, default=list(ENVIRONMENTS), metavar="ENVIRONMENT")
    parser.add_argument("--peers", nargs="*", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--seconds", type=float, default=60.0, help="what evolution is given (60)")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="seeds 0 .. N-1 (1)")
    chosen = parser.parse_args(arguments)
    lines = [*HEAD]
    for name in chosen.only:
        for seed in range(chosen.seeds):
            line, steps, elapsed = evolve(name, seed, chosen.seconds)
            lines.append(line)
            for peer in chosen.peers:
                lines += learn(name, peer, seed, steps, elapsed)
            CONSOLE.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
