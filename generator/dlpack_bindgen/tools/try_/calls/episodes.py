"""Episodes: the order of calls, and what happens between them."""

from __future__ import annotations

import argparse
import gc
import hashlib
import random
from typing import TYPE_CHECKING

from .choices import (
    NUMBERS,
    OTHER_SIZES,
    OTHERS,
    SIZES,
    Cannot,
    Choices,
    Sizes,
    Target,
    arbitrary_extents,
    required_reason,
)
from .steps import variables_of, with_ends
from .values import Values

if TYPE_CHECKING:
    from typing import Any

    from . import Class, Form, Json, Made, Outcome
    from .steps import Log, Runner

_MOST_OBJECTS = 6
"""The number of objects of each class that an episode keeps."""
_FIRST = ("function", "method", "class method", "new", "import", "allocate", "special", "setter", "iteration", "with")
"""The kinds of targets in the order of their episodes. Others come last."""
_LEARNED = 6
"""The number of forms that are kept for each target, of each kind."""
_TRIED = 6
"""The number of calls with distinct extents after which a target gets fewer if they fail more often than others."""
_LEAST_SCORE = -3
_ENOUGH = 30
"""The number of calls after which a target has fewer episodes."""
_LONG = 5000
"""The number of steps after which the second half of a run is for targets that have seldom returned."""
_OF_ITEMS = ("__iter__", "__next__", "__getitem__", "__setitem__", "__delitem__", "__contains__")
"""The methods that use the items of an object. `_fill` adds some before."""
_DEEPEST = 4
"""The number of calls inside each other that make an object."""
_MOST_WITHOUT_STEP = 200
"""The number of calls without a step, because objects are missing, after which an episode makes no more objects."""
_ENOUGH_ENDS = 10
"""The number of calls on which the last element of an argument had no effect, after which this is a notice."""


