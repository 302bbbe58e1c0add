"""Functions that write output files to a directory: only files that differ, and either all of them or none."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dlpack_bindgen.emit.render import OutputFile


_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class WriteError(Exception):
    """Raised if the output cannot be compared or written. The message is one line with the path and the reason."""


def stale(files: Sequence[OutputFile], directory: Path) -> list[str]:
    """Returns the names of the files that are missing or differ, in the given order."""
    return [file.name for file in files if _read(directory / file.name) != file.text.encode()]


def diff(files: Sequence[OutputFile], directory: Path) -> bytes:
    """Returns the pending changes as a unified diff. `patch -p1` applies it inside the directory."""
    return b"".join(_diff_one(file, _read(directory / file.name)) for file in files)


def write(files: Sequence[OutputFile], directory: Path, renewed: tuple[Path, bytes] | None = None) -> list[str]:
    """Writes the files that are missing or differ, and returns their names. Other files are not touched. `renewed` is a
    further file, which is written even if its content is unchanged.

    Each file is first written beside its target. All files are moved into place when all of them are on disk. A
    symbolic link is therefore replaced, and its target stays unchanged."""
    names = stale(files, directory)
    differing = set(names)
    contents = [(directory / file.name, file.text.encode()) for file in files if file.name in differing]
    if renewed is not None:
        _read(renewed[0])
        contents.append(renewed)
    _put(contents)
    return names


def write_file(path: str, content: bytes) -> None:
    """Writes one file if it is missing or differs."""
    if _read(Path(path)) != content:
        _put([(Path(path), content)])


def _read(path: Path) -> bytes | None:
    """Returns the content of a regular file, or None if the file does not exist."""
    try:
        # Check the type before opening: opening a named pipe would block forever.
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise WriteError(f"cannot write {path}: it is a directory")
        if not stat.S_ISREG(mode):
            raise WriteError(f"cannot write {path}: it is not a regular file")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise WriteError(f"{path.parent} is not a directory") from error
    except OSError as error:
        raise WriteError(f"cannot read {path}: {error.strerror or error}") from error


def _put(contents: Sequence[tuple[Path, bytes]]) -> None:
    made: list[Path] = []
    with _signals_wait():
        try:
            for path, _ in contents:
                _make_directory(path.parent, made)
            _replace_all(contents)
        except BaseException:
            for directory in reversed(made):
                with contextlib.suppress(OSError):
                    directory.rmdir()
            raise


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Defers signals that end the program until all files are in place, or none."""
    came: list[int] = []
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in _ENDING:
            handler = signal.getsignal(number)
            if handler is not None:  # without a handler of Python, restoring it would be impossible
                before[number] = handler
                signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


def _make_directory(directory: Path, made: list[Path]) -> None:
    """Creates a directory and its missing parents. Adds each new directory to `made`, the outermost first."""
    try:
        missing = [each for each in (directory, *directory.parents) if not each.exists()]
        made += reversed(missing)
        directory.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise WriteError(f"{directory} is not a directory") from error
    except OSError as error:
        raise WriteError(f"cannot make the directory {directory}: {error.strerror or error}") from error


def _replace_all(contents: Sequence[tuple[Path, bytes]]) -> None:
    written: dict[Path, Path] = {}
    former: dict[Path, Path | None] = {}
    replaced: list[Path] = []
    target = Path()
    try:
        for target, content in contents:
            temporary = _beside(target)
            written[temporary] = target
            _write_new(temporary, content)
            _take_mode(temporary, target)
        for temporary, target in written.items():
            _save(target, former)
            temporary.replace(target)
            replaced.append(target)
    except BaseException as error:
        _restore(replaced, former)
        if isinstance(error, OSError):
            raise WriteError(f"cannot write {target}: {error.strerror or error}") from error
        raise
    finally:
        for temporary in (*written, *filter(None, former.values())):
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.urandom(4).hex()}.tmp")


def _write_new(path: Path, content: bytes) -> None:
    """Creates a new file with the permissions of the umask."""
    with path.open("xb") as file:
        file.write(content)


def _take_mode(path: Path, former: Path) -> None:
    """Copies the permissions of the replaced file to the new one."""
    with contextlib.suppress(FileNotFoundError):
        mode = former.lstat().st_mode
        if stat.S_ISREG(mode) and stat.S_IMODE(mode) != stat.S_IMODE(path.lstat().st_mode):
            path.chmod(stat.S_IMODE(mode))


def _save(target: Path, former: dict[Path, Path | None]) -> None:
    """Creates a hard link to the file for `_restore`. Some file systems do not support hard links; the file then has no
    backup."""
    second = _beside(target)
    try:
        os.link(target, second, follow_symlinks=False)
        former[target] = second
    except FileNotFoundError:
        former[target] = None
    except (OSError, NotImplementedError):
        pass


def _restore(replaced: Sequence[Path], former: dict[Path, Path | None]) -> None:
    for target in replaced:
        with contextlib.suppress(OSError):
            if second := former.get(target):
                second.replace(target)
            elif target in former:
                target.unlink()


def _diff_one(file: OutputFile, old: bytes | None) -> bytes:
    import difflib  # takes 10 ms, and few runs need it

    before = "" if old is None else old.decode("utf-8", "surrogateescape")
    label = "/dev/null" if old is None else f"a/{file.name}"
    lines = difflib.unified_diff(_lines(before), _lines(file.text), label, f"b/{file.name}")
    return "".join(_end_lines(lines)).encode("utf-8", "surrogateescape")


def _lines(text: str) -> list[str]:
    """Splits `text` into lines with their line ends. Unlike `splitlines`, it splits only at LF."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _end_lines(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
