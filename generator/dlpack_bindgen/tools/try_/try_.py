"""The command `try`: builds the modules of specs with checks, runs a test of the user and generated calls, and reports
which claims of the specs are refuted, confirmed or not exercised."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dlpack_bindgen.emit.clang_format import FormatterError, RefusedText
from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.resources import ResourceError
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.diagnostics import Diagnostic, closest
from dlpack_bindgen.text.yaml import Loaded
from dlpack_bindgen.tools import generate
from dlpack_bindgen.tools.compiler_errors import compile_errors
from dlpack_bindgen.tools.generated_code import Generated
from dlpack_bindgen.tools.terminal import FAILED, OK, Failure, Report, print_line
from dlpack_bindgen.tools.try_ import report as reports
from dlpack_bindgen.tools.try_.build import (
    Build,
    Compilation,
    CompileError,
    Compiler,
    Inputs,
    Interpreter,
    ModuleSources,
    Way,
    build,
    check_platform,
    find_compiler,
    find_interpreter,
    find_valgrind,
    freeing_functions,
    read_inputs,
    ways_of,
)
from dlpack_bindgen.tools.try_.checks import OF_ALL_CALLS, confirmed_claim, consequences, finding
from dlpack_bindgen.tools.try_.claims import Described
from dlpack_bindgen.tools.try_.crashes import never_returned, with_steps
from dlpack_bindgen.tools.try_.findings import Finding, Specs
from dlpack_bindgen.tools.try_.leaks import leaked
from dlpack_bindgen.tools.try_.limits import Limit, read_limits
from dlpack_bindgen.tools.try_.report import Shown, Target
from dlpack_bindgen.tools.try_.rounds import LeftOut, Round, Runner, generated_rounds

REFUTED = 1
"""The exit code after a refuted claim."""
_INTERRUPTED = 130


def try_(arguments: argparse.Namespace, report: Report) -> int:
    """Runs the command, and returns its exit code."""
    check_platform()
    inputs = read_inputs(arguments.flags)
    compiler, interpreter = find_compiler(), find_interpreter(arguments.python)
    ways = ways_of(inputs, arguments.memcheck)
    if Way.MEMCHECK in ways:
        find_valgrind()
    loaded, specs = _specs(arguments.specs, report)
    limits = _limits(loaded, report)
    with _folder(arguments.keep) as folder:
        run = Run(arguments, loaded, specs, limits, inputs, folder)
        begun = time.monotonic()
        try:
            run.everything(compiler, interpreter, ways)
        except KeyboardInterrupt:
            run.complete = False
        except Refused as refused:
            report.problems(refused.problems, {each.file: each.text for each in loaded})
            return FAILED
        except ResourceError as error:  # dlpack.h, or the runtime
            raise Failure(str(error)) from error
        found = run.report()
        print_line(reports.text(found, time.monotonic() - begun).rstrip("\n"))
        if arguments.json is not None:
            _write(arguments.json, reports.as_json(found))
        if found.refuted:
            return REFUTED
        if not run.complete:
            return _INTERRUPTED
        if run.failed_test is not None:
            report.failure(f"the test {run.failed_test} failed, and nothing was refuted; its output is above")
            return FAILED
        return OK


def _specs(paths: Sequence[str], report: Report) -> tuple[list[Loaded], list[Spec]]:
    """Returns the specs. Raises a Failure after their mistakes are reported."""
    found = generate.loaded_with_headers(paths, report)
    if found is None:
        raise Failure("the spec has errors, so nothing was run")
    return found


def _limits(loaded: Sequence[Loaded], report: Report) -> list[Limit]:
    problems: list[Diagnostic] = []
    sources: dict[str, str] = {}
    limits: list[Limit] = []
    for each in loaded:
        found, text = read_limits(each.file, problems.append)
        limits += found
        sources |= {limit.place.file: text for limit in found} | {problem.span.file: text for problem in problems}
    if problems:
        report.problems(problems, sources)
        raise Failure("the known limits have errors, so nothing was run")
    return limits


class Refused(Exception):
    """Raised if the compiler refuses the C of a spec."""

    def __init__(self, problems: Sequence[Diagnostic]) -> None:
        super().__init__(f"{len(problems)} errors of the compiler")
        self.problems = problems


class _folder:
    """The folder of a run: a temporary one, or the one of `--keep`."""

    def __init__(self, keep: str | None) -> None:
        self._keep = keep

    def __enter__(self) -> str:
        if self._keep is None:
            self._made = tempfile.mkdtemp(prefix="dlpack-bindgen-try-")
        else:
            self._made = os.path.abspath(self._keep)
            os.makedirs(self._made, exist_ok=True)
        return self._made

    def __exit__(self, *_: object) -> None:
        if self._keep is None:
            shutil.rmtree(self._made, ignore_errors=True)


def _write(path: str, text: str) -> None:
    try:
        if path == "-":
            print_line(text.rstrip("\n"))
        else:
            Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror or error}") from error


class Run:
    """One run of the command: what it has done so far, also if it is interrupted."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        loaded: Sequence[Loaded],
        specs: Sequence[Spec],
        limits: Sequence[Limit],
        inputs: Inputs,
        folder: str,
    ) -> None:
        """Prepares the run, whose files lie in `folder`."""
        self._arguments = arguments
        self._loaded = loaded
        self._modules = [Module(spec) for spec in specs]
        self._described = [Described(*each) for each in zip(loaded, specs, strict=True)]
        self._specs = Specs(self._described, self._freeing)
        self._limits = limits
        self._inputs = inputs
        self._folder = folder
        self._shown: list[Shown] = []
        self._confirmed: Counter[tuple[str, str, str]] = Counter()
        self._returned: Counter[str] = Counter()
        self._raised: Counter[str] = Counter()
        self._reasons: dict[str, str] = {}
        self._ended: dict[str, str] = {}
        """Why the processes had to end that called these targets last."""
        self._library: dict[str, None] = {}
        self._notes: dict[str, None] = {}
        self._rounds = 0
        self.complete = True
        self.failed_test: str | None = None

    # ---- Building ----

    def everything(self, compiler: Compiler, interpreter: Interpreter, ways: Sequence[Way]) -> None:
        sources = self._generated()
        plan = self._plan()
        for way in ways:
            folder = f"{self._folder}/{way.value}"
            os.makedirs(folder, exist_ok=True)
            self._tell(f"compiling ({way.value})")
            compilation = Compilation(compiler, interpreter, way)
            try:
                built = build(compilation, sources, self._inputs, folder)
            except CompileError as error:
                self._tell("")
                raise self._refused(error, compiler, compilation) from error
            self._run(built, interpreter, plan, folder)
        self._tell("")

    def _refused(self, error: CompileError, compiler: Compiler, compilation: Compilation) -> Exception:
        """Returns the failure after an error of the compiler, with the keys of the specs that cause it."""
        specs = [Generated(each.loaded, each.spec) for each in self._described]
        flags = [each for each in self._inputs.flags if not each.startswith("-std=c++")]
        folders = [os.path.dirname(each.file) or "." for each in self._loaded]
        found: list[Diagnostic] = []
        if not error.source.endswith(tuple(self._inputs.sources) or ("/",)):
            with contextlib.suppress(Failure):  # the library does not compile, or cannot be linked
                found = compile_errors(specs, [*compiler.command, *flags, *compilation.includes], folders)
        return Refused(found) if found else Failure(_of_compiler(error))

    def _generated(self) -> list[ModuleSources]:
        from dlpack_bindgen.emit.render import render

        folder = f"{self._folder}/generated"
        os.makedirs(folder, exist_ok=True)
        try:
            files = render([module.spec for module in self._modules])
        except (RefusedText, FormatterError, ResourceError) as error:
            raise Failure(str(error)) from error
        for each in files:
            Path(folder, each.name).write_text(each.text, encoding="utf-8")
        return [
            ModuleSources(
                module.spec.module,
                tuple(f"{folder}/{module.spec.module}_{part}.c" for part in ("dlpack", "module")),
                os.path.dirname(loaded.file),
            )
            for module, loaded in zip(self._modules, self._loaded, strict=True)
        ]

    def _freeing(self, spec: Described) -> dict[str, list[str]]:
        folder = os.path.dirname(spec.loaded.file) or "."
        flags = [each for each in self._inputs.flags if not each.startswith("-std=c++")]
        return freeing_functions(find_compiler(), spec.spec.includes, [*flags, f"-I{folder}"])

    def _plan(self) -> str:
        """Writes the plan of calls, and returns its path. Adds to the modules what the calls read there."""
        from dlpack_bindgen.tools.try_.plan import dtype_table, plan_of

        path = f"{self._folder}/plan.json"
        plans = [plan_of(module) for module in self._modules]
        for option in ("only", "skip"):
            for name in getattr(self._arguments, option):
                _check_name(name, f"--{option}", plans)
        Path(path).write_text(json.dumps({"plans": plans}), encoding="utf-8")
        for each in plans:
            with open(f"{self._folder}/generated/{each['module']}_module.c", "a", encoding="utf-8") as file:
                file.write(dtype_table(each))
        return path

    # ---- Running ----

    def _run(self, built: Build, interpreter: Interpreter, plan: str, folder: str) -> None:
        runner = Runner(built, interpreter, folder, self._arguments.keep is not None)
        for test in self._arguments.tests:
            self._tell(f"running {test}")
            self._add_test(test, runner.run_test(_test_arguments(test), [m.spec.module for m in self._modules]))
        steps = self._arguments.calls * len(self._modules)
        if not steps:
            return
        options = ["--seed", str(self._arguments.seed)]
        options += [word for name in self._arguments.only for word in ("--only", name)]
        options += ["--strings"] if self._arguments.strings else []
        suspected: list[Shown] = []
        for done, left_out in generated_rounds(runner, plan, options, steps, self._arguments.skip, self._is_known):
            self._tell(f"generated calls, process {self._rounds + 1}")
            suspected += self._add_generated(done, left_out, runner, plan)
        if not self._shown:
            self._shown += suspected

    def _is_known(self, event: Mapping[str, Any]) -> bool:
        """Returns whether a file of known limits expects a finding."""
        found = finding(self._specs, event)
        return found is not None and any(limit.matches(found) for limit in self._limits)

    def _add_test(self, test: str, done: Round) -> None:
        self._add(done)
        sure, suspected = consequences(done)
        sure = [event for event in sure if not _is_of_the_test(event)]
        found = [each for event in sure if (each := finding(self._specs, event)) is not None]
        found += [leaked(self._specs, each, done.returned, _released(done), _calls(done)) for each in done.leaks]
        if not found:
            found = [each for event in suspected if (each := finding(self._specs, event)) is not None]
        self._shown += [Shown(each, (), f"--with {shlex.quote(test)}") for each in found]
        if (done.status != 0 or done.stuck) and not found and not done.leaks:
            self.failed_test = test
            print(done.output, end="", file=sys.stderr)
            if done.stuck:
                self._notes[f"{test}: {done.stuck}"] = None

    def _add_generated(self, done: Round, left_out: Sequence[LeftOut], runner: Runner, plan: str) -> list[Shown]:
        """Adds what a process of generated calls has shown. Returns findings that can be consequences of others."""
        if not done.steps and not done.ended and not self._returned and not self._raised:
            self._tell("")
            print(done.output, end="", file=sys.stderr)
            raise Failure(
                f"the module cannot be used ({done.stuck or f'exit code {done.status}'}); the output is above"
            )
        self._add(done)
        if not done.steps and not done.ended:
            self._notes[f"generated calls ended early: {done.stuck or f'exit code {done.status}'}"] = None
        for name, (returned, raised, last) in _counted(done).items():
            self._returned[name] += returned
            self._raised[name] += raised
            if last and not (last.startswith("no value") and self._raised[name]):  # exceptions tell more
                self._reasons[name] = last
        for each in left_out:
            if each.reason != "refuted":
                self._ended[each.target] = f"{each.call}: {each.reason} ({self._again(each.target)})"
        sure, suspected = consequences(done)
        shown = [self._smallest(event, done, runner, plan) for event in sure]
        leaks = [
            leaked(self._specs, each, done.returned, _released(done), _calls(done))
            for each in done.leaks
            if each.blocks > 1 and not done.fatal
        ]
        self._shown += [each for each in shown if each is not None]
        known = {each.finding.subject.split(".")[0] for each in self._shown if each.finding.key == "release"}
        for leak in leaks:
            if leak.subject.split(".")[0] not in known:
                self._shown.append(Shown(leak, self._any_call(leak, done), self._again(leak.subject)))
        later = [self._smallest(event, done, runner, plan) for event in suspected]
        return [each for each in later if each is not None]

    def _add(self, done: Round) -> None:
        self._rounds += 1
        self._library |= dict.fromkeys(done.undefined)
        for event in done.confirmed:
            if (claim := confirmed_claim(self._specs, event)) is not None:
                self._confirmed[claim] += int(event.get("count", 0))

    # ---- The calls that show a finding ----

    def _smallest(self, event: Mapping[str, Any], done: Round, runner: Runner, plan: str) -> Shown | None:
        from dlpack_bindgen.tools.try_.calls.text import describe_all
        from dlpack_bindgen.tools.try_.smaller import smaller

        found = finding(self._specs, event)
        if found is None:
            return None
        if any(each.finding.same == found.same and each.calls for each in self._shown):
            return Shown(found, (), self._again(found.subject))
        if event["check"] in OF_ALL_CALLS:
            return Shown(found, self._any_call(found, done), self._again(found.subject))
        if event["check"] == "end-unused":  # no step shows it alone
            ends = [step for step in done.steps if step["do"] == "try-ends" and step["target"] == found.subject]
            return Shown(found, tuple(describe_all(ends[-1:])), self._again(found.subject))
        same = found.same
        until = [step for step in done.steps if found.step is None or step["n"] <= found.step]

        def fails(steps: Sequence[Mapping[str, Any]]) -> bool:
            path = f"{self._folder}/replay.json"
            Path(path).write_text(json.dumps(list(steps)), encoding="utf-8")
            again = runner.run_again([plan, "--replay", path])
            others = [finding(self._specs, each) for each in again.findings]
            return any(each is not None and each.same == same for each in others)

        self._tell(f"looking for a small call of {found.subject}")
        steps = smaller(until, fails, _MOST_REPLAYS[runner.way])
        if found.claim == "values" and not found.argument:
            found = replace(found, argument=_decisive_number(steps, fails))
        found = with_steps(self._specs, found, steps)
        return Shown(found, tuple(describe_all(steps)), self._again(found.subject))

    def _any_call(self, finding: Finding, done: Round) -> tuple[str, ...]:
        """Returns the first call of a function that returned, with the calls that make its objects."""
        from dlpack_bindgen.tools.try_.calls.text import describe_all
        from dlpack_bindgen.tools.try_.smaller import with_makers

        name = (finding.caller or finding.subject).removesuffix(".new")
        found = [at for at, step in enumerate(done.steps) if step.get("target") == name and not step.get("raised")]
        if finding.check == "unset":  # a call that gets no output: it returns a new one
            found = [at for at in found if finding.argument not in done.steps[at]["args"]] or found
        return tuple(describe_all(with_makers(done.steps[: found[0] + 1]))) if found else ()

    def _again(self, subject: str) -> str:
        name = subject.removesuffix(".new")
        return f"--seed {self._arguments.seed} --only {name.split('.')[0]}"

    # ---- The report ----

    def report(self) -> reports.Report:
        shown = [*reports.merged(self._shown), *self._never_returned()]
        known = [(limit, each) for each in shown for limit in self._limits if limit.matches(each.finding)]
        listed = [each for _, each in known]
        unseen = [limit for limit in self._limits if all(limit is not each for each, _ in known)]
        return reports.Report(
            specs=tuple(self._described),
            findings=tuple(sorted((each for each in shown if each not in listed), key=_order)),
            known=tuple(known),
            unseen=tuple(unseen) if self.complete else (),
            confirmed=dict(self._confirmed),
            targets=tuple(self._targets()),
            library=tuple(self._library),
            notes=tuple(self._notes),
            seed=self._arguments.seed,
            rounds=self._rounds,
            complete=self.complete,
        )

    def _never_returned(self) -> Iterator[Shown]:
        """Yields a notice for each target of which many calls failed, and none succeeded, in a test either. The end of
        an iteration is no failure, and the methods behind an iteration have their own notices."""
        for name, raised in sorted(self._raised.items()):
            reason = self._reasons.get(name, "")
            is_end = reason.startswith("StopIteration") or name.endswith("()")
            has_returned = self._returned[name] or self._confirmed["values", name, ""]
            if raised >= _MANY and not has_returned and not is_end:
                yield Shown(never_returned(self._specs, name, raised, reason), (), self._again(name))

    def _targets(self) -> Iterator[Target]:
        names = dict.fromkeys([*self._returned, *self._raised, *self._reasons, *self._ended])
        for name in sorted(names):
            is_called = self._returned[name] or self._confirmed["values", name, ""]  # by generated calls, or by a test
            why = "" if is_called else self._reasons.get(name, "no value that it takes was found")
            reason = self._ended.get(name, why)
            yield Target(name, self._returned[name], self._raised[name], reason)

    def _tell(self, words: str) -> None:
        """Shows on a terminal what goes on."""
        if sys.stderr is not None and sys.stderr.isatty():
            print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)


