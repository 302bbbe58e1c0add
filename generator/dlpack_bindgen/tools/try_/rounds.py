"""The child processes of `try`: each runs a test of the user, or generated calls, and leaves a log.

A process ends after a wrong access to memory. The function that was called is left out of the next process, whose calls
are otherwise the same."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tools.try_.build import Build, Interpreter, Way, find_valgrind
from dlpack_bindgen.tools.try_.calls.text import describe_all

Event = Mapping[str, Any]

SECONDS_OF_STEP = 10
"""How long one generated call may take. Under valgrind it is longer."""
SECONDS_OF_TEST = 900
SECONDS_OF_START = 60
"""How long the import of the module may take."""
_SLOWER = 20
_MOST_MEMORY = 4096
"""In megabytes."""
_REPORTED = 99
"""The exit code of the sanitizers, and of the checks, after a report."""

CALLS = Path(__file__).with_name("calls")
USER_TEST = Path(__file__).with_name("user_test.py")


class Leaks(Enum):
    """What a process finds out about memory that nothing refers to at its end."""

    NONE = 0
    FOUND = 1
    """Whether there is such memory, with stacks that can end at the first function without a frame pointer."""
    EXACT = 2


class Leak(Frozen):
    """Memory that nothing refers to at the end of a process, as LeakSanitizer or the checks have found."""

    function: str
    """The wrapper that called the library."""
    size: int
    """The bytes of all blocks."""
    blocks: int
    frames: tuple[str, ...]
    """The functions of the library, from the allocation outwards."""


class Round(Frozen):
    """What one process did."""

    steps: tuple[Event, ...]
    """The generated steps, each with the exception that it raised, if any."""
    findings: tuple[Event, ...]
    confirmed: tuple[Event, ...]
    targets: Event
    """How often each target returned and raised."""
    leaks: tuple[Leak, ...]
    returned: tuple[Event, ...]
    """The functions that returned an argument, which was not freed afterwards."""
    undefined: tuple[str, ...]
    """What UndefinedBehaviorSanitizer said about the library."""
    status: int
    """The exit code; negative: the signal."""
    ended: bool
    """Whether all steps ran."""
    explained: bool
    """Whether a finding tells why the process ended early."""
    stuck: str
    """Why the process was stopped; empty: it ended by itself."""
    output: str
    may_leak: bool
    """Whether blocks leak that Python has not allocated. Only exact stacks tell which wrapper got them."""

    @property
    def last_step(self) -> Event | None:
        return self.steps[-1] if self.steps else None

    @property
    def fatal(self) -> Event | None:
        """Returns the finding that ended the process."""
        return self.findings[-1] if self.explained and self.findings and not self.ended else None


class Runner:
    """Runs processes with one build."""

    def __init__(self, build: Build, interpreter: Interpreter, folder: str, keep: bool) -> None:
        """Prepares the processes. Their files lie in `folder`, and stay there with `keep`."""
        self._build = build
        self._interpreter = interpreter
        self._folder = folder
        self._keep = keep

    @property
    def way(self) -> Way:
        return self._build.way

    def run(self, arguments: Sequence[str]) -> Round:
        """Runs generated calls, with these arguments of `calls`."""
        return self._run_with_leaks([str(CALLS), *arguments], SECONDS_OF_STEP)

    def run_again(self, arguments: Sequence[str]) -> Round:
        """Runs generated calls without a search for leaks."""
        return self._run_child([str(CALLS), *arguments], SECONDS_OF_STEP, Leaks.NONE)

    def run_test(self, arguments: Sequence[str], modules: Sequence[str]) -> Round:
        """Runs a test of the user, with these arguments of `user_test.py`."""
        return self._run_with_leaks([str(USER_TEST), ",".join(modules), *arguments], SECONDS_OF_TEST)

    def _run_with_leaks(self, arguments: Sequence[str], seconds_of_step: float) -> Round:
        """Runs a process with a search for leaks. If it finds one that may be of the library, the process is run again
        with exact stacks: Python allocates its objects by malloc(), so that they take 90 % of the time."""
        done = self._run_child(arguments, seconds_of_step, Leaks.FOUND)
        return self._run_child(arguments, seconds_of_step, Leaks.EXACT) if done.may_leak else done

    def _run_child(self, arguments: Sequence[str], seconds_of_step: float, leaks: Leaks) -> Round:
        """Runs a Python process in an empty folder. It is stopped if its log does not grow for so many seconds."""
        slower = _SLOWER if self._build.way is Way.MEMCHECK else 1
        files = Path(tempfile.mkdtemp(dir=self._folder, prefix="run-"))
        try:
            empty = files / "home"
            empty.mkdir()
            log = files / "log"
            log.touch()
            with open(files / "output", "wb") as output:
                process = subprocess.Popen(
                    [*self._command(files), *arguments],
                    cwd=empty,
                    env=self._environment(files, empty, leaks) | _own_environment(arguments[0], self._build.folder),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    preexec_fn=_limit,
                )
                try:
                    stuck = self._watch(process, log, seconds_of_step * slower)
                finally:
                    _kill(process)
            return _read(files, process.returncode, stuck)
        finally:
            if not self._keep:
                shutil.rmtree(files, ignore_errors=True)

    def _command(self, files: Path) -> list[str]:
        python = self._interpreter.path
        if self._build.way is not Way.MEMCHECK:
            return [python]
        options = [
            "--tool=memcheck",
            "--error-exitcode=0",
            "--leak-check=no",
            "--xml=yes",
            f"--xml-file={files}/xml.%p",
            "--child-silent-after-fork=yes",
            "--error-limit=no",
        ]
        return [find_valgrind(), *options, "--undef-value-errors=yes", "--num-callers=20", python]

    def _environment(self, files: Path, home: Path, leaks: Leaks) -> dict[str, str]:
        has_gil = self._interpreter.has_gil
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LD_PRELOAD", "DLB_"))
        }
        common = {
            "log_path": f"{files}/sanitizer",
            "exitcode": _REPORTED,
            "allocator_may_return_null": 1,
            "max_allocation_size_mb": _MOST_MEMORY // 4,  # a larger block takes seconds
            "hard_rss_limit_mb": _MOST_MEMORY,
            "disable_coredump": 1,
            "handle_abort": 0,
        }
        asan = {
            **common,
            "detect_leaks": int(leaks is not Leaks.NONE and has_gil),
            "detect_stack_use_after_return": 0,
            "detect_odr_violation": 0,
            "max_free_fill_size": 0x10000,
            "free_fill_byte": 0xDB,
            "malloc_context_size": 20,
            "quarantine_size_mb": 128,
            "allow_user_segv_handler": 0,
        }
        return {
            **kept,
            "HOME": str(home),
            "TMPDIR": str(home),
            "LD_PRELOAD": ":".join(self._build.preload),
            "PYTHONPATH": self._build.folder,
            "PYTHONHASHSEED": "0",
            # Without a GIL, Python has one allocator, and LeakSanitizer does not see the references of its objects.
            **({"PYTHONMALLOC": "malloc"} if has_gil else {}),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUSERBASE": self._interpreter.user_base,
            "PYTHONUNBUFFERED": "1",
            "DLB_CHECKED_LOG": f"{files}/log",
            "DLB_CHECKED_LIBRARIES": ":".join(self._build.libraries),
            "DLB_CHECKED_VALGRIND": f"{files}/xml.%p",
            "G_SLICE": "always-malloc",  # GLib before 2.76 has an allocator of its own
            "ASAN_OPTIONS": _options(asan),
            "UBSAN_OPTIONS": _options({**common, "print_stacktrace": 0}),
            "LSAN_OPTIONS": _options(
                {"exitcode": 0, "print_suppressions": 0, "fast_unwind_on_malloc": int(leaks is not Leaks.EXACT)}
            ),
        }

    def _watch(self, process: subprocess.Popen[bytes], log: Path, seconds_of_step: float) -> str:
        """Waits for the process. Returns why it was stopped, or an empty string."""
        begun = grown = time.monotonic()
        size = 0
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.02 if time.monotonic() - begun < 1 else 0.2)
                return ""
            now, length = time.monotonic(), log.stat().st_size
            if length != size:
                grown, size = now, length
            if size == 0 and now - begun < SECONDS_OF_START:
                continue
            if now - grown > seconds_of_step:
                return f"it did not return within {seconds_of_step:.0f} s"
            if _memory_of(process.pid) > _MOST_MEMORY << 20:
                return f"it needed more than {_MOST_MEMORY >> 10} GB of memory"


def _own_environment(program: str, modules: str) -> dict[str, str]:
    """Returns the variables that only generated calls have, or only the test of the user. C code that adds to the zeros
    of a new output gives other results with a pattern: a test would fail."""
    if program == str(CALLS):
        return {"DLB_CHECKED_PATTERN": "1"}
    folders = [os.path.abspath(each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]
    return {"PYTHONPATH": os.pathsep.join([modules, *folders])}


def _options(values: Mapping[str, object]) -> str:
    return ":".join(f"{name}={value}" for name, value in values.items())


def _limit() -> None:
    """Runs in the child before Python: it leaves no core file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends the process and its children."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _memory_of(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * resource.getpagesize()


