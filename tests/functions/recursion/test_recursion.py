"""Foreign code that calls a function again, endlessly: each way to Python code and back ends with a RecursionError."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from python.scripts import run
from support.build import SANITIZED, build_extension

HERE = Path(__file__).parent
ARRAYS = ", ".join(f"const double x{i}[1]" for i in range(14))
SPEC = f"""
dlpack-bindgen: 1
module: nested
include: nested.h
arrays: Array
outputs: as given
constants: {{color: {{enum: [RED, BLUE]}}}}
records: {{point: [x, y]}}
tensors:
  Grid:
    {{type: grid, data: self->cells, dtype: float64, shape: [self->n], release: (void)self,
     import: {{set: {{cells: data, n: "shape[0]"}}}}}}
handles:
  Plan:
    type: plan
    release: free(self)
    new: {{c: plan *plan_new(int passes), ok: "!= NULL"}}
    properties: {{passes: {{get: self->passes, set: true}}}}
    methods:
      keep:
        c: void plan_keep(plan *self, double *cells, int count, {ARRAYS})
        args: {{self: {{keeps: cells}}, count: {{count_of: cells}}}}
      at: {{c: "int plan_at(const plan *self, int index, {ARRAYS})"}}
      __getitem__: {{c: "int plan_item(const plan *self, int index)"}}
  Route:
    {{type: route, release: (void)self, new: {{}}, properties: {{passes: {{get: self->passes, set: true}}}}}}
  Far: {{type: far, from: far}}
functions:
  new_far: {{c: far *new_far(void)}}
  of_arrays: {{c: "int of_arrays({ARRAYS})"}}
  of_integer: {{c: "int of_integer(int value, {ARRAYS})"}}
  of_float: {{c: "double of_float(double value, {ARRAYS})"}}
  of_complex: {{c: "double of_complex(double complex value, {ARRAYS})"}}
  of_bool: {{c: "int of_bool(bool value, {ARRAYS})"}}
  of_path: {{c: "int of_path(const char *value, {ARRAYS})", args: {{value: path}}}}
  of_strings: {{c: "int of_strings(const char *const *value, {ARRAYS})", args: {{value: strings}}}}
  of_color: {{c: "int of_color(color value, {ARRAYS})"}}
  of_file: {{c: "int of_file(FILE *value, {ARRAYS})", args: {{value: {{mode: r}}}}}}
  of_route: {{c: "int of_route(const route *value, {ARRAYS})"}}
  of_routes:
    {{c: "int of_routes(const route *const *value, int count, {ARRAYS})", args: {{count: {{count_of: value}}}}}}
  of_points:
    {{c: "int of_points(const point *value, int count, {ARRAYS})",
     args: {{value: records, count: {{count_of: value}}}}}}
  of_bytes:
    {{c: "int of_bytes(const void *value, size_t count, {ARRAYS})",
     args: {{value: bytes, count: {{size_of: value}}}}}}
  of_grid: {{c: "int of_grid(const grid *value, {ARRAYS})"}}
  of_written:
    {{c: "int of_written(double *value, int count, {ARRAYS})", args: {{count: {{count_of: value}}}}}}
  released: {{c: "int of_arrays({ARRAYS})", release_gil: true}}
  doubled:
    {{c: "void doubled(const double *value, double *out, int count, {ARRAYS})",
     args: {{out: {{default: like value}}, count: {{count_of: value}}}}, returns: [out]}}
  either_integer: {{name: either, c: "int of_integer(int value, {ARRAYS})"}}
  either_grid: {{name: either, c: "int of_grid(const grid *value, {ARRAYS})"}}
"""
PRELUDE = """
import ctypes, sys, threading
import nested

ARRAYS = [[1.0]] * 14
PLAN = nested.Plan(1)
ARRAY = nested.Array.empty((1,), dtype="float64")

