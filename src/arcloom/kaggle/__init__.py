"""A kit for Kaggle: what a notebook without internet needs to search there, and the notebook."""

from arcloom.kaggle.kit import README, Kit, write_kit
from arcloom.kaggle.notebook import COMPETITION, HOURS
from arcloom.kaggle.wheels import PLATFORM, PYTHON, KitError

__all__ = ["COMPETITION", "HOURS", "PLATFORM", "PYTHON", "README", "Kit", "KitError", "write_kit"]
