"""Rule induction: rules that map few features of a cell or object to its outcome."""
