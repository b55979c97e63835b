"""The search loop: candidates, evaluation, archive, vote and submission."""
