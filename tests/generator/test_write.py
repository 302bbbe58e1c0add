"""Files are written all or none, only if they differ, and every failure is one line."""

import errno
import os
import resource
import shutil
import signal
import stat
import subprocess
import threading
from pathlib import Path
from typing import IO, Any, NoReturn

import pytest

from dlpack_bindgen.emit.render import OutputFile
from dlpack_bindgen.emit.write import WriteError, diff, stale, write, write_file

FILES = [OutputFile("x.h", "int x;\n"), OutputFile("x.c", '#include "x.h"\nint x = 1; /* é */\n')]


def contents(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in directory.iterdir()}


def test_writes_everything_into_a_new_directory(tmp_path: Path) -> None:
    directory = tmp_path / "a" / "b"
    assert write(FILES, directory) == ["x.h", "x.c"]
    assert contents(directory) == {file.name: file.text for file in FILES}


def test_writes_utf8_and_lf(tmp_path: Path) -> None:
    write(FILES, tmp_path)
    assert (tmp_path / "x.c").read_bytes() == FILES[1].text.encode("utf-8")
    assert b"\r" not in (tmp_path / "x.c").read_bytes()


def test_unchanged_files_are_left_alone(tmp_path: Path) -> None:
    write(FILES, tmp_path)
    os.utime(tmp_path / "x.h", ns=(1, 1))
    inode = (tmp_path / "x.h").stat().st_ino
    (tmp_path / "x.c").write_text("old")
    assert write(FILES, tmp_path) == ["x.c"]
    assert (tmp_path / "x.h").stat().st_mtime_ns == 1
    assert (tmp_path / "x.h").stat().st_ino == inode
    assert write(FILES, tmp_path) == []


