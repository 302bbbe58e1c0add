"""The checked build of a module: its flags, its compiler, the cached runtime, and the shared library of the checks.

The runtime and the checks are compiled once per user for each compiler, Python and way (`Way`). Everything else lies in
a temporary folder."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from functools import cache
from pathlib import Path

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.resources import include_folder, resource_folder
from dlpack_bindgen.tools.c_compiler import CompilerError, needed_compiler
from dlpack_bindgen.tools.terminal import Failure


class Way(Enum):
    """How a run sees wrong accesses to memory. The value is the name of the implementation in `runtime/checked`."""

    ASAN = "asan"
    """AddressSanitizer, which sees each access of the sources that are compiled with it."""
    PAGES = "pages"
    """Forbidden pages, for libraries that are only linked."""
    MEMCHECK = "memcheck"
    """Valgrind."""


# ---- The arguments after `--`: sources, flags and libraries ----

_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C")
_CPP_SOURCES = _SOURCES[1:]
_LINKED = (".o", ".a", ".so")
_HAVE_ARGUMENTS = frozenset(
    "-I -L -D -U -l -include -imacros -isystem -iquote -idirafter -isysroot -x -Xlinker -T -framework -arch -Xclang "
    "-Xpreprocessor -u -z -target --sysroot".split()
)
"""Options whose argument can be the next word."""
_OF_LINKER = ("-l", "-L", "-Wl,", "-Xlinker", "-framework", "-T", "-u", "-z", "-static-lib", "-rdynamic")
_SYSTEM = frozenset(("-lm", "-lpthread", "-ldl", "-lrt", "-lc", "-lstdc++", "-lgcc_s", "-lgcc", "-lutil"))
"""Libraries that belong to the system, not to the library under test."""


class Inputs(Frozen):
    """What the user names after `--`."""

    sources: tuple[str, ...]
    flags: tuple[str, ...]
    """The flags of the compiler, which the linker gets as well."""
    linked: tuple[str, ...]
    """Objects, archives and libraries with their options, in order."""

    @property
    def has_cpp(self) -> bool:
        return any(each.endswith(_CPP_SOURCES) for each in self.sources) or "-lstdc++" in self.linked

    @property
    def libraries(self) -> list[str]:
        """Returns what is linked besides the system's libraries."""
        return [each for each in self.linked if each not in _SYSTEM and not each.startswith(("-L", "-Wl,"))]

    @property
    def folders(self) -> list[str]:
        """Returns the absolute folders in which the linker and the loader look for libraries."""
        found = [each[2:] for each in self.linked if each.startswith("-L") and len(each) > 2]
        found += [match[1] for each in self.linked if (match := re.fullmatch(r"-Wl,-rpath(?:-link)?[,=](.*)", each))]
        found += [os.path.dirname(each) or "." for each in self.linked if _is_shared(each) and not each.startswith("-")]
        return list(dict.fromkeys(os.path.abspath(each) for each in found))


def read_inputs(words: Sequence[str]) -> Inputs:
    sources: list[str] = []
    flags: list[str] = []
    linked: list[str] = []
    waiting = iter(words)
    for word in waiting:
        taken = [word]
        if word in _HAVE_ARGUMENTS:
            taken.append(next(waiting, ""))
            if word in ("-I", "-L", "-D", "-U", "-l"):
                taken = ["".join(taken)]
        if word.endswith(_SOURCES) and not word.startswith("-"):
            sources.append(word)
        elif word.startswith(_OF_LINKER) or (word.endswith(_LINKED) and not word.startswith("-")) or _is_shared(word):
            linked += taken
        elif word not in ("-c", "-shared", "-fPIC") and not word.startswith(("-Werror", "-o")):
            flags += taken
    missing = [each for each in (*sources, *linked) if not each.startswith("-") and not os.path.exists(each)]
    if missing:
        raise Failure(f"there is no file {missing[0]}; paths after -- are relative to the working directory")
    return Inputs(tuple(sources), tuple(flags), tuple(linked))


def _is_shared(word: str) -> bool:
    return re.search(r"\.so(\.\d+)*$", word) is not None


