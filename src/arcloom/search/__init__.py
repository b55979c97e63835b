"""The search: candidate programs are dealt, run, scored and kept, and vote on the answers."""
