"""The compiled part of enumeration: the bank of values of a task, attempts to add to it, and answers put together."""