def ways_of(inputs: Inputs, memcheck: bool) -> tuple[Way, ...]:
    """Returns the ways of the runs. Sources are compiled with AddressSanitizer; a library that is only linked is run
    with forbidden pages."""
    if memcheck:
        return (Way.MEMCHECK,)
    if not inputs.sources:
        return (Way.PAGES,)
    return (Way.ASAN, Way.PAGES) if inputs.libraries else (Way.ASAN,)


# ---- The compiler, and the Python that imports the module ----


class Compiler(Frozen):
    """The C compiler: `CC`, or `cc`."""

    command: tuple[str, ...]
    version: str
    is_clang: bool


def find_compiler() -> Compiler:
    try:
        command = tuple(needed_compiler())
        found = _output([*command, "--version"])
    except CompilerError as error:
        raise Failure(str(error)) from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure(f"{shlex.join(command)} --version fails: set CC to gcc or clang") from error
    return Compiler(command, found.strip(), "clang" in found)


_ASKED = """
import json, sys, sysconfig
print(json.dumps({
    "version": list(sys.version_info[:3]), "implementation": sys.implementation.name,
    "include": [sysconfig.get_path("include"), sysconfig.get_path("platinclude")],
    "suffix": sysconfig.get_config_var("EXT_SUFFIX"), "has_gil": not sysconfig.get_config_var("Py_GIL_DISABLED"),
    "base": __import__("site").getuserbase(), "prefix": sys.base_prefix,
}))
"""
OLDEST_PYTHON = (3, 8)


class Interpreter(Frozen):
    """The CPython that imports the module."""

    path: str
    version: tuple[int, ...]
    include: tuple[str, ...]
    suffix: str
    has_gil: bool
    user_base: str
    """The folder of packages that the user has installed for himself. HOME is another folder during a run."""


def find_interpreter(path: str | None) -> Interpreter:
    path = path or sys.executable
    found_at = shutil.which(path)
    try:
        found = json.loads(_output([path, "-c", _ASKED]))
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise Failure(f"--python {path} does not run as a Python") from error
    version = tuple(found["version"])
    if found["implementation"] != "cpython" or version < OLDEST_PYTHON:
        raise Failure(f"{path} is not a CPython 3.8 or newer")
    if not os.path.isfile(os.path.join(found["include"][0], "Python.h")):
        folder = found["include"][0]
        hint = "Debian: apt install python3-dev, Fedora: dnf install python3-devel"
        raise Failure(f"there is no Python.h in {folder}: install CPython's headers ({hint})")
    return Interpreter(
        path=os.path.abspath(found_at or path),
        version=version,
        include=tuple(dict.fromkeys(found["include"])),
        suffix=found["suffix"],
        has_gil=found["has_gil"],
        user_base=found["base"],
    )