_MANY = 30
"""The number of failed calls after which a function that has never returned is a notice."""
_MOST_REPLAYS = {Way.ASAN: 12, Way.PAGES: 12, Way.MEMCHECK: 4}
"""How many processes look for a smaller sequence of calls."""
_MOST_NUMBERS = 4


def _check_name(name: str, option: str, plans: Sequence[Mapping[str, Any]]) -> None:
    """Raises a Failure if nothing has the name that an option gives: `Meter`, `Meter.watch`, or with the module."""
    known: set[str] = set()
    for plan in plans:
        own = {each[key] for each in plan["targets"] for key in ("name", "class") if each[key]}
        known |= own | {f"{plan['module']}.{each}" for each in own}
    if name.removesuffix(".*") not in known:
        meant = closest(name, known)
        hint = f"; did you mean '{meant}'?" if meant else ""
        raise Failure(f"{option} {name}: the specs have no function and no class of this name{hint}")


def _released(done: Round) -> set[str]:
    """Returns the classes of which `release` has freed objects."""
    return {str(each.get("subject")) for each in done.confirmed if each["check"] == "released"}


def _calls(done: Round) -> dict[str, tuple[int, int]]:
    """Returns how often each wrapper returned, and how often it failed."""
    counts = [each for each in done.confirmed if each["check"] == "calls"]
    return {str(each.get("subject")): (int(each.get("count") or 0), int(each.get("failed") or 0)) for each in counts}


