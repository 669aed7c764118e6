"""Rewards for training that are read by the suites' own readers, and exports of training prompts.

`accuracy` and `form` mark one reply; the others have the signatures that trainers call.
"""

from veridical.rewards.scores import accuracy, form
from veridical.rewards.trainers import accuracy_reward, compute_score, form_reward, reward, reward_func

__all__ = ["accuracy", "accuracy_reward", "compute_score", "form", "form_reward", "reward", "reward_func"]
