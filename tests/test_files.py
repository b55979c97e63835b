"""Reading files of limited size, and replacing files atomically."""

import errno
import os
from pathlib import Path

import pytest

from arcloom import files
from arcloom.files import read_whole, write_atomically


def test_a_file_is_read_as_a_whole(tmp_path: Path) -> None:
    data = bytes(range(256)) * 40_000
    (tmp_path / "large").write_bytes(data)
    assert read_whole(tmp_path / "large") == data


def test_a_device_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILE", 3 << 20)
    with pytest.raises(OSError, match="larger than 3 MB") as caught:
        read_whole("/dev/zero")
    assert caught.value.filename == "/dev/zero"


def test_an_error_names_the_file_that_was_to_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path, number in ((tmp_path / "missing" / "file", errno.ENOENT), (tmp_path / "folder", errno.EISDIR)):
        with pytest.raises(OSError) as caught:
            write_atomically(path, "text")
        assert (caught.value.filename, caught.value.errno) == (str(path), number)
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


def test_a_named_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert pipe.is_fifo()
