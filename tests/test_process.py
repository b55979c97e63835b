"""The process of a command: Ctrl-C during the start, and closed standard streams."""

import os
import subprocess
import sys

import pytest

AT_IMPORT = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
sys.argv[1:] = ["dsl", "rot90"]
from arcloom.__main__ import main
{before}
main()
"""


def interrupted(module: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command that gets SIGINT while it imports a module."""
    code = AT_IMPORT.format(module=module, before=before)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("module", ["arcloom.cli", "typer", "arcloom.dsl", "sqlite3"])
def test_while_modules_are_imported(module: str) -> None:
    ended = interrupted(module)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_a_background_job_of_a_shell_goes_on() -> None:
    ended = interrupted("typer", "signal.signal(signal.SIGINT, signal.SIG_IGN)")
    assert ended.returncode == 0 and "rot90" in ended.stdout


def test_in_a_command_it_is_reported() -> None:
    replaced = "language.explain = lambda name: os.kill(os.getpid(), signal.SIGINT)"
    ended = interrupted("", f"from arcloom.cli import language\n{replaced}")
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "arcloom: stopped\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_replaced(closed: str) -> None:
    command = f"{sys.executable} -m arcloom dsl rot90 {closed}"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("words", ["--help", "dsl rot90"])
def test_a_full_disk_is_reported(words: str) -> None:
    command = f"{sys.executable} -m arcloom {words} > /dev/full"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, "arcloom: No space left on device\n")


def test_output_is_written_when_the_process_ends() -> None:
    code = "import atexit, sys\nfrom arcloom import cli\nfrom arcloom.__main__ import main\n"
    code += "atexit.register(print, 'exit function')\n"
    code += "cli.main = lambda began: sys.exit(print('output', end=' ') or 3)\nmain()"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "output exit function\n", "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_an_encoding_that_lacks_characters_is_no_error(encoding: str) -> None:
    command = [sys.executable, "-m", "arcloom", "show", "68b16354", "--data", "arcagi:training"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    ended = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert "68b16354" in ended.stdout.decode(encoding)
