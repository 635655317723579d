"""Balance a pole with two conditions
==================================

A policy for a gymnasium environment is a short list of rules, found by playing episodes.
"""

import gymnasium as gym
import numpy as np

from evoter import BoundaryDisplay, EvoterPolicy

policy = EvoterPolicy("CartPole-v1", random_state=0).fit()
print(policy.policy_)
print(f"mean steps in 20 new episodes, of 500: {policy.score(n_episodes=20):.0f}")

# %%
# The first seconds of an episode that starts at the circle, with the pole leaning to the right. The trajectory crosses
# the decision boundary back and forth, and the pole stays up.
env = gym.make("CartPole-v1", disable_env_checker=True)
observation = env.reset(seed=3, options={"low": 0.05, "high": 0.05})[0]
policy.reset()
path = [observation]
for _ in range(100):
    observation = env.step(policy(observation))[0]
    path.append(observation)
trace = np.array(path)[:, [2, 3]]

display = BoundaryDisplay.from_ruleset(
    policy.ruleset_,
    features=("angle.of.pole", "rotation.rate.of.pole"),
    ranges={"angle.of.pole": (-0.2, 0.2), "rotation.rate.of.pole": (-1.5, 1.5)},
)
display.ax_.plot(*trace.T, color="black", linewidth=0.9)
display.ax_.plot(*trace[0], "o", color="black", markerfacecolor="white")