def test_permissions_are_what_the_umask_gives(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(FILES, tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x.c").stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["x.h", "x.c"])
@pytest.mark.parametrize("target", ["../kept/real", "../kept/missing", "other"])
def test_a_symbolic_link_is_replaced(name: str, target: str, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "real").write_text("precious")
    out = tmp_path / "out"
    out.mkdir()
    (out / "other").write_text("precious")
    (out / name).symlink_to(target)
    assert write(FILES, out) == ["x.h", "x.c"]
    assert not (out / name).is_symlink()
    assert contents(out) == {"other": "precious", **{file.name: file.text for file in FILES}}
    assert contents(tmp_path / "kept") == {"real": "precious"}


def test_a_symbolic_link_to_the_same_text_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "real").write_text(FILES[0].text)
    (tmp_path / "x.h").symlink_to("real")
    assert stale(FILES, tmp_path) == ["x.c"]
    assert write(FILES, tmp_path) == ["x.c"]
    assert (tmp_path / "x.h").is_symlink()


def test_an_extra_file_that_is_a_symbolic_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("precious")
    (tmp_path / "x.d").symlink_to("real")
    write(FILES, tmp_path, (tmp_path / "x.d", b"x.h: x.yaml\n"))
    assert ((tmp_path / "real").read_text(), (tmp_path / "x.d").read_text()) == ("precious", "x.h: x.yaml\n")
    assert not (tmp_path / "x.d").is_symlink()


def test_a_single_file_that_is_a_symbolic_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("precious")
    (tmp_path / "schema.json").symlink_to("real")
    write_file(str(tmp_path / "schema.json"), b"{}")
    assert ((tmp_path / "real").read_text(), (tmp_path / "schema.json").read_text()) == ("precious", "{}")


def test_a_hard_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("precious")
    os.link(tmp_path / "real", tmp_path / "x.c")
    write(FILES, tmp_path)
    assert contents(tmp_path) == {"real": "precious", **{file.name: file.text for file in FILES}}


def test_an_output_directory_may_be_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to("real")
    write(FILES, tmp_path / "out")
    assert (tmp_path / "out").is_symlink()
    assert contents(tmp_path / "real") == {file.name: file.text for file in FILES}


def test_permissions_are_kept(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("old")
    (tmp_path / "x.c").chmod(0o604)
    write(FILES, tmp_path)
    assert stat.S_IMODE((tmp_path / "x.c").stat().st_mode) == 0o604


def test_a_crlf_file_is_stale(tmp_path: Path) -> None:
    (tmp_path / "x.h").write_bytes(b"int x;\r\n")
    assert stale(FILES, tmp_path) == ["x.h", "x.c"]


def test_stale_lists_files_and_touches_nothing(tmp_path: Path) -> None:
    assert stale(FILES, tmp_path / "missing") == ["x.h", "x.c"]
    assert list(tmp_path.iterdir()) == []
    write(FILES, tmp_path)
    assert stale(FILES, tmp_path) == []


# ---- Failures ----


def refuse(directory: Path) -> str:
    """Returns the message of a failed write, which is one line."""
    with pytest.raises(WriteError) as caught:
        write(FILES, directory)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_target_that_is_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.c").mkdir()
    assert refuse(tmp_path) == f"cannot write {tmp_path}/x.c: it is a directory"
    assert [path.name for path in tmp_path.iterdir()] == ["x.c"]


def test_a_target_that_is_a_named_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.c")
    assert refuse(tmp_path) == f"cannot write {tmp_path}/x.c: it is not a regular file"


def test_an_output_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    assert refuse(tmp_path / "out") == f"{tmp_path}/out is not a directory"
    assert refuse(tmp_path / "out" / "below") == f"{tmp_path}/out/below is not a directory"


def test_a_directory_that_cannot_be_made_is_an_error() -> None:
    # Not even root may make one there.
    assert refuse(Path("/proc/dlpack-bindgen-test")).startswith("cannot make the directory /proc/dlpack-bindgen-test: ")


def test_a_directory_that_cannot_be_written_to_is_an_error() -> None:
    assert refuse(Path("/proc")).startswith("cannot write /proc/x.h: ")


def test_a_target_that_is_a_link_to_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "x.c").symlink_to("real")
    assert refuse(tmp_path) == f"cannot write {tmp_path}/x.c: it is a directory"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["real", "x.c"]


def test_a_circle_of_links_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.c").symlink_to("x.c")
    assert refuse(tmp_path).startswith(f"cannot read {tmp_path}/x.c: ")


def test_a_full_disk_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.h").write_text("old")
    real_open = Path.open
    opened: list[Path] = []

    def full_at_the_second(self: Path, mode: str = "r", *rest: Any, **named: Any) -> IO[Any]:
        file = real_open(self, mode, *rest, **named)
        if mode == "xb":
            opened.append(self)
        if len(opened) == 2:
            file.close()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return file

    monkeypatch.setattr(Path, "open", full_at_the_second)
    message = refuse(tmp_path)
    monkeypatch.undo()
    assert message == f"cannot write {tmp_path}/x.c: No space left on device"
    assert contents(tmp_path) == {"x.h": "old"}


def test_a_write_that_really_fails_half_way(tmp_path: Path) -> None:
    (tmp_path / "x.h").write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(WriteError) as caught:
            write([*FILES, OutputFile("big.c", "x" * 100_000)], tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert str(caught.value) == f"cannot write {tmp_path}/big.c: File too large"
    assert contents(tmp_path) == {"x.h": "old"}


def test_a_failing_replacement_leaves_no_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Path, target: Path) -> NoReturn:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "replace", fail)
    assert refuse(tmp_path) == f"cannot write {tmp_path}/x.h: Input/output error"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "link", "nothing"])