class Converted:  # each conversion calls the function again
    def __index__(self): return call()
    def __float__(self): return float(call())
    def __complex__(self): return complex(call())
    def __bool__(self): return bool(call())
    def __fspath__(self): return str(call())
    def __str__(self): return str(call())
    def fileno(self): return call()

class Sequence:
    def __init__(self, length=2, item=Converted()): self.length, self.item = length, item
    def __len__(self): return self.length if isinstance(self.length, int) else call()
    def __getitem__(self, index):
        if index >= 2: raise IndexError
        return call() if self.item is None else self.item

class Mapping:
    def __init__(self, keys=None, value=Converted()): self.names, self.value = keys, value
    def keys(self): return self.names or call()
    def __getitem__(self, name): return call() if self.value is None else self.value

class WithKeys:
    keys = property(lambda self: call())
    def __getitem__(self, name): return 1

class Producer:
    def __dlpack__(self, **keywords): return call()

class ProducerByProperty:
    __dlpack__ = property(lambda self: call())

class ProducerWithoutKeywords:
    def __dlpack__(self): return call()

class Interface:
    __array_interface__ = property(lambda self: call())

class Buffer:  # of Python 3.12
    def __buffer__(self, flags): return call()

class Meta(type):
    def __getattribute__(cls, name): return call() if name == "__mro__" else type.__getattribute__(cls, name)

class OfMeta(metaclass=Meta):
    pass

class Bool:
    def __bool__(self): return bool(call())

Bool.__name__, Bool.__qualname__, Bool.__module__ = "bool", "bool", "numpy"

class DType:
    dtype = property(lambda self: call())

def importing(name, *rest, real=__import__): return call() if name == "far" else real(name, *rest)
__builtins__.__import__ = importing

class Target:
    from_dlpack = staticmethod(lambda array: call())

class Namespace:
    def __dlpack__(self, **keywords): return ARRAY.__dlpack__(**keywords)
    def __array_namespace__(self): return call()

class Importing(Namespace):
    def __array_namespace__(self): return Target

def run(size):
    def guarded():
        try:
            result.append(call())
        except BaseException as error:
            result.append(error)
    result = []
    threading.stack_size(size)
    thread = threading.Thread(target=guarded)
    thread.start()
    thread.join()
    return f"{type(result[0]).__name__}: {result[0]}"