def _output(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


# ---- The sanitizers ----


def check_platform() -> None:
    """Raises a Failure where the checks do not run."""
    if sys.platform == "win32":
        raise Failure("try needs Linux with glibc: on Windows, run it in WSL (wsl --install -d Debian)")
    if sys.platform == "darwin":
        raise Failure("try needs Linux with glibc: on macOS, run it in a container of Debian (brew install podman)")
    if not sys.platform.startswith("linux"):
        raise Failure(f"try needs Linux with glibc, and this is {sys.platform}: run it in a container of Debian")
    if _is_musl():
        raise Failure("try needs glibc, and this Linux has musl: run it in a container of Debian (apk add podman)")


def _is_musl() -> bool:
    try:
        return "glibc" not in (os.confstr("CS_GNU_LIBC_VERSION") or "")
    except (OSError, ValueError):
        return True


@cache
def preloaded(compiler: Compiler, way: Way, has_cpp: bool) -> tuple[str, ...]:
    """Returns the libraries that the loader must load before all others, without that of the checks."""
    if way is not Way.ASAN:
        return ()
    if compiler.is_clang:
        machine = os.uname().machine
        names = [f"libclang_rt.asan-{machine}.so", "libclang_rt.asan.so"]
        hint = "apt install libclang-rt-dev (Fedora: dnf install compiler-rt)"
    else:
        names = ["libasan.so"]
        hint = "apt install libasan8 (Fedora: dnf install libasan libubsan)"
    paths = [_file_of_compiler(compiler, name) for name in names]
    found = next((path for path in paths if path is not None), None)
    if found is None:
        raise Failure(f"{shlex.join(compiler.command)} has no AddressSanitizer: {hint}")
    # AddressSanitizer replaces functions of libstdc++, and fails if these are loaded after it.
    cpp = _file_of_compiler(compiler, "libstdc++.so.6") if has_cpp else None
    return (found, *([cpp] if cpp is not None else []))


def _file_of_compiler(compiler: Compiler, name: str) -> str | None:
    path = _output([*compiler.command, f"-print-file-name={name}"]).strip()
    return os.path.realpath(path) if os.path.isabs(path) and os.path.exists(path) else None


def find_valgrind() -> str:
    found = shutil.which("valgrind")
    if found is None or not os.path.exists("/usr/include/valgrind/memcheck.h"):
        raise Failure(
            "--memcheck needs valgrind and its headers: apt install valgrind (Fedora: dnf install valgrind-devel)"
        )
    return found


# ---- Compiling ----

_CHECKED = ("-DDLB_CHECKED", "-g", "-O1", "-fPIC", "-fno-omit-frame-pointer")
_ASAN = ("-fsanitize=address",)
_GUARD = ("-fstack-protector-strong",)
"""For a linked library, which no sanitizer watches: a guard behind the arrays on the stack of the module."""
_UBSAN = ("-fsanitize=undefined", "-fsanitize-recover=undefined")
_SOURCES_OF_RUNTIME = ("dlb_core.c", "dlb_object.c", "dlb_call.c")


class Build(Frozen):
    """A checked build of one or more modules."""

    way: Way
    folder: str
    """The folder with the modules, for PYTHONPATH."""
    preload: tuple[str, ...]
    """The libraries for LD_PRELOAD, in order."""
    libraries: tuple[str, ...]
    """The real paths of the libraries under test, which the modules load."""


class CompileError(Exception):
    """A compiler refused a file. The message is what the compiler printed."""

    def __init__(self, source: str, command: Sequence[str], text: str) -> None:
        super().__init__(text)
        self.source = source
        self.command = command


class Compilation:
    """The commands for one way of a run."""

    def __init__(self, compiler: Compiler, interpreter: Interpreter, way: Way) -> None:
        self._compiler = compiler
        self._interpreter = interpreter
        self._way = way

    @property
    def _sanitizers(self) -> tuple[str, ...]:
        shared = ("-shared-libasan",) if self._compiler.is_clang else ()
        return (*_ASAN, *shared) if self._way is Way.ASAN else ()

    @property
    def includes(self) -> list[str]:
        """Returns the flags for the headers of the runtime, of DLPack and of Python."""
        folders = (resource_folder("runtime"), include_folder(), *self._interpreter.include)
        return [f"-I{each}" for each in folders]

    def compile_command(
        self, source: str, output: str, flags: Sequence[str] = (), of_library: bool = False
    ) -> list[str]:
        """Returns the command for a source: one of the library under test, or one of the module or the runtime."""
        undefined = _UBSAN if of_library and self._way is Way.ASAN else ()
        language = () if source.endswith(_CPP_SOURCES) or of_library else ("-std=gnu11",)
        guard = _GUARD if self._way is Way.PAGES and not of_library else ()
        common = [*self._compiler.command, *_CHECKED, *self._sanitizers, *undefined, *guard, *language]
        return [*common, *flags, *([] if of_library else self.includes), "-c", source, "-o", output]

    def runtime(self) -> Path:
        """Returns the folder with the compiled runtime and checks, which are compiled if the cache lacks them."""
        folder = cache_folder() / self._digest()
        if (folder / "runtime.a").is_file():
            return folder
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-") as made:
            self._compile_runtime(Path(made))
            try:
                os.rename(made, folder)
                os.mkdir(made)  # for the end of the `with`
            except OSError:
                if not (folder / "runtime.a").is_file():
                    raise  # another process has not made it meanwhile
        return folder

    def _digest(self) -> str:
        """Returns the name of the folder in the cache: a digest of all that the compiled files depend on."""
        digest = hashlib.sha256()
        for path in sorted(resource_folder("runtime").rglob("*.[ch]")):
            digest.update(str(path.name).encode() + b"\0" + path.read_bytes() + b"\0")
        interpreter = self._interpreter
        flags = self.compile_command("", "")
        digest.update(repr((self._compiler, flags, interpreter.version, interpreter.has_gil, self._way)).encode())
        return digest.hexdigest()[:24]

    def _compile_runtime(self, folder: Path) -> None:
        runtime = resource_folder("runtime")
        objects = [str(folder / f"{name}.o") for name in _SOURCES_OF_RUNTIME]
        commands = [
            self.compile_command(str(runtime / name), made)
            for name, made in zip(_SOURCES_OF_RUNTIME, objects, strict=True)
        ]
        run_all([*commands, self._command_of_checks(folder)])
        _run(["ar", "rcs", str(folder / "runtime.a"), *objects], "runtime.a")
        for each in objects:
            os.unlink(each)

    def _command_of_checks(self, folder: Path) -> list[str]:
        """Returns the command for the shared library of the checks. It is not instrumented: it looks at memory that
        nobody else may use."""
        others = tuple(f"memory_{way.value}" for way in Way if way is not self._way)
        listed = sorted((resource_folder("runtime") / "checked").glob("*.c"))
        sources = [str(path) for path in listed if not path.name.startswith(others)]
        flags = [*_CHECKED, "-O2", "-std=gnu11", "-shared", "-fvisibility=hidden", *self.includes]
        undefined = ["-Wl,--unresolved-symbols=ignore-all"] if self._way is Way.ASAN else []
        output = str(folder / library_of_checks(self._way))
        return [*self._compiler.command, *flags, *sources, *undefined, "-o", output, "-lpthread", "-ldl"]

    def link_command(self, objects: Sequence[str], output: str, inputs: Inputs, runtime: Path | None) -> list[str]:
        """Returns the command for a shared library. `runtime` is None for a library without a module."""
        paths = [f"-Wl,-rpath,{each}" for each in (*([str(runtime)] if runtime is not None else []), *inputs.folders)]
        own = [str(runtime / "runtime.a"), str(runtime / library_of_checks(self._way))] if runtime is not None else []
        undefined = _UBSAN if self._way is Way.ASAN and inputs.sources else ()
        cpp = ["-lstdc++"] if inputs.has_cpp else []
        flags = [each for each in inputs.flags if each.startswith(("-f", "-m", "-pthread", "-g"))]
        common = [*self._compiler.command, "-shared", *self._sanitizers, *undefined, *flags]
        return [*common, *objects, *own, *inputs.linked, *paths, *cpp, "-lm", "-lpthread", "-o", output]


def library_of_checks(way: Way) -> str:
    return f"libdlb_checked_{way.value}.so"


def cache_folder() -> Path:
    """Returns the folder of this user for compiled runtimes."""
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base if base and os.path.isabs(base) else Path.home() / ".cache") / "dlpack-bindgen" / "try"