# ---- The log of a process, and the reports of the sanitizers ----


def _read(files: Path, status: int, stuck: str) -> Round:
    events = list(_events(files / "log"))
    steps: dict[int, dict[str, Any]] = {}
    findings: dict[tuple[object, ...], dict[str, Any]] = {}
    confirmed: list[Event] = []
    leaks: list[Leak] = []
    returned: list[Event] = []
    targets: dict[str, Any] = {}
    ended = explained = False
    for event in events:
        what = event.get("event")
        if what == "step":
            steps[event["n"]] = dict(event)
        elif what == "done":
            steps.get(event["n"], {})["raised"] = event.get("raised", "")
        elif what == "finding":
            last = max(steps, default=None)
            target = steps[last].get("target", "") if last is not None else ""
            found = findings.setdefault(_key(event), {**event, "step": last, "target": target})
            found["count"] = found.get("count", 1)
        elif what == "again":
            if (known := findings.get(_key(event))) is not None:
                known["count"] = event.get("count", 1)
        elif what == "confirmed":
            confirmed.append(event)
        elif what == "targets":
            targets = event
        elif what == "returned":
            returned.append(event)
        elif what == "leak":
            leaks.append(Leak(event["function"], event["size"], event["blocks"], (event["symbol"],)))
        ended = ended or what == "end"
        explained = explained or what == "ends"
    reports = [path.read_text(errors="replace") for path in sorted(files.glob("sanitizer.*"))]
    output = (files / "output").read_text(errors="replace")
    text = "\n".join([*reports, output])
    last = max(steps, default=None)
    if status and not ended and not stuck and not explained:
        target = steps[last].get("target", "") if last is not None else ""
        for event in _unexplained(text, status):
            findings.setdefault(_key(event), {**event, "step": last, "target": target, "count": 1})
            explained = True
    return Round(
        steps=tuple(steps.values()),
        findings=tuple(findings.values()),
        confirmed=tuple(confirmed),
        targets=targets,
        leaks=(*leaks, *_leaks(text)),
        returned=tuple(returned),
        undefined=tuple(dict.fromkeys(_undefined(text))),
        status=status,
        ended=ended,
        explained=explained,
        stuck=stuck,
        output=output,
        may_leak=_may_leak(text),
    )


