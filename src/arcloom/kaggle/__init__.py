"""A kit for Kaggle: what a notebook without internet needs to search there, and the notebook."""