def _is_of_the_test(event: Mapping[str, Any]) -> bool:
    """Returns whether a test has ended its process itself: no function of a module ran, and none of the library."""
    return event["check"] == "signal" and not event.get("in") and not event.get("symbol")


def _counted(done: Round) -> dict[str, tuple[int, int, str]]:
    """Returns how often each target returned and raised, with its last exception, or why it is never called."""
    found: dict[str, tuple[int, int, str]] = {}
    summary = done.targets.get("targets", {})
    if isinstance(summary, Mapping) and summary:
        for name, each in summary.items():
            reason = _remedied(str(each["reason"])) if each.get("reason") else str(each.get("last") or "")
            found[str(name)] = (int(each.get("returned", 0)), int(each.get("raised", 0)), reason)
        return found
    for step in done.steps:
        name = step.get("target")
        if name and "raised" in step:
            returned, raised, last = found.get(name, (0, 0, ""))
            found[name] = (returned + (not step["raised"]), raised + bool(step["raised"]), step["raised"] or last)
    return found


def _remedied(reason: str) -> str:
    """Returns why generated calls leave a target out, with the option that helps: `'path' is a path or a file`."""
    words = reason.replace("'", "`")
    return f"{words}: call it in a test (--with)" if words.startswith("`") and not words.endswith(")") else words


