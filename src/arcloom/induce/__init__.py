"""Rule induction: a cell's colour in the output as a function of few features of the cell in the input."""