# CPython's own limit does not end the recursion: only the stack does
sys.setrecursionlimit(1_000_000)
"""
WAYS = {
    "index": "nested.of_integer(Converted(), *ARRAYS)",
    "float": "nested.of_float(Converted(), *ARRAYS)",
    "complex": "nested.of_complex(Converted(), *ARRAYS)",
    "bool": "nested.of_bool(Converted(), *ARRAYS)",
    "path": "nested.of_path(Converted(), *ARRAYS)",
    "item-of-strings": "nested.of_strings(Sequence(2, None), *ARRAYS)",
    "enumeration": "nested.of_color(Converted(), *ARRAYS)",
    "file": "nested.of_file(Converted(), *ARRAYS)",
    "member": "nested.of_route({'passes': Converted()}, *ARRAYS)",
    "member-of-a-tuple": "nested.of_route((Converted(),), *ARRAYS)",
    "keys": "nested.of_route(Mapping(), *ARRAYS)",
    "attribute-keys": "nested.of_route(WithKeys(), *ARRAYS)",
    "value-of-a-mapping": "nested.of_route(Mapping(['passes'], None), *ARRAYS)",
    "length-of-objects": "nested.of_routes(Sequence(None), *ARRAYS)",
    "item-of-objects": "nested.of_routes(Sequence(2, None), *ARRAYS)",
    "member-of-an-item": "nested.of_routes([(Converted(),)], *ARRAYS)",
    "records": "nested.of_points(Interface(), *ARRAYS)",
    "item-of-numbers": "nested.of_arrays([Converted()], *ARRAYS[1:])",
    "length-of-numbers": "nested.of_arrays(Sequence(None), *ARRAYS[1:])",
    "dlpack": "nested.of_arrays(Producer(), *ARRAYS[1:])",
    "dlpack-property": "nested.of_arrays(ProducerByProperty(), *ARRAYS[1:])",
    "dlpack-without-keywords": "nested.of_arrays(ProducerWithoutKeywords(), *ARRAYS[1:])",
    "array-interface": "nested.of_arrays(Interface(), *ARRAYS[1:])",
    "metaclass": "nested.of_arrays(OfMeta(), *ARRAYS[1:])",
    "gil-released": "nested.released(*ARRAYS[1:], Producer())",
    "written": "nested.of_written(Producer(), *ARRAYS)",
    "struct": "nested.of_grid(Producer(), *ARRAYS)",
    "struct-of-an-interface": "nested.of_grid(Interface(), *ARRAYS)",
    "method": "PLAN.at(Converted(), *ARRAYS)",
    "kept": "PLAN.keep(Producer(), *ARRAYS)",
    "kept-interface": "PLAN.keep(Interface(), *ARRAYS)",
    "special-method": "PLAN[Converted()]",
    "setter": "setattr(PLAN, 'passes', Converted())",
    "new": "nested.Plan(Converted())",
    "new-struct": "nested.Route(passes=Converted())",
    "alternatives-number": "nested.either(Converted(), *ARRAYS)",
    "alternatives-producer": "nested.either(Producer(), *ARRAYS)",
    "alternatives-property": "nested.either(ProducerByProperty(), *ARRAYS)",
    "alternatives-interface": "nested.either(Interface(), *ARRAYS)",
    "output-as-given": "nested.doubled(Namespace(), None, *ARRAYS)",
    "output-of-a-library": "nested.doubled(Importing(), None, *ARRAYS)",
    "from-dlpack": "nested.Grid.from_dlpack(Producer())",
    "from-dlpack-without-a-copy": "nested.Grid.from_dlpack(Producer(), copy=False)",
    "from-dlpack-of-a-class": "nested.Grid.from_dlpack(OfMeta())",
    "from-dlpack-with-a-bool": "nested.Grid.from_dlpack(ARRAY, copy=Bool())",
    "import-of-a-class": "nested.new_far()",
    "export-copy": "ARRAY.__dlpack__(copy=Bool())",
    "export-array": "ARRAY.__array__(DType())",
    "from-dlpack-of-a-property": "nested.Grid.from_dlpack(ProducerByProperty())",
    "from-dlpack-of-an-interface": "nested.Grid.from_dlpack(Interface())",
    "from-dlpack-on-a-device": "nested.Grid.from_dlpack(Producer(), device=(Converted(), 0))",
    "empty": "nested.Array.empty(Converted(), dtype='float64')",
    "empty-of-a-sequence": "nested.Array.empty(Sequence(2, None), dtype='float64')",
    "empty-dtype": "nested.Array.empty((1,), dtype=Converted())",
    "to": "ARRAY.to(Target)",
    "export-version": "ARRAY.__dlpack__(max_version=(Converted(), 0))",
    "export-stream": "ARRAY.__dlpack__(stream=Converted())",
    "pickle": "ARRAY.__reduce_ex__(Converted())",
    "unpickle": "type(ARRAY)._rebuild(b'', (Converted(), 64, 1), (0,), '<')",
}
"""A call that foreign code repeats endlessly."""
if sys.version_info < (3, 14):  # later versions make a tuple without asking for the length
    WAYS["length-of-strings"] = "nested.of_strings(Sequence(None), *ARRAYS)"
    WAYS["length-of-a-shape"] = "nested.Array.empty(Sequence(None), dtype='float64')"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("nested")
    build_extension("nested", SPEC, made, flags=[f"-I{HERE}"])
    return made


@pytest.mark.parametrize("call", WAYS.values(), ids=WAYS)
def test_endless_calls_stop_before_the_end_of_the_stack_of_a_thread(folder: Path, call: str) -> None:
    """The stack is so small that it ends first: CPython 3.12 allows 1500 levels of C, which need more than 256 KiB."""
    script = f"call = lambda: {call}\nprint(run(1 << 18))"
    (said,) = run(folder, script, prelude=PRELUDE)
    assert (
        said == "RecursionError: calls of Python code and of this module are nested too deeply for the stack of 256 KiB"
    )


if sys.version_info >= (3, 12):  # Python classes have buffers

    def test_a_buffer_that_runs_python_code_stops_before_the_end_of_the_stack(folder: Path) -> None:
        script = "call = lambda: nested.of_bytes(Buffer(), *ARRAYS)\nprint(run(1 << 20))"
        (said,) = run(folder, script, prelude=PRELUDE)
        assert said.startswith("RecursionError: calls of Python code and of this module")


def test_endless_calls_stop_in_the_main_thread(folder: Path) -> None:
    """The default limit of CPython allows 1000 levels, which need more than 30 MB of stack here."""
    script = """