def _decisive_number(steps: Sequence[Mapping[str, Any]], fails: Callable[[Sequence[Mapping[str, Any]]], bool]) -> str:
    """Returns the only number of the last call whose value decides whether it fails, or an empty string."""
    last = steps[-1] if steps else {}
    arguments = last.get("args", {})
    numbers = [name for name, value in arguments.items() if type(value) is int]
    found = []
    for name in numbers if 1 < len(numbers) <= _MOST_NUMBERS else ():
        other = {**last, "args": {**arguments, name: 0 if arguments[name] == 1 else 1}}
        if not fails([*steps[:-1], other]):
            found.append(name)
    return found[0] if len(found) == 1 else ""


def _order(shown: Shown) -> tuple[object, ...]:
    finding = shown.finding
    place = finding.place
    where = (place.file, place.line, place.column) if place is not None else ("", 0, 0)
    return (finding.state != "refuted", place is None, where, finding.check)


def _test_arguments(test: str) -> list[str]:
    """Returns the arguments of user_test.py. Paths become absolute: the test runs in an empty folder."""
    words = shlex.split(test)
    if not words:
        raise Failure("--with needs a script, or pytest with its arguments")
    if words[0] != "pytest" and not os.path.isfile(words[0]):
        raise Failure(f"--with: there is no file {words[0]}")
    return [_absolute(word) for word in words]


def _absolute(word: str) -> str:
    path, colons, rest = word.partition("::")
    return f"{os.path.abspath(path)}{colons}{rest}" if path != "pytest" and os.path.exists(path) else word


def _of_compiler(error: CompileError) -> str:
    first = next((line for line in str(error).splitlines() if "error" in line), str(error).strip())
    print(str(error), end="", file=sys.stderr)
    return f"the C compiler refused {os.path.basename(error.source)}: {first}"