def _events(log: Path) -> Iterator[dict[str, Any]]:
    for line in log.read_bytes().splitlines():
        with contextlib.suppress(ValueError):  # the last line of a process that was killed
            event = json.loads(line)
            if isinstance(event, dict):
                yield event


def _key(event: Event) -> tuple[object, ...]:
    """Returns what makes two findings the same."""
    return tuple(event.get(name) for name in ("check", "function", "class", "argument", "by", "in"))


_ASAN = re.compile(r"==\d+==ERROR: AddressSanitizer: (?P<kind>[\w-]+)(?P<text>.*?)(?=\n==|\Z)", re.DOTALL)
_FRAME = re.compile(r"^ +#\d+ 0x[0-9a-f]+ in (\S+)", re.MULTILINE)


def _unexplained(text: str, status: int) -> Iterator[dict[str, Any]]:
    """Yields the reason for the end of a process that the checks did not report."""
    match = _ASAN.search(text)
    if match is not None:
        frames = _FRAME.findall(match["text"])
        wrapper = next((each for each in frames if each.startswith("py_")), "")
        symbol = next((each for each in frames if not each.startswith(("__", "dlb_"))), "")
        yield {"event": "finding", "check": "bad-access", "kind": match["kind"], "in": wrapper, "symbol": symbol}
    elif status < 0:
        yield {"event": "finding", "check": "signal", "signal": signal.Signals(-status).name, "in": "", "symbol": ""}


_LEAK = re.compile(r"(Direct|Indirect) leak of (\d+) byte\(s\) in (\d+) object\(s\) allocated from:\n((?: +#.*\n?)+)")


_ALLOCATOR = re.compile(r" in (?:__interceptor_|malloc|calloc|realloc|operator new)")
_OF_PYTHON = re.compile(
    r" in \S+ (?:\S*/)?(?:Objects|Modules|Python|Parser|Include)/\S+\.[ch]:\d|\((?:\S*/)?(?:lib)?python[\w.]*\+0x"
)
"""A function of the interpreter: `in gc_alloc Modules/gcmodule.c:2283`, or one in `/usr/bin/python3.11`."""


