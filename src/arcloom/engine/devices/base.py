"""What all devices have in common."""


class HeapFull(Exception):
    """There is no room for what is to be computed: less must run at a time."""
