"""Reward functions in the forms that TRL and verl expect. Neither library is needed to run this file."""

from typing import Any

import arcloom
from arcloom.tasks import Dataset

TASKS: Dataset = arcloom.load("arcagi:training")


def trl_reward(completions: list[Any], task_id: list[str], **columns: Any) -> list[float]:
    """A reward function for TRL's GRPOTrainer: ``reward_funcs=trl_reward``, with a dataset column ``task_id``.

    A completion is a text, or a list of chat messages of which the last one counts.
    """
    texts = [completion if isinstance(completion, str) else completion[-1]["content"] for completion in completions]
    scored = arcloom.score([[text] for text in texts], [TASKS[id] for id in task_id])
    return [result.reward for result in scored]


def compute_score(data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None) -> float:
    """A reward function for verl (``custom_reward_function.name=compute_score``); the ground truth is a task's id."""
    return next(arcloom.score(solution_str, TASKS[ground_truth])).reward


def main() -> None:
    right = "def solve(I):\n    return hconcat(I, I)"
    wrong = [{"role": "assistant", "content": "```python\ndef solve(I):\n    return vmirror(I)\n```"}]
    print("TRL:", [round(reward, 3) for reward in trl_reward([right, wrong], ["a416b8f3", "a416b8f3"])])
    print("verl:", compute_score("arc", right, "a416b8f3"))


if __name__ == "__main__":
    main()
