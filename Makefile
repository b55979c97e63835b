# `make solve` searches for two minutes, `make test` runs all checks, `make wheel` builds a wheel with compiled kernels.
# All need only make and Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
LOCK := requirements-dev.lock
MINUTES ?= 10
DATA ?= arcagi:training
VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' src/arcloom/__init__.py)
BUILD := $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

.PHONY: solve test quick docs coverage release images learn nightly fuzz audit lock wheel wheel-pure clean
.SECONDARY:

solve: $(INSTALLED)
	$(BIN)/arcloom solve --resume

test: $(INSTALLED)-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/arcloom warm
	$(BIN)/pytest --numprocesses auto --dist worksteal

# A fast check: style, types, and the tests of the language, programs and tasks, which need no compiled kernels.
quick: $(INSTALLED)-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses auto tests/dsl tests/tasks tests/program/test_parse.py tests/program/test_print.py tests/program/test_term.py tests/test_layers.py tests/test_check.py

# The documentation site in build/site. Warnings, such as broken links, are errors.
docs: $(INSTALLED)-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The share of lines that the tests run. Kernels are tested, but not counted, because Python does not run compiled code.
coverage: $(INSTALLED)-dev
	$(BIN)/pytest --numprocesses auto --dist worksteal --cov arcloom --cov-report term:skip-covered

# The wheel and the source archive in dist. Fails unless the version of src/arcloom/__init__.py is new and in the changelog.
release: $(INSTALLED)-build
	@grep -q '^## \[$(VERSION)\]' CHANGELOG.md || { echo 'CHANGELOG.md has no section [$(VERSION)]'; exit 1; }
	@! git rev-parse --quiet --verify refs/tags/v$(VERSION) || { echo 'v$(VERSION) is released: change __version__'; exit 1; }
	@test -z "$$(git status --porcelain)" || { echo 'there are changes that are not committed'; exit 1; }
	rm -rf dist
	ARCLOOM_WHEEL=pure $(BUILD)
	$(BIN)/python -m hatchling build --target sdist
	@echo 'Now: make test, git tag v$(VERSION), git push --tags, and upload dist/*.'

# The images of the README and docs, from a search of three minutes. Needs Chromium and its driver.
images: $(INSTALLED)-dev
	$(BIN)/python docs/images/make.py

# Learns operations, their costs and the weights of votes again, from tasks with known answers. `make learn CHECK=--check`
# writes nothing, and reports the tasks that are solved with what was learnt from other tasks. Takes more than half an hour.
learn: $(INSTALLED)
	$(BIN)/python -m arcloom.enumerate.abstractions $(foreach data,$(DATA),--data $(data)) $(CHECK)
	$(BIN)/python -m arcloom.enumerate.costs $(foreach data,$(DATA),--data $(data)) $(CHECK)
	for data in $(DATA); do $(BIN)/arcloom solve --data $$data --hide-own --generations 8 --overwrite \
		--out build/learn/$$(basename $$data .json) || exit 1; done
	$(BIN)/python -m arcloom.search.fit_weights $(CHECK) \
		$(foreach data,$(DATA),--votes build/learn/$(basename $(notdir $(data))) $(data))

# The tests with Hypothesis's default number of examples and with the PTX of all kernels, and all fuzzers for MINUTES each.
nightly: $(INSTALLED)-dev
	HYPOTHESIS_PROFILE=nightly $(MAKE) coverage
	$(MAKE) fuzz

fuzz: $(INSTALLED)-dev
	for name in texts typed accesses tasks libraries caches signals commands servers; do \
		$(BIN)/python fuzz/$$name.py --minutes $(MINUTES) --seed $$(date +%j) || exit 1; done

# Known vulnerabilities of the packages in the lock file. Needs the internet: packages that cannot be looked up are an
# error (--strict).
audit: $(INSTALLED)-audit
	$(BIN)/pip-audit --strict --require-hashes --disable-pip --requirement $(LOCK) || \
		{ echo "make audit: pip-audit found something, or could not look up all packages (it needs the internet)"; exit 1; }

# The lock file with the versions and hashes of all packages for development and CI.
lock: $(INSTALLED)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --extra dev --extra build \
		--no-header --no-emit-index-url --no-annotate --output-file $(LOCK) pyproject.toml

wheel: $(INSTALLED)-build
	ARCLOOM_WHEEL=binary $(BUILD)

wheel-pure: $(INSTALLED)-build
	ARCLOOM_WHEEL=pure $(BUILD)

# Marker files of installations: they are older than pyproject.toml if its requirements have changed.
$(INSTALLED): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# Development and CI install the packages of the lock file. pip refuses files with other hashes.
$(INSTALLED)-dev: $(INSTALLED) $(LOCK)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement $(LOCK)
	touch $@

$(INSTALLED)-%: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --editable '.[$*]'
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
