"""The compiled part of learning rules: labels of features, and the search for sets of features."""
