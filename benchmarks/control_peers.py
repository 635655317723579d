"""Policies as rules compared with PPO and DQN, at equal environment steps and at equal CPU time."""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console

from control import SUMS
from evoter import EvoterPolicy
from evoter.evolution.engine import Evolution

ENVIRONMENTS = ("Acrobot-v1", "MountainCar-v0", "LunarLander-v3")
TEST_SEED = 1_000_000
HEAD = ("| environment | seed | policy | mean return | steps | CPU s | size |", "|---|---:|---|---:|---:|---:|---|")
CONSOLE = Console()

RULES: dict[str, Any] = {
    "population_size": 40, "n_episodes": 2, "n_validation": 20, "n_confirmation": 0, "target_score": 1e9
}  # fmt: skip
"""Few candidates and few episodes for each, since steps are what is counted; no target, so that all steps are used."""

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


def returns_of(name: str, act: Callable[[Any], Any], begin: Callable[[], None], n_episodes: int) -> float:
    """Return the mean return of a policy in the test episodes."""
    environment = gymnasium.make(name)
    returns = []
    for episode in range(n_episodes):
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


def evolve(name: str, seed: int, steps: int, n_test: int) -> tuple[str, int, float]:
    """Evolve a policy for a number of steps; print it, and return its table row, the steps and the time."""
    Counted.steps = 0
    start = time.process_time()

    def enough(evolution: Evolution, progress: float) -> bool:
        return Counted.steps >= steps

    policy = EvoterPolicy(
        lambda: Counted(gymnasium.make(name)),
        generations=10_000,
        watchers=[enough],
        random_state=seed,
        **RULES,
        **(SUMS if name == "LunarLander-v3" else {}),
    ).fit()
    elapsed = time.process_time() - start
    taken = Counted.steps
    score = returns_of(name, policy, policy.reset, n_test)
    CONSOLE.print(f"\n{policy.policy_}\n", markup=False, highlight=False)
    size = f"{policy.ruleset_.n_conditions} conditions"
    return f"| {name} | {seed} | EVOTER | {score:.1f} | {taken:,} | {elapsed:.1f} | {size} |", taken, elapsed


def learn(name: str, peer: str, seed: int, steps: int, seconds: float, n_test: int) -> list[str]:
    """Train a peer for as many steps, and note how good it was after as many seconds of CPU time."""
    import stable_baselines3  # here, since it is heavy and --help does not need it
    import torch
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.env_util import make_vec_env

    torch.set_num_threads(1)  # as the other one has
    lines = []

    def note(model: Any, elapsed: float) -> None:
        score = returns_of(name, lambda seen: model.predict(seen, deterministic=True)[0], lambda: None, n_test)
        size = sum(weights.numel() for weights in model.policy.parameters())
        taken = model.num_timesteps
        lines.append(f"| {name} | {seed} | {peer} | {score:.1f} | {taken:,} | {elapsed:.1f} | {size:,} weights |")

    class AtTime(BaseCallback):  # type: ignore[misc]
        """Notes the score once, when the time is over; noting takes no part of the time."""

        def __init__(self) -> None:
            super().__init__()
            self.noted = 0.0

        def _on_step(self) -> bool:
            elapsed = time.process_time() - start
            if elapsed > seconds and self.noted == 0.0:
                begin = time.process_time()
                note(self.model, elapsed)
                self.noted = time.process_time() - begin
            return True

    environments = make_vec_env(name, N_ENVIRONMENTS[peer], seed=seed)
    model = getattr(stable_baselines3, peer)("MlpPolicy", environments, seed=seed, device="cpu", **PEERS[peer][name])
    at_time = AtTime()
    start = time.process_time()
    model.learn(steps, callback=at_time)
    note(model, time.process_time() - start - at_time.noted)
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is asked for, and print a table, line by line as it grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=ENVIRONMENTS, default=list(ENVIRONMENTS), metavar="ENVIRONMENT")
    parser.add_argument("--peers", nargs="*", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--steps", type=int, default=100_000, metavar="N", help="of the environment (100000)")
    parser.add_argument("--tests", type=int, default=100, metavar="N", help="test episodes (100)")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="number of seeds (3)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first seed (0)")
    chosen = parser.parse_args(arguments)
    lines = [*HEAD]
    EvoterPolicy("CartPole-v1", generations=1, population_size=10, n_validation=2).fit()  # compiles
    for seed in range(chosen.first, chosen.first + chosen.seeds):
        for name in chosen.only:
            line, steps, elapsed = evolve(name, seed, chosen.steps, chosen.tests)
            lines.append(line)
            CONSOLE.print(line, markup=False, highlight=False, soft_wrap=True)
            for peer in chosen.peers:
                lines += learn(name, peer, seed, steps, elapsed, chosen.tests)
                CONSOLE.print("\n".join(lines[-2:]), markup=False, highlight=False, soft_wrap=True)
    CONSOLE.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