sys.setrecursionlimit(1000)
call = lambda: nested.of_integer(Converted(), *ARRAYS)
try:
    call()
except RecursionError as error:
    print(str(error).startswith("calls of Python code and of this module"))
"""
    assert run(folder, script, prelude=PRELUDE) == ["True"]


def test_a_table_that_runs_python_code_stops_before_the_end_of_the_stack(folder: Path) -> None:
    """ctypes clears the exception in the callback, so that each level refuses the object. The other arguments have no
    class that the module looks up: such a class may take the place of this one in the cache of producers, and arrays
    of unknown classes are asked for a managed tensor, which this table does not have."""
    script = """
import ctypes
from python.exchange import NAME, ExchangeAPI, _VIEW

def again(array, tensor):
    try:
        call()
    except (RecursionError, TypeError):
        levels.append(1)
    return -1

make = ctypes.pythonapi.PyCapsule_New
make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
levels = []
view = _VIEW(again)
api = ExchangeAPI(major=1, minor=3, view=ctypes.cast(view, ctypes.c_void_p).value)

class WithTable:
    __dlpack_c_exchange_api__ = make(ctypes.addressof(api), NAME, None)

call = lambda: nested.of_arrays(WithTable(), *[ARRAY] * 13)
print(run(1 << 20), 5 < len(levels) < 100)
"""
    (said,) = run(folder, script, prelude=PRELUDE)
    assert said == "TypeError: of_arrays() argument 'x0' must be an array or a sequence of numbers, not WithTable True"


def test_an_import_by_a_table_that_runs_python_code_stops_before_the_end_of_the_stack(folder: Path) -> None:
    """ctypes prints the exception in the callback, so that each level reports a table that fails without one. The stack
    is small, as above."""
    script = """
import ctypes
from python.exchange import NAME, ExchangeAPI, _FROM

def again(array, tensor):
    try:
        call()
    except RecursionError as error:
        stopped.append(str(error).split(" for ")[0])
    except RuntimeError as error:
        levels.append(str(error))
    return -1

make = ctypes.pythonapi.PyCapsule_New
make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
levels, stopped = [], []
export = _FROM(again)
api = ExchangeAPI(major=1, minor=3, from_object=ctypes.cast(export, ctypes.c_void_p).value)

class WithTable:
    __dlpack_c_exchange_api__ = make(ctypes.addressof(api), NAME, None)

call = lambda: nested.Grid.from_dlpack(WithTable())
print(run(1 << 18).split(":")[0], len(set(levels)), stopped)
"""
    stopped = ["calls of Python code and of this module are nested too deeply"]
    assert run(folder, script, prelude=PRELUDE) == [f"RuntimeError 1 {stopped}"]


def test_finalizers_that_call_again_stop_before_the_end_of_the_stack(folder: Path) -> None:
    """The call releases the last reference to an item, and its finalizer calls again."""
    script = """
class Item:
    def __del__(self): call()