def run_all(commands: Iterable[Sequence[str]]) -> list[str]:
    """Runs commands of the compiler side by side, and returns what each printed. Raises the first CompileError."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(lambda command: _run(command, command[-3] if "-c" in command else command[-1]), commands))


def _run(command: Sequence[str], source: str) -> str:
    environment = {**os.environ, "LC_ALL": "C"}
    environment.pop("LD_PRELOAD", None)
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        check=False,
    )
    text = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        raise CompileError(source, command, text)
    return text


# ---- What the headers declare, for hints ----

_FREES = re.compile(
    r"\b(?:void|int)\s+(?P<name>\w*(?:free|destroy|delete|release|dispose|close|drop|unref|fini|cleanup|_end|_cut)\w*)"
    r"\s*\(\s*(?:struct\s+)?(?P<type>\w+)\s*\*\s*(?:\w+\s*)?\)"
)
"""A pattern of declarations of functions that may free an object."""


def freeing_functions(compiler: Compiler, includes: Sequence[str], flags: Sequence[str]) -> dict[str, list[str]]:
    """Returns the functions of the headers that take only a pointer and may free it, by the type of the object. The
    names only choose a hint."""
    text = "".join(f"#include {each}\n" for each in includes)
    command = [*compiler.command, "-E", "-P", *flags, "-x", "c", "-"]
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    found: dict[str, list[str]] = {}
    for match in _FREES.finditer(done.stdout.decode(errors="replace")):
        found.setdefault(match["type"], []).append(match["name"])
    return found


class ModuleSources(Frozen):
    """The generated C of one module, in a folder."""

    name: str
    files: tuple[str, ...]
    spec_folder: str
    """The folder of the spec, where its headers may lie."""

    @property
    def flags(self) -> list[str]:
        """Returns the flags with which the compiler finds the headers beside the spec and the generated ones."""
        return [f"-I{os.path.dirname(self.files[0])}", f"-I{self.spec_folder or '.'}"]


def build(compilation: Compilation, modules: Sequence[ModuleSources], inputs: Inputs, folder: str) -> Build:
    """Compiles and links the modules into `folder`. Raises a CompileError."""
    runtime = compilation.runtime()
    way = compilation._way
    objects = f"{folder}/objects"
    placed = f"{folder}/modules"
    for each in (objects, placed):
        os.makedirs(each, exist_ok=True)
    of_library = [f"{objects}/library{index}.o" for index, _ in enumerate(inputs.sources)]
    commands = [
        compilation.compile_command(source, made, inputs.flags, of_library=True)
        for source, made in zip(inputs.sources, of_library, strict=True)
    ]
    of_modules: list[list[str]] = []
    flags_of_c = [each for each in inputs.flags if not each.startswith("-std=c++")]
    for module in modules:
        made = [f"{objects}/{os.path.basename(each)}.o" for each in module.files]
        flags = [*flags_of_c, *module.flags, "-DDLB_EXPORT"]  # calls/dtypes.py reads the tables of records
        commands += [
            compilation.compile_command(source, to, flags) for source, to in zip(module.files, made, strict=True)
        ]
        of_modules.append(made)
    run_all(commands)
    suffix = compilation._interpreter.suffix
    shared: list[str] = []
    if len(modules) > 1 and of_library:  # both modules use one copy of the library
        shared = [f"{placed}/libunder_test.so"]
        _run(compilation.link_command(of_library, shared[0], inputs, None), shared[0])
    for module, made in zip(modules, of_modules, strict=True):
        output = f"{placed}/{module.name}{suffix}"
        rpath = [f"-Wl,-rpath,{placed}"] if shared else []
        command = compilation.link_command([*made, *(shared or of_library), *rpath], output, inputs, runtime)
        _run(command, output)
    outputs = [f"{placed}/{module.name}{suffix}" for module in modules]
    preload = preloaded(compilation._compiler, way, inputs.has_cpp)
    checks = str(runtime / library_of_checks(way))
    return Build(
        way=way,
        folder=placed,
        preload=(*preload, checks) if way is Way.PAGES else preload,
        libraries=tuple(dict.fromkeys([*outputs, *shared, *_needed(outputs)])),
    )


# ---- The libraries that a module loads ----

_OF_SYSTEM = re.compile(
    r"(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|util|gcc_s|resolv|nsl|asan|ubsan|lsan|tsan|python3.*|dlb_checked_\w+))\.so.*"
)


def _needed(paths: Sequence[str]) -> Iterator[str]:
    """Yields the real paths of the libraries that the modules need, without those of the system."""
    for path in paths:
        try:
            listed = _output(["ldd", path])
        except (OSError, subprocess.CalledProcessError):
            continue
        for match in re.finditer(r"^\s*(\S+)(?: => (\S+))? \(0x", listed, re.MULTILINE):
            found = match[2] or match[1]
            if _OF_SYSTEM.fullmatch(os.path.basename(match[1])) is None and os.path.isabs(found):
                yield os.path.realpath(found)
