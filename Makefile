# `make demo` and `make test` set up everything they need in .venv; nothing is installed elsewhere.

PYTHON ?= python3
CC ?= cc
CFLAGS ?= -O2 -g
VENV ?= .venv

BINDGEN = $(VENV)/bin/python -m dlpack_bindgen
SPECS = $(sort $(filter-out %.limits.yaml,$(wildcard specs/*.yaml)))

.PHONY: help demo test test-abi3 test-gpu interop interop-newest newest-numpy-jax builds release generate check-generated lint bench bench-instructions \
        bench-docs bench-generator trials mutants coverage starve fuzz race race-gil pythons same same-templates house init-report try-specs try-seeded reliability \
        clean tools
.NOTPARALLEL:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

help:
	@echo 'make demo             generate, compile and run the example: one photograph, shared by C and NumPy'
	@echo 'make test             run the tests'
	@echo 'make trials           run `try` over all small libraries with a wrong and a right spec; TRIALS="kite fence" runs some'
	@echo 'make interop          run those with JAX, PyTorch and others (Python 3.11 or newer; installs 6 GB)'
	@echo 'make interop-newest   run those with the newest versions (NEWEST_PYTHON=python3.13, 3.12 or newer; installs 6 GB)'
	@echo 'make newest-numpy-jax run those with the newest NumPy and JAX only (installs 640 MB)'
	@echo 'make builds           run those of build systems and cross compilers (installs 500 MB; QEMU runs what they make)'
	@echo 'make test-abi3        run those of the classes with modules of the limited API, built once, on several Pythons'
	@echo 'make test-gpu         run those of streams on a GPU of NVIDIA; GPU=required fails where there is none'
	@echo 'make generate         regenerate generated/ from specs/, and docs/spec.md'
	@echo 'make check-generated  fail if generated/ is out of date'
	@echo 'make lint             ruff and mypy'
	@echo 'make bench            what an exchange costs, ours and others (cargo, a C++ compiler, 6 GB); BENCH_ARGS=--quick for a look'
	@echo 'make bench-instructions  the same in instructions, with valgrind: to compare commits'
	@echo 'make bench-docs       docs/performance.md from the last run'
	@echo 'make bench-generator  how the time of the generator grows, for 1 to 1,000 tensors'
	@echo 'make mutants          which test kills which of the changes in gates/mutants (ccache helps); see its README.md'
	@echo 'make coverage         which lines and branches of the runtime the tests run, by gcov (ten minutes)'
	@echo 'make starve           each call that can fail fails, while the tests run; STARVE_SECONDS=240 runs a sample'
	@echo 'make fuzz             fuzzes imports, the generator, objects and calls, each for FUZZ_SECONDS=60 (needs clang and libclang-rt)'
	@echo 'make race             threads under ThreadSanitizer, on a CPython without the GIL (clang; builds it at first); then race-gil'
	@echo 'make race-gil         interpreters, forks, daemon threads and the end of Python; RACE_PYTHONS names several Pythons'
	@echo 'make pythons          the tests of modules with other Pythons, 3.10 to 3.15, and one without a GIL (apt; builds that at first)'
	@echo 'make same             compare the output of all specs, and all messages, with those of the last commit (SAME_BASE=...)'
	@echo 'make same-templates   change each line of each template: the specs of the tests must show it'
	@echo 'make house            files and lines of each package of the generator; see gates/README.md for two more measurements'
	@echo 'make init-report      how much of what `init` writes is right, for the headers of 49 libraries of Debian'
	@echo 'make try-specs        `dlpack-bindgen try` over our specs, 20,000 steps each (fifteen minutes); TRY_SPECS names some'
	@echo 'make try-seeded       who finds errors that are put into our specs: generator, compiler or `try` (an hour)'
	@echo 'make reliability      docs/reliability.md from the last runs of the gates'
	@echo 'make release          wheel, source distribution and notes of a release, in dist/'
	@echo 'make clean            remove .venv and build'
	@echo
	@echo 'PYTHON=python3 (3.10 or newer) and CC=cc choose the interpreter and the compiler; after a change of PYTHON: make clean'

# ---- What must be there already ----

has_python = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))'
has_venv = $(PYTHON) -c 'import ensurepip, venv'
has_headers = test -f "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h"
has_compiler = command -v $(firstword $(CC))
# $(call need,CHECK,ADVICE): stops with one line unless the shell command CHECK succeeds.
need = $(if $(shell { $(1); } >/dev/null 2>&1 && echo yes),,$(error $(2)))
comma = ,

tools:
	@: $(call need,$(has_python),'$(PYTHON)' is no Python 3.10 or newer: apt install python3 (Fedora: dnf install python3)$(comma) or choose one with PYTHON=)
	@: $(call need,$(has_venv),'$(PYTHON)' has no venv: apt install python3-venv (Fedora: dnf install python3))
	@: $(call need,$(has_headers),'$(PYTHON)' has no Python.h: apt install python3-dev (Fedora: dnf install python3-devel))
	@: $(call need,$(has_compiler),no C compiler '$(firstword $(CC))': apt install gcc libc6-dev (Fedora: dnf install gcc)$(comma) or choose one with CC=)

# ---- The virtual environment; a stamp for each set of packages ----
# The build backend is installed first: pip would otherwise make another environment for it, at each installation.
# PIP_INSTALL names another installer; `.ci/run` has a faster one for the large sets.
PIP_INSTALL ?= $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check

$(VENV)/.created: | tools
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP_INSTALL) -c tests/constraints.txt hatchling editables
	@touch $@

constraints = tests/constraints.txt
$(VENV)/.extra-interop-newest $(VENV)/.extra-newest-numpy-jax: constraints = tests/constraints-newest.txt
$(VENV)/.extra-interop-newest $(VENV)/.extra-newest-numpy-jax: tests/constraints-newest.txt

$(VENV)/.extra-%: $(VENV)/.created pyproject.toml tests/constraints.txt | tools
	@echo 'Installing dlpack-bindgen[$*] into $(VENV)'
	@$(PIP_INSTALL) -c $(constraints) --no-build-isolation -e '.[$*]'
	@touch $@

# ---- The example ----

demo: $(VENV)/.extra-demo
	@$(BINDGEN) generate specs/imaging.yaml -o generated/imaging
	@$(MAKE) --no-print-directory "build/demo/imaging$$($(BINDGEN) config --extension-suffix)"
	@PYTHONPATH=build/demo $(VENV)/bin/python examples/imaging/demo.py

imaging_sources = $(wildcard examples/imaging/*.c generated/imaging/*.c)
imaging_headers = $(wildcard examples/imaging/*.h generated/imaging/*.h)

build/demo/imaging%: $(imaging_sources) $(imaging_headers) $(wildcard runtime/*.[ch] runtime/*/*.[ch])
	@echo 'Compiling $@'
	@mkdir -p $(@D)
	@flags="$$($(BINDGEN) config --cflags --python-cflags)" && sources="$$($(BINDGEN) config --sources)" && \
	eval '$(CC) $(CFLAGS) -shared -fPIC -Iexamples/imaging -Igenerated/imaging' "$$flags" '$(imaging_sources)' "$$sources" -o $@

# ---- The tests ----

# Files are shared among processes, one for each core; one file's tests stay together, since they share what is built.
test: $(VENV)/.extra-test
	@$(VENV)/bin/python -m pytest -ra -n auto --maxprocesses=8 --dist=loadfile $(PYTEST_ARGS)

# The small libraries of tests/try_/trials, or those that TRIALS names. `make test` runs a few that the commit chooses.
TRIALS ?= all

trials: $(VENV)/.extra-test
	@TRIALS='$(TRIALS)' $(VENV)/bin/python -m pytest -ra -n auto --maxprocesses=8 tests/try_/test_trials.py $(PYTEST_ARGS)

interop: $(VENV)/.extra-interop
	@$(VENV)/bin/python -m pytest -ra tests/interop $(PYTEST_ARGS)

# The newest versions need a newer Python than the others, and packages of other versions: they have an environment of their own.
NEWEST_PYTHON ?= python3.13

interop-newest:
	@$(MAKE) --no-print-directory build/$@/.extra-$@ VENV=build/$@ PYTHON='$(NEWEST_PYTHON)'
	@build/$@/bin/python -m pytest -ra tests/interop $(PYTEST_ARGS)

newest-numpy-jax:
	@$(MAKE) --no-print-directory build/$@/.extra-$@ VENV=build/$@ PYTHON='$(NEWEST_PYTHON)'
	@build/$@/bin/python -m pytest -ra tests/interop/test_array_libraries.py tests/interop/test_jax.py $(PYTEST_ARGS)

builds: $(VENV)/.extra-builds
	@$(VENV)/bin/python -m pytest -ra -n auto --maxprocesses=8 --dist=loadfile tests/builds $(PYTEST_ARGS)

release: $(VENV)/.extra-builds
	@$(VENV)/bin/python release/release.py

# One set of modules of the limited API, built by the first of ABI3_PYTHONS and then tested with each.
ABI3_PYTHONS ?= python3.11 python3.12 python3.13

test-abi3: | tools
	@rm -rf build/abi3/modules
	@set -e; for python in $(ABI3_PYTHONS); do \
	    venv="build/abi3/$$("$$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')"; \
	    $(MAKE) --no-print-directory PYTHON="$$python" VENV="$$venv" "$$venv/.extra-test"; \
	    DLB_ABI3=1 DLB_MODULES=build/abi3/modules "$$venv/bin/python" -m pytest -ra -n auto --maxprocesses=8 --dist=loadfile \
	        tests/python tests/*/*/test_*_of_frames.py \
	        $(PYTEST_ARGS); \
	done

# On a GPU, at most four minutes. PyTorch and CuPy take part if they are in $(VENV): install those for the CUDA of the machine.
# GPU=required: a missing GPU, PyTorch or CuPy is a failure.
GPU ?= optional

test-gpu: $(VENV)/.extra-test
	@DLB_CUDA_DRIVER=libcuda.so.1 $(if $(filter required,$(GPU)),DLB_NO_SKIPS=1) timeout 240 \
	    $(VENV)/bin/python -m pytest -ra tests/imports/stream $(PYTEST_ARGS)

lint: $(VENV)/.extra-lint
	@$(VENV)/bin/python -m ruff check
	@$(VENV)/bin/python -m ruff format --check
	@$(VENV)/bin/python -m mypy

# ---- The committed output: one folder for each spec ----

generate: $(VENV)/.extra-test
	@set -e; for spec in $(SPECS); do $(BINDGEN) generate "$$spec" -o "generated/$$(basename "$$spec" .yaml)"; done
	@$(VENV)/bin/python -m dlpack_bindgen.spec.reference >docs/spec.md
	@$(VENV)/bin/python runtime_lists.py

check-generated: $(VENV)/.extra-test
	@$(VENV)/bin/python runtime_lists.py --check
	@status=0; for spec in $(SPECS); do \
	    $(BINDGEN) generate "$$spec" -o "generated/$$(basename "$$spec" .yaml)" --check || status=1; \
	done; exit $$status

bench-generator: $(VENV)/.extra-test
	@$(VENV)/bin/python benchmarks/generator/bench.py

# The same with each of BENCH_PYTHONS, in an environment for each. $(call with_bench_pythons,SCRIPT ARGUMENTS)
BENCH_PYTHONS ?= python3.11 python3.13
BENCH_ARGS ?=
# One thread in each process: what libraries start would be there all the time.
with_bench_pythons = set -e; export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1; for python in $(BENCH_PYTHONS); do \
	    venv="build/bench/venv-$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"; \
	    $(MAKE) --no-print-directory PYTHON="$$python" VENV="$$venv" "$$venv/.extra-bench"; \
	    "$$venv/bin/python" $(1); \
	done

bench: | tools
	@$(call with_bench_pythons,benchmarks/exchange/run.py $(BENCH_ARGS))

bench-instructions: | tools
	@$(call with_bench_pythons,benchmarks/instructions/instructions.py $(BENCH_ARGS))

bench-docs:
	@"$$(ls -d build/bench/venv-* | head -1)/bin/python" benchmarks/exchange/document.py

# ---- The gates: targets that try to break the project; see gates/ ----

# MUTANTS='17 23' chooses some; see gates/mutants/README.md.
mutants: $(VENV)/.extra-test
	@$(VENV)/bin/python gates/mutants/run.py

# COVERAGE_ARGS=--report reads the counts of the last run again.
coverage: $(VENV)/.extra-coverage
	@$(VENV)/bin/python gates/coverage/run.py $(COVERAGE_ARGS) -n auto --maxprocesses=8 --dist=loadfile $(PYTEST_ARGS)

# STARVE_ARGS names files of tests.
starve: $(VENV)/.extra-test
	@PYTHONPATH=gates $(VENV)/bin/python -m starve.run $(STARVE_ARGS)

FUZZ_SECONDS ?= 60
FUZZERS ?=

# FUZZERS chooses some of imports, producers, specs, objects, calls. FUZZ_SEED repeats a run of the latter three.
fuzz: $(VENV)/.extra-test
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' $(VENV)/bin/python gates/fuzz/run.py $(FUZZERS)

# Builds the interpreter at the first call: clang, five minutes, and then the cache. RACE_ARGS=--help shows its options.
RACE_ARGS ?=
race: $(VENV)/.extra-test
	@PYTHONPATH=gates $(VENV)/bin/python gates/race/race.py $(RACE_ARGS)
	@$(MAKE) --no-print-directory race-gil
	@PYTHONPATH=gates $(VENV)/bin/python gates/race/race.py --record

# `make test` runs these files too, with one Python.
RACE_PYTHONS ?= python3.11 python3.12 python3.13
race_tests = tests/python/interpreters tests/functions/threads

race-gil: | tools
	@rm -f build/race/*.xml
	@set -e; for python in $(RACE_PYTHONS); do \
	    venv="build/race/$$("$$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')"; \
	    $(MAKE) --no-print-directory PYTHON="$$python" VENV="$$venv" "$$venv/.extra-test"; \
	    "$$venv/bin/python" -m pytest -ra -n auto --maxprocesses=8 --junitxml="$$venv.xml" $(race_tests) $(PYTEST_ARGS); \
	done

# PYTHONS="python3.16 ..." names other interpreters. PYTHONS_SAMPLE=SEED runs each test file with one of them.
pythons: $(VENV)/.extra-pythons
	@PYTHONPATH=gates $(VENV)/bin/python -m pythons.run

same: $(VENV)/.extra-test
	@PYTHONPATH=gates $(VENV)/bin/python -m same.run

same-templates: $(VENV)/.extra-test
	@PYTHONPATH=gates $(VENV)/bin/python -m same.templates

# HOUSE='files A^..A' counts the files of a change, HOUSE='walk SPEC.yaml VALUE' those that a value passes.
HOUSE ?= size
house: $(VENV)/.extra-test
	@$(VENV)/bin/python gates/house/measure.py $(HOUSE)

# INIT_LIBRARIES='gsl cairo' prints the result of these, and writes no page.
init-report: $(VENV)/.extra-test $(VENV)/.extra-init
	@PYTHONPATH=gates $(VENV)/bin/python -m init.report $(INIT_LIBRARIES)

# TRY_SPECS='gsl nrrd' chooses some, TRY_CALLS=2000 makes fewer steps; see gates/try_/README.md.
try-specs: $(VENV)/.extra-test
	@PYTHONPATH=gates $(VENV)/bin/python -m try_.specs

try-seeded: $(VENV)/.extra-test
	@PYTHONPATH=gates $(VENV)/bin/python -m try_.seeded

reliability: $(VENV)/.extra-test
	@$(VENV)/bin/python gates/ledger.py

clean:
	rm -rf $(VENV) build
