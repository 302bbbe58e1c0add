"""Files: C reads and writes them, file objects keep their position, and the call closes files that it has opened."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support import hangs
from support.build import build_module
from support.stubs import check_stubs

HERE = Path(__file__).parent
FULL = Path("/dev/full")
needs_full_device = pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec, header, source = ((HERE / f"streams.{suffix}").read_text() for suffix in ("yaml", "h", "c"))
    return build_module("streams", spec, tmp_path_factory.mktemp("streams"), header, source)


def descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else set()


@pytest.fixture
def streams(module: ModuleType) -> Iterator[ModuleType]:
    """Gives the module. After each test, no file of a call may be open."""
    before = descriptors()
    yield module
    assert descriptors() == before


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.txt"


class PathLike:
    def __init__(self, path: str | bytes) -> None:
        self.path = path

    def __fspath__(self) -> str | bytes:
        return self.path


class Descriptor:
    """An object that only has fileno()."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def fileno(self) -> int:
        return self.descriptor


# ---- Paths ----


@pytest.mark.parametrize("convert", [str, os.fsencode, Path, lambda path: PathLike(os.fsencode(path))])
def test_a_path_is_opened(streams: ModuleType, path: Path, convert: Callable[[Path], Any]) -> None:
    assert streams.write(convert(path), "one\ntwo\n") == 8
    assert path.read_text() == "one\ntwo\n"
    assert streams.line(convert(path)) == "one"


def test_a_path_is_encoded_as_the_file_system_encodes_it(streams: ModuleType, tmp_path: Path) -> None:
    name = os.fsdecode(b"\xe9\xff")
    streams.write(tmp_path / name, "x")
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xe9\xff"]


def test_the_mode_is_passed_to_fopen(streams: ModuleType, path: Path) -> None:
    streams.write(path, "long text")
    streams.write(path, "a")
    streams.append(path, "b")
    assert path.read_text() == "ab"
    assert streams.replace(path, "c") == ord("a")
    assert path.read_text() == "cb"
    with pytest.raises(FileExistsError):
        streams.write_new(path, "x")
    assert path.read_text() == "cb"


def test_none_is_null(streams: ModuleType, path: Path) -> None:
    path.touch()
    assert (streams.is_open(path), streams.is_open(None), streams.is_open()) == (1, 0, 0)


def test_several_files_are_opened(streams: ModuleType, tmp_path: Path) -> None:
    """The parameters have the names of variables of the emitted function."""
    paths = [tmp_path / name for name in "abc"]
    assert streams.mark(*paths) == 6
    assert [path.read_text() for path in paths] == ["1", "22", "333"]
    assert streams.copy(paths[2], paths[0]) == 3
    assert paths[0].read_text() == "333"


def test_constructors_and_methods_take_files(streams: ModuleType, path: Path) -> None:
    journal = streams.Journal(path, "title\n")
    journal.append(path)
    with path.open("a") as file:
        journal.append(file)
    assert path.read_text() == "title\n1\n2\n"
    del journal
    assert streams.live_journals() == 0


# ---- File objects ----


@pytest.mark.parametrize("mode, options", [("wb", {}), ("wb", {"buffering": 0}), ("w", {}), ("w+b", {}), ("ab", {})])
def test_c_writes_between_python(streams: ModuleType, path: Path, mode: str, options: dict[str, Any]) -> None:
    one, three = ("one ", " three") if mode == "w" else (b"one ", b" three")
    with path.open(mode, **options) as file:
        file.write(one)
        assert streams.write(file, "two") == 3
        assert not file.closed and file.tell() == 7
        file.write(three)
    assert path.read_text() == "one two three"