class Dying(Sequence):
    def __getitem__(self, index):
        if index > 0: raise IndexError
        return Item()

reported = []
sys.unraisablehook = lambda report: reported.append(report.exc_type)
call = lambda: nested.of_routes(Dying(1), *ARRAYS)
print(run(1 << 20).split(":")[0], RecursionError in reported)
"""
    assert run(folder, script, prelude=PRELUDE) == ["TypeError True"]


if sys.platform.startswith("linux") and not SANITIZED:  # reads ucontext_t of glibc; AddressSanitizer warns of fibers
    import resource

    FIBER = """
library = ctypes.PyDLL(None)
here, there = (ctypes.create_string_buffer(1 << 13) for _ in range(2))
stack = ctypes.create_string_buffer(1 << 24)
library.getcontext(there)
members = [(8, ctypes.addressof(here)), (16, ctypes.addressof(stack)), (32, len(stack))]
for offset, value in members:  # uc_link, ss_sp and ss_size
    ctypes.c_size_t.from_buffer(there, offset).value = value
library.makecontext(there, body, 0)
library.swapcontext(here, there)
"""

    def test_code_on_a_stack_of_its_own_is_not_refused(folder: Path) -> None:
        """A fiber runs outside of the stack of its thread, so the bounds of that stack do not matter."""
        script = f"""
class Number:
    def __index__(self): return 5

@ctypes.PYFUNCTYPE(None)
def body():
    print(nested.of_integer(Number(), *ARRAYS))

{FIBER}
"""
        assert run(folder, script, prelude=PRELUDE) == ["5"]

    def test_endless_calls_on_a_stack_of_its_own_stop_at_the_limit_of_recursion(folder: Path) -> None:
        """Before CPython 3.12 the limit counts the calls of C, too. Which call exceeds it, depends on the limit."""
        script = f"""
found = set()
call = lambda: nested.of_integer(Converted(), *ARRAYS)

@ctypes.PYFUNCTYPE(None)
def body():
    for limit in range(150, 156):
        sys.setrecursionlimit(limit)
        try:
            call()
        except RecursionError as error:
            found.add("in a call of foreign code" in str(error))
    sys.setrecursionlimit(1000)

{FIBER}
print(sorted(found))
"""
        expected = "[False, True]" if sys.version_info < (3, 12) else "[False]"
        assert run(folder, script, prelude=PRELUDE) == [expected]

    def test_endless_calls_stop_in_a_thread_beside_a_stack_without_limit(folder: Path) -> None:
        """Such a stack could grow down to the next mapping. The stack of a thread can be made between the two later."""
        script = """
import ctypes

@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
def body(argument):
    try:
        call()
    except RecursionError as error:
        print(str(error).split(" for ")[0])

def below_the_stack():
    with open("/proc/self/maps") as lines:
        start = next(line for line in lines if line.endswith("[stack]\\n")).split("-")[0]
    return int(start, 16) - (1 << 30)

call = lambda: nested.of_integer(Converted(), *ARRAYS)
library = ctypes.CDLL(None)
library.mmap.restype = ctypes.c_void_p
library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
stack = library.mmap(below_the_stack(), 1 << 20, 3, 0x22, -1, 0)
attributes = ctypes.create_string_buffer(256)
thread = ctypes.c_void_p()
library.pthread_attr_init(attributes)
library.pthread_attr_setstack(attributes, ctypes.c_void_p(stack), ctypes.c_size_t(1 << 20))
library.pthread_create(ctypes.byref(thread), attributes, body, None)
library.pthread_join(thread, None)
"""
        limit, most = resource.getrlimit(resource.RLIMIT_STACK)
        resource.setrlimit(resource.RLIMIT_STACK, (most, most))
        try:
            lines = run(folder, script, prelude=PRELUDE)
        finally:
            resource.setrlimit(resource.RLIMIT_STACK, (limit, most))
        assert lines == ["calls of Python code and of this module are nested too deeply"]
