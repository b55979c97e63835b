"""The compiled part of enumeration: the bank of values of a task, its expressions, and covers."""