@pytest.mark.parametrize("mode, options", [("rb", {}), ("rb", {"buffering": 0}), ("r", {}), ("r+b", {}), ("r+", {})])
def test_c_reads_between_python(streams: ModuleType, path: Path, mode: str, options: dict[str, Any]) -> None:
    """Python has read more than it has returned, and C reads more than one line, too."""
    lines = [f"line {index} {'é' * (index % 7)}" for index in range(10_000)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with path.open(mode, encoding=None if "b" in mode else "utf-8", **options) as file:
        for index in range(0, 2_000, 2):
            line = file.readline()
            assert (line.decode() if isinstance(line, bytes) else line) == f"{lines[index]}\n"
            assert streams.line(file) == lines[index + 1]
        rest = file.read()
    text = rest.decode() if isinstance(rest, bytes) else rest
    assert text == "".join(f"{line}\n" for line in lines[2_000:])


def test_python_reads_what_c_has_changed(streams: ModuleType, path: Path) -> None:
    path.write_bytes(b"abcdef")
    with path.open("r+b") as file:
        assert file.read(1) == b"a"
        assert streams.replace(file, "B") == ord("b")
        assert file.read() == b"cdef"
        file.seek(0)
        assert file.read() == b"aBcdef"


@pytest.mark.parametrize("function", ["write", "append", "append_text", "write_new"])
def test_a_file_object_is_used_at_its_position(streams: ModuleType, path: Path, function: str) -> None:
    """No mode empties its file, or moves it to the end: not even for the calls that follow."""
    path.write_bytes(b"abcdef")
    with path.open("r+b") as file:
        file.seek(2)
        assert getattr(streams, function)(file, "X") == 1
        file.write(b"Y")
        file.seek(0)
        assert streams.position(file) == 0
        file.write(b"Z")
    assert path.read_bytes() == b"ZbXYef"


def test_files_of_tempfile_are_accepted(streams: ModuleType) -> None:
    """Such a file gets its methods from another object. Its class has none."""
    with tempfile.NamedTemporaryFile() as file:
        streams.write(file, "a\nb")
        file.seek(2)
        assert (streams.line(file), file.tell()) == ("b", 3)


def test_pipes_and_sockets_have_no_position(streams: ModuleType) -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as source, open(writing, "w") as target:
        target.write("one ")
        streams.write(target, "two")
        target.write(" three")
        target.close()
        assert source.read() == b"one two three"
    first, second = socket.socketpair()
    with first, second:
        streams.write(first, "text")
        assert second.recv(100) == b"text"


def test_another_thread_can_read_the_pipe_that_is_closed(streams: ModuleType) -> None:
    """The function fills the pipe, and the rest is in the buffer of C. Closing waits for the thread, which needs the
    GIL after its first byte."""
    reading, writing = os.pipe()
    size = fcntl.fcntl(writing, getattr(fcntl, "F_GETPIPE_SZ", 1032)) + 100
    found: list[bytes] = []
    with open(reading, "rb", buffering=0) as source, open(writing, "wb") as target:
        thread = threading.Thread(target=lambda: found.extend([source.read(1), source.read(size)]))
        thread.start()
        streams.write(target, "x" * size)
        target.close()
        thread.join()
        found.append(source.readall())
    assert b"".join(found) == b"x" * size


def test_another_thread_can_open_the_other_end_of_a_named_pipe(streams: ModuleType, path: Path) -> None:
    """Opening waits for the thread. The object of the call lives on, although it is closed during the call."""
    os.mkfifo(path)
    title = path.with_name("title")
    journal = streams.Journal(title, "x")
    started = threading.Event()

    class Announced(PathLike):
        def __fspath__(self) -> str | bytes:
            started.set()
            return super().__fspath__()

    thread = threading.Thread(target=journal.append, args=(Announced(str(path)),), daemon=True)
    thread.start()
    assert started.wait(hangs.SECONDS)
    time.sleep(0.1)
    journal.close()
    lives = streams.live_journals()
    with path.open() as file:
        assert file.read() == "1\n"
    thread.join()
    assert (lives, streams.live_journals()) == (1, 0)


@pytest.fixture
def alarm() -> Iterator[list[Callable[[], None]]]:
    """Lets a signal arrive soon, which runs the first function of the list, and another one for each further one."""
    handlers: list[Callable[[], None]] = []

    def handle(number: int, frame: object) -> None:
        run = handlers.pop(0)
        if handlers:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
        run()

    before = signal.signal(signal.SIGALRM, handle)
    yield handlers
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_signal_handler_that_raises_ends_the_wait_for_a_named_pipe(
    streams: ModuleType, path: Path, alarm: list[Callable[[], None]]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt("enough")

    os.mkfifo(path)
    alarm.append(interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    with pytest.raises(KeyboardInterrupt, match=r"^enough$"):
        streams.line(path)


def test_the_wait_for_a_named_pipe_goes_on_after_a_signal_handler(
    streams: ModuleType, path: Path, alarm: list[Callable[[], None]]
) -> None:
    found: list[Any] = []
    os.mkfifo(path)
    write = [sys.executable, "-c", "import sys; open(sys.argv[1], 'w').write('text')", path]
    alarm.extend([lambda: found.append("signal"), lambda: found.append(subprocess.Popen(write))])
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    line = streams.line(path)
    assert (found[0], found[1].wait(), line) == ("signal", 0, "text")


def test_child_processes_do_not_inherit_the_file(streams: ModuleType, path: Path) -> None:
    path.touch()
    with path.open("rb") as file:
        assert (streams.is_inherited(path), streams.is_inherited(file)) == (0, 0)


@pytest.mark.skipif(not Path("/proc/filesystems").exists(), reason="the system has no /proc")
@pytest.mark.parametrize("mode, options", [("rb", {}), ("rb", {"buffering": 0}), ("r", {})])
def test_a_file_without_an_end_is_read(streams: ModuleType, mode: str, options: dict[str, Any]) -> None:
    """seek() cannot move it to its end."""
    with open("/proc/filesystems", mode, **options) as file:
        text = file.read()
        lines = (text.decode() if isinstance(text, bytes) else text).splitlines()
        file.seek(0)
        file.readline()
        assert streams.line(file) == lines[1]
        line, rest = file.readline(), file.read()
    assert [line, *rest.splitlines(keepends=True)] == text.splitlines(keepends=True)[2:]


def test_an_object_that_only_has_fileno_is_accepted(streams: ModuleType, path: Path) -> None:
    path.write_bytes(b"one\ntwo\n")
    with path.open("rb", buffering=0) as file:
        assert streams.line(Descriptor(file.fileno())) == "one"


def test_a_text_file_during_iteration_has_no_position(streams: ModuleType, path: Path) -> None:
    path.write_text("one\ntwo\n")
    with path.open() as file:
        next(file)
        with pytest.raises(OSError, match=r"^line\(\) argument 'source': telling position disabled by next\(\) call$"):
            streams.line(file)


# ---- Refused arguments ----


@pytest.mark.parametrize(
    "arguments, error",
    [
        (([1.0], "a\0"), ValueError),
        (([1.0], 1), TypeError),
        ((["a"], "a"), TypeError),
        ((np.ones(1, "f4"), "a"), BufferError),
        ((np.ones(4), "a"), ValueError),
        (([1.0],), TypeError),
    ],
)
def test_a_refused_call_creates_no_file(
    streams: ModuleType, path: Path, arguments: tuple[object, ...], error: type[Exception]
) -> None:
    with pytest.raises(error):
        streams.write_values(path, *arguments)
    assert not path.exists()
    path.write_bytes(b"abc")
    with path.open("rb") as file:
        assert file.read(1) == b"a"
        with pytest.raises(error):
            streams.write_values(file, *arguments)
        assert (file.tell(), file.read()) == (1, b"bc")


@pytest.mark.parametrize("value, shown", [(1, "int"), (None, "None"), (1.5, "float"), (bytearray(b"x"), "bytearray")])
def test_values_that_are_not_files_are_refused(streams: ModuleType, value: object, shown: str) -> None:
    with pytest.raises(TypeError, match=rf"^line\(\) argument 'source' must be a path or a file object, not {shown}$"):
        streams.line(value)


def test_the_message_for_an_optional_file_mentions_none(streams: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"^is_open\(\) argument 'file' must be a path, a file object or None, not "):
        streams.is_open(1)


def test_a_call_that_cannot_keep_an_argument_empties_no_file(streams: ModuleType, path: Path) -> None:
    """Arguments are kept after all other conditions, and before the file is opened."""
    path.write_text("text")
    weights = np.ones(3)
    with pytest.raises(TypeError, match="cannot keep objects"):
        streams.shared_journal().weigh(weights, path)
    assert path.read_text() == "text"
    streams.Journal(path, "title ").weigh(weights, path)
    assert path.read_text() == "3"


def test_a_path_without_a_file_is_an_error(streams: ModuleType, path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        streams.line(str(path))
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(path))


def test_a_path_with_a_null_character_is_refused(streams: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^line\(\) argument 'source'"):
        streams.line("a\0b")


def test_the_first_file_is_closed_if_the_second_cannot_be_opened(streams: ModuleType, path: Path) -> None:
    path.write_bytes(b"abc\nd")
    with path.open("rb") as file:
        assert file.read(1) == b"a"
        with pytest.raises(FileNotFoundError):
            streams.copy(file, path.parent / "missing" / "file")
        assert (file.tell(), file.read()) == (1, b"bc\nd")


@pytest.mark.parametrize(
    "function, arguments, mode, access",
    [
        ("write", ("x",), "rb", "writing"),
        ("append", ("x",), "rb", "reading and writing"),
        ("replace", ("x",), "wb", "reading and writing"),
        ("line", (), "wb", "reading"),
    ],
)
def test_a_file_object_of_another_mode_is_refused(
    streams: ModuleType, path: Path, function: str, arguments: tuple[str, ...], mode: str, access: str
) -> None:
    path.touch()
    message = rf"^{function}\(\) argument '\w+': the file is not open for {access}$"
    with path.open(mode) as file, pytest.raises(ValueError, match=message):
        getattr(streams, function)(file, *arguments)


def test_too_many_open_files_are_an_error(streams: ModuleType, path: Path) -> None:
    path.touch()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with path.open() as file:
        free = os.dup(file.fileno())
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
        try:
            with pytest.raises(OSError) as caught:
                streams.line(file)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (caught.value.errno, caught.value.filename) == (errno.EMFILE, str(path))


class Broken(Descriptor):
    """A file object, one of whose attributes raises an exception."""

    def __init__(self, file: Any, broken: str, error: BaseException) -> None:
        super().__init__(file.fileno())
        self.file, self.broken, self.error = file, broken, error

    def __getattribute__(self, name: str) -> Any:
        if name == object.__getattribute__(self, "broken"):
            raise object.__getattribute__(self, "error")
        if name in ("flush", "tell", "seek"):
            return getattr(object.__getattribute__(self, "file"), name)
        return object.__getattribute__(self, name)


@pytest.mark.parametrize("broken", ["flush", "fileno", "tell", "seek"])
@pytest.mark.parametrize("error", [RuntimeError("text"), KeyboardInterrupt("text")])
def test_exceptions_of_a_file_object_reach_the_caller(
    streams: ModuleType, path: Path, broken: str, error: BaseException
) -> None:
    path.touch()
    with path.open("r+b") as file, pytest.raises(type(error), match="text"):
        streams.write(Broken(file, broken, error), "x")
    assert path.read_bytes() == b""


@pytest.mark.parametrize("broken", ["flush", "fileno", "tell", "seek"])
def test_a_file_object_needs_only_fileno(streams: ModuleType, path: Path, broken: str) -> None:
    path.touch()
    with path.open("r+b") as file:
        thing = Broken(file, broken, AttributeError())
        if broken == "fileno":
            with pytest.raises(TypeError, match="must be a path or a file object, not "):
                streams.write(thing, "x")
        else:
            assert streams.write(thing, "x") == 1


@pytest.mark.parametrize(
    "file, error", [(io.BytesIO(), io.UnsupportedOperation), (Descriptor(-1), ValueError), (Descriptor(10**6), OSError)]
)
def test_objects_without_an_open_descriptor_are_refused(
    streams: ModuleType, file: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        streams.line(file)


def test_a_closed_file_object_is_refused(streams: ModuleType, path: Path) -> None:
    with path.open("w") as file:
        pass
    with pytest.raises(ValueError, match=r"^write\(\) argument 'to': I/O operation on closed file"):
        streams.write(file, "x")


class Scripted(Descriptor):
    """A file object whose methods return what a test wants."""

    def __init__(self, descriptor: int, **results: Any) -> None:
        super().__init__(descriptor)
        self.results = {"tell": 0, "seek": 0, "flush": None, **results}

    def answer(self, name: str) -> Any:
        result = self.results[name]
        if isinstance(result, BaseException):
            raise result
        return result

    def tell(self) -> Any:
        return self.answer("tell")

    def seek(self, position: int, whence: int = 0) -> Any:
        return self.answer("seek")

    def flush(self) -> Any:
        return self.answer("flush")


@pytest.mark.parametrize(
    ("results", "error", "message"),
    [
        ({"tell": "1"}, TypeError, r"^write\(\) argument 'to': .*str"),
        ({"tell": 2**64}, OverflowError, r"^write\(\) argument 'to': "),
        ({"tell": RuntimeError("untold")}, RuntimeError, r"^write\(\) argument 'to': untold$"),
        ({"flush": RuntimeError("unflushed")}, RuntimeError, r"^write\(\) argument 'to': unflushed$"),
    ],
)
def test_a_method_of_a_file_object_that_fails_refuses_it(
    streams: ModuleType, path: Path, results: dict[str, Any], error: type[Exception], message: str
) -> None:
    with path.open("wb") as file, pytest.raises(error, match=message):
        streams.write(Scripted(file.fileno(), **results), "x")
    assert path.read_bytes() == b""


def test_a_file_object_with_a_negative_position_has_none(streams: ModuleType, path: Path) -> None:
    path.write_bytes(b"abc")
    with path.open("r+b", buffering=0) as file:
        file.read(1)
        assert streams.replace(Scripted(file.fileno(), tell=-1), "X") == ord("b")


def test_a_position_beyond_the_largest_file_is_an_error(streams: ModuleType, path: Path) -> None:
    """Some filesystems refuse to move there, and others to write there."""
    with path.open("wb") as file:
        descriptor = file.fileno()
        with pytest.raises(OSError) as caught:
            streams.write(Scripted(descriptor, tell=2**63 - 1), "X")
    assert (caught.value.errno in (errno.EINVAL, errno.EFBIG), caught.value.filename) == (True, descriptor)
    assert path.read_bytes() == b""


class Unmovable(io.FileIO):
    def seek(self, position: int, whence: int = 0) -> int:
        raise RuntimeError("it cannot be moved")


def test_a_file_object_that_cannot_be_moved_is_an_error(streams: ModuleType, path: Path) -> None:
    with Unmovable(path, "w") as file:
        with pytest.raises(RuntimeError, match="it cannot be moved"):
            streams.write(file, "x")
        with pytest.raises(FileNotFoundError):
            streams.write_and_fail("x", file, errno.ENOENT)


# ---- Failures of the function, and of closing ----


def test_a_failure_of_the_function_has_the_filename(streams: ModuleType, path: Path) -> None:
    with pytest.raises(PermissionError) as caught:
        streams.write_and_fail("text", path, errno.EPERM)
    assert (caught.value.filename, path.read_text()) == (path, "text")


class Named:
    """A file object whose name is any object. Without `name`, its attribute raises an exception."""

    def __init__(self, descriptor: int, **name: object) -> None:
        self.fileno = lambda: descriptor
        self.__dict__.update(name)


def test_the_error_of_a_file_object_has_its_name(streams: ModuleType, path: Path) -> None:
    """A file object has the filename of its path, and not itself: the name of open(), or its descriptor."""
    with path.open("wb") as file, tempfile.NamedTemporaryFile() as temporary, tempfile.TemporaryFile() as nameless:
        expected = {
            file: str(path),
            temporary: temporary.name,
            nameless: nameless.name,
            Named(file.fileno(), name="a"): "a",
            Named(file.fileno(), name=b"b"): b"b",
            Named(file.fileno(), name=path): path,
            Named(file.fileno(), name=7): 7,
            Named(file.fileno(), name=None): file.fileno(),
            Named(file.fileno(), name=["a"]): file.fileno(),
            Named(file.fileno()): file.fileno(),
        }
        for given, filename in expected.items():
            with pytest.raises(PermissionError) as caught:
                streams.write_and_fail("text", given, errno.EPERM)
            found = caught.value.filename
            assert found == filename and found is not given
            assert repr(found) in str(caught.value)


def test_an_exception_that_must_stop_the_program_replaces_the_error(streams: ModuleType, path: Path) -> None:
    """The descriptor names a file object without a name. An ordinary exception means that it is closed."""

    class Once:
        def __init__(self, descriptor: int, error: BaseException) -> None:
            self.descriptors, self.error = [descriptor], error

        def fileno(self) -> int:
            if self.descriptors:
                return self.descriptors.pop()
            raise self.error

    with path.open("wb") as file:
        with pytest.raises(KeyboardInterrupt, match=r"^stop$"):
            streams.write_and_fail("text", Once(file.fileno(), KeyboardInterrupt("stop")), errno.EPERM)
        with pytest.raises(PermissionError) as caught:
            streams.write_and_fail("text", Once(file.fileno(), ValueError("closed")), errno.EPERM)
    assert caught.value.filename is None


def test_after_a_failure_a_file_object_is_where_c_has_stopped(streams: ModuleType, path: Path) -> None:
    with path.open("wb") as file:
        with pytest.raises(PermissionError):
            streams.write_and_fail("text", file, errno.EPERM)
        assert file.tell() == 4


def test_a_returned_object_is_released_if_closing_fails(streams: ModuleType, path: Path) -> None:
    with pytest.raises(RuntimeError):
        streams.Journal(path, "")
    if FULL.exists():
        with pytest.raises(OSError, match="No space left"):
            streams.Journal(FULL, "title")
    assert streams.live_journals() == 0


@needs_full_device
def test_a_full_disk_is_an_error_with_the_filename(streams: ModuleType) -> None:
    """C only writes to its buffer, so that closing is what fails."""
    for full in (str(FULL), FULL):
        with pytest.raises(OSError) as caught:
            streams.write(full, "text")
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, full)
    with pytest.raises(OSError) as caught:
        streams.write_unchecked(FULL, "text")
    assert caught.value.errno == errno.ENOSPC


@needs_full_device
def test_a_full_disk_of_a_file_object_is_an_error(streams: ModuleType) -> None:
    with FULL.open("wb") as file:
        with pytest.raises(OSError) as caught:
            streams.write(file, "text")
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(FULL))
        with pytest.raises(OSError) as caught:
            streams.write(Descriptor(file.fileno()), "text")
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, file.fileno())


@needs_full_device
def test_a_full_disk_is_an_error_although_the_file_object_cannot_be_moved(streams: ModuleType) -> None:
    with Unmovable(FULL, "w") as file:
        with pytest.raises(OSError) as caught:
            streams.write(file, "text")
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, file.name)


@needs_full_device
def test_the_exception_of_the_function_comes_first(streams: ModuleType) -> None:
    with pytest.raises(PermissionError):
        streams.write_and_fail("text", FULL, errno.EPERM)
    with FULL.open("wb") as file, pytest.raises(PermissionError):
        streams.write_and_fail("text", file, errno.EPERM)


# ---- Types ----


def test_the_stub_agrees_with_the_module(module: ModuleType, tmp_path: Path) -> None:
    extension = Path(module.__file__ or "")
    check_stubs({"streams": extension}, tmp_path)
    stub = (extension.parent / "streams.pyi").read_text()
    assert "def is_open(file: _Path | typing.IO[typing.Any] | None = None) -> int: ..." in stub
    assert "_Path: typing.TypeAlias = str | bytes" in stub
