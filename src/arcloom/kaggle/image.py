"""Python version, platform and packages of Kaggle's image."""

PYTHON = "3.12"
PLATFORM = "manylinux_2_28_x86_64"
"""Python version and platform of Kaggle's image. Its C library is newer than this platform needs."""

IMAGE = {
    "annotated-doc": "0.0.4",
    "annotated-types": "0.7.0",
    "click": "8.3.3",
    "markdown-it-py": "4.0.0",
    "mdurl": "0.1.2",
    "numpy": "2.0.2",
    "packaging": "26.1",
    "pydantic": "2.12.3",
    "pydantic-core": "2.41.4",
    "pygments": "2.20.0",
    "rich": "13.9.4",
    "shellingham": "1.5.4",
    "typer": "0.24.2",
    "typing-extensions": "4.15.0",
    "typing-inspection": "0.4.2",
}
"""Packages that arcloom needs and that Kaggle's image has (in May 2026). The wheels of a kit must be compatible with
these versions. Packages that are too old are not listed, such as Numba 0.60."""