def test_a_failure_after_the_first_file_restores_it(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind == "file":
        (tmp_path / "x.h").write_text("old")
    elif kind == "link":
        (tmp_path / "x.h").symlink_to("missing")
    real = Path.replace

    def fail_at_the_second(self: Path, target: Path) -> Any:
        if target.name == "x.c":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(self, target)

    monkeypatch.setattr(Path, "replace", fail_at_the_second)
    assert refuse(tmp_path) == f"cannot write {tmp_path}/x.c: Input/output error"
    found = {path.name: os.readlink(path) if path.is_symlink() else path.read_text() for path in tmp_path.iterdir()}
    assert found == {"file": {"x.h": "old"}, "link": {"x.h": "missing"}, "nothing": {}}[kind]


def test_an_interruption_leaves_no_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: Path, target: Path) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(FILES, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_no_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, *rest: Any) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "a").mkdir()
    monkeypatch.setattr(Path, "open", full)
    message = refuse(tmp_path / "a" / "b" / "c")
    monkeypatch.undo()
    assert message == f"cannot write {tmp_path}/a/b/c/x.h: No space left on device"
    assert [path.name for path in tmp_path.rglob("*")] == ["a"]


# ---- Signals and threads ----


class Ended(Exception):
    pass


def end(number: int, frame: object) -> NoReturn:
    raise Ended


ENDING = ["SIGINT", "SIGTERM", "SIGHUP"]


@pytest.mark.parametrize("name", ENDING)
@pytest.mark.parametrize("step", ["open", "replace"])
def test_a_signal_waits_for_the_whole_set(
    name: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = getattr(signal, name)
    real = getattr(Path, step)

    def interrupted(self: Path, *rest: Any) -> Any:
        os.kill(os.getpid(), number)
        return real(self, *rest)

    before = signal.signal(number, end)
    try:
        monkeypatch.setattr(Path, step, interrupted)
        with pytest.raises(Ended):
            write(FILES, tmp_path)
        assert signal.getsignal(number) is end
    finally:
        signal.signal(number, before)
    monkeypatch.undo()
    assert contents(tmp_path) == {file.name: file.text for file in FILES}


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.replace

    def interrupted(self: Path, target: Path) -> Any:
        os.kill(os.getpid(), signal.SIGHUP)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert write(FILES, tmp_path) == ["x.h", "x.c"]
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_files_can_be_written_in_a_thread(tmp_path: Path) -> None:
    thread = threading.Thread(target=write, args=(FILES, tmp_path))
    thread.start()
    thread.join()
    assert contents(tmp_path) == {file.name: file.text for file in FILES}


# ---- Differences ----


def old_and_new(tmp_path: Path) -> Path:
    directory = tmp_path / "out"
    directory.mkdir()
    # A missing file, one without an end of line, one with form feeds and bytes that are not UTF-8.
    (directory / "x.h").write_text("int y;\nint x;")
    (directory / "same.h").write_text("same\n")
    (directory / "odd.c").write_bytes(b"a\x0cb\xff\r\nint x;\n")
    return directory


CHANGED = [*FILES, OutputFile("same.h", "same\n"), OutputFile("odd.c", "a\x0cb\nint x;\n")]


def test_diff_is_empty_when_nothing_changes(tmp_path: Path) -> None:
    write(CHANGED, tmp_path)
    assert diff(CHANGED, tmp_path) == b""


def test_a_unified_diff_shows_the_changed_lines(tmp_path: Path) -> None:
    write(CHANGED, tmp_path)
    (tmp_path / "x.h").write_text("int y;\n")
    assert diff(CHANGED, tmp_path).decode() == "--- a/x.h\n+++ b/x.h\n@@ -1 +1 @@\n-int y;\n+int x;\n"


@pytest.mark.parametrize("tool", [["patch", "-p1"], ["git", "apply", "-p1"]], ids=["patch", "git"])
def test_diff_can_be_applied(tool: list[str], tmp_path: Path) -> None:
    if shutil.which(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed")
    directory = old_and_new(tmp_path)
    # `--binary` only for patch: it would otherwise take the CR for a damaged patch.
    command = [*tool, "--binary"] if tool[0] == "patch" else tool
    applied = subprocess.run(command, cwd=directory, input=diff(CHANGED, directory), capture_output=True, check=False)
    assert applied.returncode == 0, applied.stdout + applied.stderr
    assert stale(CHANGED, directory) == []