def _may_leak(text: str) -> bool:
    """Returns whether a block leaks that the interpreter itself has not allocated."""
    for _, _, _, stack in _LEAK.findall(text):
        frames = [line for line in stack.splitlines() if not _ALLOCATOR.search(line)]
        if not frames or not _OF_PYTHON.search(frames[0]):
            return True
    return False


_WRAPPER = re.compile(r"py_|dl_\w+_(?:import|allocate)$")
"""The generated functions that call the library."""


def _leaks(text: str) -> Iterator[Leak]:
    """Yields the leaks of the library: their stacks pass through a wrapper, and do not begin in the runtime.

    LeakSanitizer calls a block indirect if another leaked block has its address. The other block explains it, unless
    all of them are indirect: blocks that refer to each other. A leaked block of the runtime is perhaps an object that
    has the address, and that a test of the user keeps."""
    indirect: dict[str, list[Leak]] = {}
    explained = False
    for kind, size, blocks, stack in _LEAK.findall(text):
        frames = _FRAME.findall(stack)
        wrapper = next((index for index, each in enumerate(frames) if _WRAPPER.match(each)), None)
        if wrapper is None:
            continue
        inner = [
            each
            for each in frames[:wrapper]
            if not each.startswith(("__", "malloc", "calloc", "realloc", "operator new"))
        ]
        if not inner:
            continue
        is_of_library = not inner[0].startswith(("dlb_", "Py", "_Py"))
        leak = Leak(frames[wrapper], int(size), int(blocks), tuple(inner))
        if is_of_library and kind == "Indirect":
            indirect.setdefault(leak.function, []).append(leak)
            continue
        explained = True
        if is_of_library:
            yield leak
    for leaks in indirect.values() if not explained else ():
        yield _cycle(leaks)


def _cycle(leaks: Sequence[Leak]) -> Leak:
    """Returns one leak for the blocks that one wrapper made, and that refer to each other."""
    most = max(leaks, key=lambda each: each.blocks)
    return Leak(most.function, sum(each.size for each in leaks), most.blocks, most.frames)


def _undefined(text: str) -> Iterator[str]:
    """Yields the reports about undefined behaviour, without addresses."""
    for place, message in re.findall(r"^(\S+:\d+:\d+): runtime error: (.*)$", text, re.MULTILINE):
        yield f"{place}: {re.sub(r'0x[0-9a-f]+', 'ADDRESS', message)}"


# ---- Generated calls, process after process ----

_MOST_ROUNDS = 100
_MOST_KNOWN = 6
"""The processes that a known limit of a target ends before the others leave it out. Its other calls exercise claims."""


class LeftOut(Frozen):
    """A target that later processes leave out."""

    target: str
    reason: str
    call: str
    """The call that was the last one, as Python."""


def generated_rounds(
    runner: Runner,
    plan: str,
    options: Sequence[str],
    steps: int,
    skipped: Sequence[str],
    is_known: Callable[[Event], bool],
) -> Iterator[tuple[Round, list[LeftOut]]]:
    """Runs generated calls, until as many steps have run. A process that ends early is followed by one that goes on
    with the next episode. Yields each round, with the targets that it makes the later ones leave out. `is_known`
    returns whether a finding is a known limit."""
    left, episode = steps, 0
    without = list(skipped)
    limits: Counter[str] = Counter()
    for _ in range(_MOST_ROUNDS):
        skip = [word for name in without for word in ("--skip", name)]
        done = runner.run([plan, "--steps", str(left), "--at", str(episode), *options, *skip])
        culprits = _culprits(done)
        if done.fatal is not None and is_known(done.fatal):
            limits.update(each.target for each in culprits)
            culprits = [each for each in culprits if limits[each.target] >= _MOST_KNOWN]
        yield done, culprits
        last = done.last_step
        if done.ended or last is None:
            return
        left -= len([step for step in done.steps if step["do"] != "try-ends"])  # these are extra steps
        episode = int(last.get("at", 0)) + 1
        if left <= 0:
            return
        without += [each.target for each in culprits if each.target not in without]


def _culprits(done: Round) -> list[LeftOut]:
    """Returns the target at which the process ended, with the reason."""
    last = next((each for each in reversed(done.steps) if each.get("target")), None)
    if done.ended or last is None:
        return []
    if done.stuck:
        reason = done.stuck
    elif done.fatal is not None:
        reason = "refuted"
    else:
        reason = f"it ended the process with exit code {done.status}"
    return [LeftOut(str(last["target"]), reason, describe_all([last])[0])]