class Session:
    """A run: the targets of all plans, and the objects of the present episode."""

    def __init__(self, plans: list[Json], runner: Runner, log: Log, options: argparse.Namespace) -> None:
        self.plans, self.runner, self.options = plans, runner, options
        self.log = log
        self.strings = options.strings
        self.targets = [Target(plan, own) for plan in plans for own in plan["targets"]]
        self.classes = {(plan["module"], name): own for plan in plans for name, own in plan["classes"].items()}
        self.pool: dict[Class, list[str]] = {}
        self.shapes: dict[str, list[int]] = {}
        self.numbers: dict[str, dict[str, int]] = {}
        """The numbers with which objects were made, by their parameters: expressions of the spec use them."""
        self.distinct: set[str] = set()
        """The objects that calls with distinct extents have made."""
        for target in self.targets:
            target.reason = required_reason(target, self.strings) or self._absent(target)
        self._makers: dict[Class, list[Target]] = {}
        self._makeable = self._classes_that_can_be_made()
        self.steps = 0
        self.at = 0
        """The number of the episode in the order of all."""
        self.learned: dict[str, dict[str, Learned]] = {}

    def _absent(self, target: Target) -> str | None:
        """Returns the reason if the preprocessor has left the target out."""
        module = self.runner.modules[target.module]
        owner = module if target.of is None else getattr(module, target.of[1], None)
        is_named = target.kind in ("function", "method", "class method", "getter", "import", "allocate")
        if owner is None or (is_named and not hasattr(owner, target.python)):
            return "the module lacks it"
        return None

    def is_skipped(self, target: Target) -> bool:
        """Returns whether the target is left out. The name of a class is that of its constructor."""
        return any(
            target.is_named(name) or (name.endswith(".*") and target.matches(name)) for name in self.options.skip
        )

    def resolve(self, module: str, name: str) -> Class | None:
        """Returns the class that a name in a plan stands for. A class of another module is found there."""
        own = self.classes.get((module, name), {})
        other = own.get("external")
        if other is not None:
            found = (other["module"].lstrip("."), other["name"])
            return found if found in self.classes else None
        return (module, name)

    def _classes_that_can_be_made(self) -> set[Class]:
        """Returns the classes of which a call makes an object, without those whose makers are all left out, or need
        objects that cannot be made."""
        found: set[Class] = set()
        rest = [each for each in self.targets if each.reason is None and not self.is_skipped(each)]
        count = -1
        while len(found) != count:
            count = len(found)
            for target in rest:
                if self._lacks(target, found) is None:
                    names = [name for name in target.own["returns"] if name is not None]
                    found |= {of for name in names if (of := self.resolve(target.module, name)) is not None}
        return found

    def _lacks(self, target: Target, makeable: set[Class]) -> str | None:
        """Returns a class of which a call needs an object, and that is not in `makeable`."""
        needed = [target.of] if target.needs_object and target.of is not None else []
        for param in target.params:
            is_needed = param["is"] == "object" or (param["is"] == "objects" and param.get("length"))
            others = ("missing", "none", "array", "numbers", "members")
            if is_needed and not any(param.get(each) for each in others):
                of = self.resolve(target.module, param["of"])
                if of is None:
                    return str(param["of"])
                needed.append(of)
        return next((of[1] for of in needed if of not in makeable), None)

    def is_makeable(self, of: Class) -> bool:
        return of in self._makeable

    def makers(self, of: Class) -> list[Target]:
        """Returns the targets that return objects of a class. Those that need no object of the class come first."""
        if of not in self._makers:
            found = [each for each in self.targets if each.reason is None and self._makes(each, of)]
            found.sort(key=lambda each: (each.needs_object and each.of == of, each.needs_object))
            self._makers[of] = found
        return self._makers[of]

    def _makes(self, target: Target, of: Class) -> bool:
        return any(name is not None and self.resolve(target.module, name) == of for name in target.own["returns"])

    def tensors(self) -> list[str]:
        """Returns the variables with objects that are arrays."""
        return [
            name
            for (other, of), names in self.pool.items()
            if self.classes.get((other, of), {}).get("tensor")
            for name in names
        ]

    def step(self, /, **values: Any) -> Outcome:
        """Runs a step. Returns its exception, or None, and the variables that it has made."""
        self.steps += 1
        return self.runner.run({"event": "step", "n": self.steps, **values})

    # ---- The order of episodes ----

    def run(self) -> None:
        owners = [each for each in self.targets if each.reason is None]
        for target in owners:  # all have a number, so that it is the same when others are left out
            lacked = self._lacks(target, self._makeable)
            target.last = self._unmakeable(lacked) if lacked is not None else None
            target.is_possible = lacked is None
        owners.sort(key=lambda each: _FIRST.index(each.kind) if each.kind in _FIRST else len(_FIRST))
        number = idle = 0
        while owners and self.steps < self.options.steps and idle < 6:
            before = self.steps
            for target in owners:
                self.at += 1
                if self.steps < self.options.steps and self._is_due(target, number):
                    Episode(self, target, number).run()
            idle = idle + 1 if self.steps == before and self.at > self.options.at else 0
            number += 1
        self.end()

    def _unmakeable(self, name: str) -> str:
        """Returns the reason why targets are not called that need an object of a class."""
        found = [f"{each.name}()" for each in self.targets if self.is_skipped(each) and name in each.own["returns"]]
        if not found:
            return f"no value: no {name} can be made"
        are = "is" if len(found) == 1 else "are"
        return f"no value: {' and '.join(found)} {are} left out, and nothing else makes a {name}"

    def _is_due(self, target: Target, number: int) -> bool:
        """Returns whether a round has an episode of the target. Simple targets, and those that returned often, have
        fewer."""
        only = self.options.only
        if not target.is_possible:
            return False
        if self.at <= self.options.at or self.is_skipped(target) or (only and not any(map(target.matches, only))):
            return False
        is_simple = target.kind in ("close", "with", "getter") and not any(target.own["returns"])
        is_simple = is_simple or target.kind in ("pickle", "to")
        of_runtime = target.of is not None and self.classes[target.of].get("plain", False)
        is_rare = (number % 2 and is_simple) or (number % 4 and of_runtime)
        if self.steps > max(_LONG, self.options.steps // 2):
            return target.own_returned < _ENOUGH or number % 8 == 0
        return not is_rare and not (number % 3 and target.own_returned >= _ENOUGH)

    def end(self) -> None:
        """Drops all objects, and writes the last events."""
        self.pool.clear()
        self.runner.variables.clear()
        gc.collect()
        gc.collect()
        for target in self.targets:
            for name in [param["name"] for param in target.params]:
                calls = self.runner.ends.get((target.module, target.name, name), 0)
                if calls >= _ENOUGH_ENDS:
                    function = target.own["function"]
                    own = {"check": "end-unused", "function": function, "argument": name, "calls": calls}
                    self.log.write({"event": "finding", "count": 1, **own})
        self.log.write({"event": "end"})
        counts = {}
        for target in self.targets:
            own = {"module": target.module, "returned": target.returned, "raised": target.raised}
            if target.reason is not None:
                own["reason"] = target.reason
            if target.last is not None or target.reason is not None:
                own["last"] = target.last or target.reason
            counts[target.name if len(self.plans) == 1 else f"{target.module}.{target.name}"] = own
        self.log.write({"event": "targets", "targets": counts})


def stable(*parts: object) -> random.Random:
    """Returns a generator of random numbers that depends on its arguments alone."""
    digest = hashlib.sha256(":".join(map(str, parts)).encode()).digest()
    return random.Random(int.from_bytes(digest[:8], "big"))


class Known:
    """The form of a call that returned."""

    def __init__(self, target: Target, form: dict[str, Form]) -> None:
        self.form = form
        self.score = 0
        """How many more calls with it returned than failed."""
        self.arbitrary = arbitrary_extents(target, form)


class Learned:
    """The arguments that a function has accepted, and how often its calls returned. Each target has records of its own
    of all functions that its episodes call, so that they do not depend on the episodes of others."""

    def __init__(self) -> None:
        self.forms: dict[bool, list[Known]] = {False: [], True: []}
        """The forms of calls that returned: with the common number alone, and with distinct extents."""
        self.returned = {False: 0, True: 0}
        self.called = {False: 0, True: 0}

    def share(self, is_distinct: bool) -> float:
        """Returns the share of the calls that returned."""
        return (self.returned[is_distinct] + 1) / (self.called[is_distinct] + 1)

    def wish(self) -> float:
        """Returns how often calls should have distinct extents: half of them, unless the target does not accept
        them."""
        if self.called[True] < _TRIED:
            return 0.5
        if not self.returned[True]:
            return 0.03
        return min(0.5, max(0.1, 0.5 * self.share(True) / self.share(False)))


class Episode:
    """An episode of one target."""

    def __init__(self, session: Session, target: Target, number: int) -> None:
        self.session, self.target, self.number = session, target, number
        key = f"{target.module}.{target.name}"
        self.chance = stable(session.options.seed, key, number)
        self.choices = Choices(self.chance, session)
        self.learned = session.learned.setdefault(key, {})
        size = self.chance.choice(SIZES)
        self.sizes = Sizes([size, *self.chance.sample([each for each in OTHERS if each != size], 4)])
        self.is_distinct = False
        """Whether the extents of arrays are distinct numbers in the present calls."""
        self.exports: list[str] = []
        self.names: dict[str, Class] = {}
        self.closed: set[str] = set()
        self.filled: set[str] = set()
        """The objects of which methods were called that may add items."""
        self.busy: list[str] = []
        """The objects that the present call or pattern uses."""
        self.depth = 0
        self.steps = 0
        self.calls_without_step = 0
        """The calls since the last step."""
        self.own_calls = 0
        """The calls of the target itself."""

    # ---- Patterns ----

    def run(self) -> None:
        index = int(hashlib.sha256(self.target.name.encode()).hexdigest()[:4], 16)
        pattern = (self._random, self._lone, self._repeated)[(self.number + index) % 3]
        try:
            pattern()
        except Cannot as reason:
            if self.target.last is None:
                self.target.last = f"no value: {reason}"
        self._drop_all()

    def _choose_extents(self) -> None:
        """Decides whether the next calls have distinct extents."""
        self.is_distinct = self.chance.random() < self._learned(self.target).wish()
        self.sizes = Sizes(self.sizes.numbers, self.is_distinct)

    def _use_common_number(self) -> None:
        self.is_distinct = False
        self.sizes = Sizes(self.sizes.numbers)

    def _random(self) -> None:
        """Calls the target several times, with other calls between."""
        for turn in range(5):
            if turn and self.chance.random() < 0.35:
                self._other()
            if self.chance.random() < 0.3:
                self._export()
            self._choose_extents()
            raised, _ = self.call(self.target)
            if raised is None:
                self._try_ends()
            if self.target.kind in ("getter", "close", "with") and turn >= 1:
                break
        if self.chance.random() < 0.25:
            self._close()

    def _try_ends(self) -> None:
        """Repeats the last call with other last elements of its arrays, unless all of them are known to have an
        effect. Only functions are repeated whose arguments are arrays and numbers: C may change an object."""
        step, ends = self.last_call, self.session.runner.ends
        if self.target.kind != "function" or step is None or variables_of(step):
            return
        kept = [param["name"] for param in self.target.params if param.get("array", {}).get("kept")]
        step = {**step, "kept": kept}
        tried = [(self.target.module, self.target.name, name) for name in with_ends(step)]
        if any(0 <= ends.get(key, 0) < 2 * _ENOUGH_ENDS for key in tried):
            self.session.options.steps += 1  # it takes no place of other steps
            self._step(do="try-ends", **step)

    def _repeated(self) -> None:
        """Makes one call several times, while its object and the results have exports."""
        self._choose_extents()
        own, is_alive = self._receiver(self.target), self.chance.random() < 0.8
        if self.target.needs_object and own is None:
            return
        self.busy += [own] if own is not None else []
        place, fixed = self._exported_argument() if is_alive and self.chance.random() < 0.6 else (None, None)
        if own is not None and is_alive and fixed is None:
            self._export(own)
            self._export_part(own)
        if is_alive and not self.exports and self._has_objects(self.target):
            self._export_other()
        for turn in range(2 if self.target.kind in ("close", "with") else 4 if self.target.kind == "getter" else 8):
            raised, made = self.call(self.target, own, likely=0.9, fixed=fixed, place=place)
            if raised is not None and turn < 3 and own not in self.closed:
                self._use_common_number()
                own = self._receiver(self.target)
                self.busy += [own] if own is not None else []
            if raised is None and turn in (1, 4):
                self._try_ends()
            if raised is None and is_alive and self.chance.random() < 0.5:
                for name, _ in made[:1]:
                    self._export(name)
            if own in self.closed:
                break
        if fixed is not None and fixed in self.names and fixed not in self.closed:
            self.session.pool[self.names[fixed]].append(fixed)
        for export in self.exports[:2]:
            self._step(do="read", of=export)
        if self.exports and self.chance.random() < (0.4 if fixed is None else 0.8):
            self._drop([name for names in self.session.pool.values() for name in names])
            for export in self.exports[:2]:
                self._step(do="read", of=export)

    def _lone(self) -> None:
        """Calls the target, drops all objects but one, collects, and uses this one in every way."""
        self._choose_extents()
        for _ in range(4):
            own = self._receiver(self.target)
            if self.target.needs_object and own is None:
                return
            raised, made = self.call(self.target, own, likely=0.85)
            if raised is None:
                break
            self._use_common_number()
        else:
            return
        used = [name for name in self.last_used if name not in self.closed]
        made_names: list[str] = [name for name, _ in made]
        # A new object that needs others shows more often what the spec has left out than the object of the method.
        first = made_names if self.chance.random() < 0.6 else []
        candidates = list(dict.fromkeys([*first, *([own] if own else []), *made_names, *used]))
        candidates = [name for name in candidates if name in self.names and name not in self.closed]
        if not candidates:
            return
        survivor = candidates[0] if self.chance.random() < 0.6 else self.chance.choice(candidates)
        if self.chance.random() < 0.5:
            self._drop_exports()
        self._drop([name for names in self.session.pool.values() for name in names if name != survivor])
        self._step(do="collect")
        self._use(survivor)

    def _use(self, own: str) -> None:
        """Uses an object in every way."""
        session, of = self.session, self.names[own]
        self.busy.append(own)
        members = [each for each in session.targets if each.of == of and each.needs_object and each.reason is None]
        members = [each for each in members if each.kind not in ("close", "with") and not each.own.get("takes_self")]
        takers = [
            each
            for each in session.targets
            if each.kind == "function" and each.reason is None and self._takes(each, of)
        ]
        chosen = self.chance.sample(members, min(len(members), 7)) + self.chance.sample(takers, min(len(takers), 2))
        if session.classes[of].get("tensor"):
            self._export(own)
            if self.chance.random() < 0.3:
                self._step(do="attributes", of=own)
        for each in chosen:
            if own in self.closed or own not in self.names:
                break
            if each.needs_object:
                self.call(each, own)
            else:
                self.call(each, None, fixed=own)

    def _takes(self, target: Target, of: Class) -> bool:
        return any(
            param["is"] == "object" and self.session.resolve(target.module, param["of"]) == of
            for param in target.params
        )

    def _other(self) -> None:
        """Calls another target that has to do with the objects of the episode."""
        related = [each for each in self.session.targets if each.reason is None and self._is_related(each)]
        if related:
            self.call(self.chance.choice(related))

    def _is_related(self, target: Target) -> bool:
        if target is self.target or target.kind in ("close", "with"):
            return False
        pool = self.session.pool
        return any(pool.get(of) and (target.of == of or self._takes(target, of)) for of in pool)

    def _close(self) -> None:
        """Closes an object, and uses it afterwards, which must raise an exception."""
        names = [name for name in self.names if name not in self.closed]
        if not names:
            return
        own = self.chance.choice(names)
        of = self.names[own]
        closing = [each for each in self.session.targets if each.of == of and each.kind == "close"]
        if not closing or self.session.is_skipped(closing[0]):
            return
        self.call(closing[0], own)
        if self.target.of == of and self.target.needs_object:
            self.call(self.target, own)
        if self.session.classes[of].get("tensor"):
            self._step(do="export", of=own, way="dlpack", result=f"e{self.steps + 1}")

    # ---- Steps ----

    def _step(self, /, **values: Any) -> Outcome:
        self.steps += 1
        self.calls_without_step = 0
        return self.session.step(episode=f"{self.target.name}#{self.number}", at=self.session.at - 1, **values)

    def _export(self, own: str | None = None) -> None:
        names = [own] if own is not None else self.session.tensors()
        names = [name for name in names if name in self.names and self.session.classes[self.names[name]].get("tensor")]
        if not names:
            return
        result = f"e{self.steps + 1}"
        way = self.chance.choices(("dlpack", "buffer", "legacy"), (55, 35, 10))[0]
        raised, _ = self._step(do="export", of=self.chance.choice(names), way=way, result=result)
        if raised is None:
            self.exports.append(result)
        if len(self.exports) > 4:
            self._step(do="drop", names=[self.exports.pop(self.chance.randrange(len(self.exports)))])

    def _export_part(self, own: str) -> None:
        """Exports an object that a method of another one returns, such as a part of it."""
        session, of = self.session, self.names.get(own)
        found = [
            each for each in session.targets if each.of == of and each.reason is None and self._returns_array(each)
        ]
        found = [each for each in found if each.needs_object and each is not self.target]
        if not found:
            return
        made: Made = []
        for _ in range(3):
            made = made or self.call(self.chance.choice(found), own, likely=0.9)[1]
        for name, _ in made[:1]:
            self.busy.append(name)
            self._export(name)

    def _exported_argument(self) -> tuple[str | None, str | None]:
        """Makes an object with an export for one argument of a function that gets several objects, and invalidates one
        of them. While that one has an export, each call raises an exception, and C never gets the others. Returns
        the names of the parameter and of the object; None and None for other functions."""
        target, session = self.target, self.session
        objects = [param for param in target.params if param["is"] == "object"]
        is_invalidating = [bool(param.get("invalidates")) for param in objects]
        is_invalidating += [bool(target.own.get("invalidates_self"))] if target.needs_object else []
        if len(is_invalidating) < 2 or not any(is_invalidating):
            return None, None
        param = self.chance.choice([each for each in objects if not each.get("invalidates")] or objects)
        of = session.resolve(target.module, param["of"])
        if of is None or not session.classes[of].get("tensor"):
            return None, None
        name = self.object(of, is_new=True)
        if name is None:
            return None, None
        self.busy.append(name)
        self._export(name)
        if name in session.pool.get(of, ()):
            session.pool[of].remove(name)
        return param["name"], name

    def _has_objects(self, target: Target) -> bool:
        return target.needs_object or any(param["is"] in ("object", "objects") for param in target.params)

    def _export_other(self) -> None:
        """Exports an array that has nothing to do with the call: the call must leave its memory alone, too."""
        session = self.session
        found = [of for of, own in session.classes.items() if own.get("tensor") and session.is_makeable(of)]
        found = [of for of in found if any(each.is_simple_maker for each in session.makers(of))]
        name = self.object(self.chance.choice(found)) if found else None
        if name is not None:
            self.busy.append(name)
            self._export(name)

    def _returns_array(self, target: Target) -> bool:
        """Returns whether a call returns an object that is an array of the library."""
        session = self.session
        found = [session.resolve(target.module, name) for name in target.own["returns"] if name is not None]
        return any(of in session.classes and session.classes[of].get("tensor", False) for of in found if of is not None)

    def _drop(self, names: list[str]) -> None:
        names = [name for name in names if name in self.names]
        if names:
            self._step(do="drop", names=names)
        for name in names:
            self._forget(name)

    def _forget(self, name: str) -> None:
        of = self.names.pop(name, None)
        if of is not None and name in self.session.pool.get(of, ()):
            self.session.pool[of].remove(name)

    def _drop_exports(self) -> None:
        if self.exports:
            self._step(do="drop", names=self.exports)
            self.exports = []

    def _drop_all(self) -> None:
        names = [*self.names, *self.exports]
        self.chance.shuffle(names)
        if names:
            self._step(do="drop", names=names)
        self.session.runner.variables.clear()
        self.session.pool.clear()
        self.session.shapes.clear()
        self.session.numbers.clear()
        self.session.distinct.clear()
        if self.chance.random() < 0.3 and self.steps:
            self._step(do="collect")

    def _keep(self, made: Made) -> None:
        """Adds new objects. Drops others if there are many."""
        for name, of in made:
            self.names[name] = of
            self.session.distinct |= {name} if self.is_distinct else set()
            self.session.pool.setdefault(of, []).append(name)
        fresh = [name for name, _ in made]
        for of in dict.fromkeys(of for _, of in made):
            idle = [each for each in self.session.pool[of] if each not in self.busy and each not in fresh]
            if len(self.session.pool[of]) > _MOST_OBJECTS and idle:
                self._drop([self.chance.choice(idle)])

    # ---- Objects ----

    def _receiver(self, target: Target) -> str | None:
        """Returns an object for a method, or None if there is none. A container for a target that uses its items has
        often got some."""
        own = self.object(target.of) if target.of is not None else None
        uses_items = target.kind == "iteration" or (target.kind == "special" and target.python in _OF_ITEMS)
        if own is not None and uses_items and own not in self.filled:
            self._fill(own)
        return own

    def _fill(self, own: str) -> None:
        """Calls methods of an object that have arguments, such as `append`: they may add items."""
        self.filled.add(own)
        of = self.names.get(own)
        methods = [each for each in self.session.targets if each.of == of and each.kind == "method" and each.params]
        methods = [each for each in methods if each.reason is None and not each.own.get("takes_self")]
        if not methods or self.depth >= _DEEPEST or self.chance.random() < 0.15:
            return
        self.busy.append(own)
        self.depth += 1
        method = self.chance.choice(methods)
        for _ in range(self.chance.randrange(2, 6)):
            self.call(method, own, likely=0.9)
        self.depth -= 1
        self.busy.remove(own)

    def object(self, of: Class, is_new: bool = False, sizes: Sizes | None = None) -> str | None:
        """Returns a variable with an object of a class, or None. Objects whose extents fit `sizes` are preferred."""
        known: list[str] = [name for name in self.session.pool.get(of, ()) if name not in self.closed]
        sizes = sizes or self.sizes
        fitting = [name for name in known if self._fits(name, sizes)]
        draw = self.chance.random()
        if fitting and not is_new and draw < 0.75:
            return self.chance.choice(fitting)
        if known and not is_new and (draw < 0.15 or draw > 0.95):
            return self.chance.choice(known)
        made = self.made(of, sizes)
        return self.chance.choice(known) if made is None and known else made

    def _fits(self, name: str, sizes: Sizes) -> bool:
        """Returns whether calls with these numbers make such an object, as far as its shape is known."""
        shape = self.session.shapes.get(name)
        return (name in self.session.distinct) == sizes.is_distinct and (shape is None or sizes.fit(shape))

    def made(self, of: Class, sizes: Sizes) -> str | None:
        """Makes an object of a class by any target that returns one. Returns its variable, or None."""
        makers = self.session.makers(of)
        if not self.session.is_makeable(of) or self.depth >= _DEEPEST or self.calls_without_step > _MOST_WITHOUT_STEP:
            return None
        self.depth += 1
        try:
            for maker in self._makers_in_order(makers, of):
                for _ in range(3 if maker.is_simple_maker else 1):
                    if maker is self.target and self.chance.random() < 0.2:
                        break
                    made = [name for name, kind in self.call(maker, likely=0.9, sizes=sizes)[1] if kind == of]
                    if made:
                        return made[0]
            return None
        finally:
            self.depth -= 1

    def _makers_in_order(self, makers: list[Target], of: Class) -> list[Target]:
        """Returns some makers. Those that have succeeded, and those that need no other objects, often come first."""
        order = self.chance.sample(makers, len(makers))
        if self.depth > 1 or self.chance.random() < 0.7:
            order.sort(key=lambda each: not each.is_simple_maker)
        if self.chance.random() < 0.6:
            order.sort(key=lambda each: not any(self._learned(each).forms.values()))
        # A method of the class needs an object of the class.
        has_one = bool(self.session.pool.get(of))
        order.sort(key=lambda each: each.needs_object and each.of == of and not has_one)
        return order[:4]

    # ---- Calls ----

    def _key(self, target: Target) -> str:
        return f"{target.module}.{target.name}"

    last_call: Json | None = None
    """The step of the last call if it returned."""
    last_form: Known | None = None
    """The form from which that of the present call was made, if it is the same but for numbers."""
    last_used: tuple[str, ...] = ()
    """The variables that the last call has used as arguments."""

    def call(
        self,
        target: Target,
        own: str | None = None,
        likely: float = 0.6,
        fixed: str | None = None,
        place: str | None = None,
        sizes: Sizes | None = None,
    ) -> Outcome:
        """Calls a target. Returns its exception and the variables that it has made. `likely`: how often arguments of
        earlier successes are used; `fixed`: an object that one argument must be: that of the parameter `place`, or any;
        `sizes`: the numbers of arguments."""
        session = self.session
        self.last_used = ()
        if target.reason is not None:
            return "no call", []
        before = len(self.busy)
        self.calls_without_step += 1
        try:
            form = self._with_each_number(target, self._form(target, likely))
            last = self.last_form
            if sizes is None:
                is_usual = self.chance.random() < 0.75
                sizes = self.sizes if is_usual else self.sizes.with_common(self.chance.choice(OTHER_SIZES))
            if target.needs_object and own is None:
                own = self._receiver(target)
                if own is None:
                    raise Cannot(f"no {(target.of or (0, target.name))[1]} can be made")
            self.busy += [own] if own is not None else []
            values = Values(self, target, sizes, session.numbers.get(own or "", {})).all(form, fixed, place)
        except Cannot as reason:
            if target.last is None:
                target.last = f"no value: {reason}"
            return "no value", []
        finally:
            del self.busy[before:]
        if session.is_skipped(target):
            return "skipped", []
        return self._called(target, own, form, values, last)

    def _form(self, target: Target, likely: float) -> dict[str, Form]:
        known = self._learned(target).forms
        draw, forms = self.chance.random(), known[self.is_distinct]
        self.choices.begin(self.is_distinct)
        others = known[not self.is_distinct]
        self.last_form = None
        if not forms and others and draw < likely:
            return self.choices.with_other_numbers(self._chosen(others).form)
        if forms and draw < likely and self._is_good(last := self._chosen(forms)):
            self.last_form = last
            return self._with_other_numbers(target, last.form, 0.15 if likely > 0.8 else 0.35)
        if forms and draw < likely + 0.2 and target.params:
            form, param = dict(self._chosen(forms).form), self.chance.choice(target.params)
            form[param["name"]] = self.choices.argument(target, param)
            return form
        return self.choices.call(target, self.is_distinct)

    def _is_good(self, known: Known) -> bool:
        """Returns whether a form is used again: all objects would have an extent of 1 if the first one had it."""
        return not known.arbitrary or self.chance.random() < 0.4

    def _chosen(self, forms: list[Known]) -> Known:
        """Returns a form. Those that seldom failed come more often, and those with arbitrary extents less often."""
        return max(self.chance.choices(forms, k=2), key=lambda each: min(each.score, 3) - 2 * each.arbitrary)

    def _with_other_numbers(self, target: Target, form: dict[str, Form], often: float) -> dict[str, Form]:
        """Returns a form in which some numbers differ. Failures depend more on sizes than on numbers."""
        found = dict(form)
        for param in target.params:
            is_number = param["is"] in ("int", "float", "bool", "enum")
            if is_number and found.get(param["name"]) is not None and self.chance.random() < often:
                found[param["name"]] = self.choices.argument(target, param)
        return found

    def _with_each_number(self, target: Target, form: dict[str, Form]) -> dict[str, Form]:
        """Returns a form in which an integer has the next of all small numbers, if it is time for it: the second and
        the fourth call of each episode try one, so that none of them is left to chance."""
        if target is not self.target or self.depth > 0:
            return form
        self.own_calls += 1
        integers = [param["name"] for param in target.params if param["is"] == "int"]
        if not integers or self.own_calls not in (2, 4):
            return form
        of, at = self.number % len(integers), 2 * (self.number // len(integers)) + (self.own_calls == 4)
        self.last_form = None
        return {**form, integers[of]: {"is": "int", "value": ["c", NUMBERS[at % len(NUMBERS)]]}}

    def _called(
        self, target: Target, own: str | None, form: dict[str, Form], values: Json, last: Known | None
    ) -> Outcome:
        session = self.session
        arguments, by_name, positional = {}, [], True
        for param in target.params:
            name = param["name"]
            if name not in values:
                positional = positional and bool(param.get("keyword"))
                continue
            if param.get("keyword") or (not positional and not param.get("positional")):
                by_name.append(name)
            elif not positional:
                continue
            arguments[name] = values[name]
        step = {"module": target.module, "target": target.name, "kind": target.kind, "python": target.python}
        if target.of is not None:
            step["class"] = target.of[1]
        if own is not None:
            step["self"] = own
        if any(target.own["returns"]):
            step["result"] = f"{self._letter(target)}{self.steps + 1}"
        raised, made = self._step(do="call", **step, args=arguments, by_name=by_name)
        known = self._learned(target)
        known.called[self.is_distinct] += 1
        known.returned[self.is_distinct] += raised is None
        self._learn(target, form, last, raised is None)
        self.last_call = {**step, "args": arguments, "by_name": by_name} if raised is None else None
        self.last_used = tuple(each["var"] for each in arguments.values() if isinstance(each, dict) and "var" in each)
        if raised is None:
            target.returned += 1
            target.own_returned += target is self.target
            self._taken(target, own, arguments)
        else:
            target.raised += 1
            target.last = raised
        self._keep(made)
        numbers = {name: each for name, each in arguments.items() if type(each) is int}
        session.numbers.update({name: numbers for name, _ in made})
        shape = self._shape_of(target, values)
        if shape is not None:
            session.shapes.update({name: shape for name, _ in made[:1]})
        return raised, made

    def _shape_of(self, target: Target, values: Json) -> list[int] | None:
        """Returns the shape of a new object, if its maker gives it."""
        value = {"allocate": values.get("shape"), "import": values.get("x")}.get(target.kind)
        if not isinstance(value, dict):
            return None
        shape: list[int] | None = value.get("tuple") or value.get("array", {}).get("shape")
        return shape if "var" not in value else self.session.shapes.get(value["var"])

    def _letter(self, target: Target) -> str:
        returns = [each for each in target.own["returns"] if each is not None]
        letter = returns[0].lower()[:1] if len(returns) == 1 else "r"
        return letter if letter.isalpha() and letter != "e" else "o"

    def _learned(self, target: Target) -> Learned:
        return self.learned.setdefault(self._key(target), Learned())

    def _learn(self, target: Target, form: dict[str, Form], last: Known | None, has_returned: bool) -> None:
        """Adds a form that was accepted. Forgets one that was accepted by chance, such as for arrays of one element."""
        known = self._learned(target).forms[self.is_distinct]
        if last is not None:
            last.score += 1 if has_returned else -1
            if last.score < _LEAST_SCORE and last in known:
                known.remove(last)
        if has_returned and all(each.form != form for each in known):
            if len(known) >= _LEARNED:
                known.pop(self.chance.randrange(len(known)))
            known.append(Known(target, form))

    def _taken(self, target: Target, own: str | None, arguments: Json) -> None:
        """Marks the objects that a call has closed."""
        if own is not None and (target.kind in ("close", "with") or target.own.get("takes_self")):
            self._mark_closed(own)
        for param in target.params:
            value = arguments.get(param["name"])
            if param.get("takes") and isinstance(value, dict) and "var" in value:
                self._mark_closed(value["var"])

    def _mark_closed(self, name: str) -> None:
        self.closed.add(name)
        of = self.names.get(name)
        if of is not None and name in self.session.pool.get(of, ()):
            self.session.pool[of].remove(name)
