# Hexholm. `make play` and `make test` are all a newcomer needs: both set up .venv first. `make help` lists the rest.

PYTHON ?= python3
JOBS ?= 2

VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready
RULES_REPORT := .rules-report.json
NEEDED := Hexholm needs Python 3.11 or newer

.DEFAULT_GOAL := help
.PHONY: play test check unit twin boundscheck coverage rules-coverage fuzz mutants perft bench clean help FORCE

play: $(READY) ## watch a game of simple players in the terminal
	@$(PY) -m hexholm play

# TODO add `twin boundscheck coverage rules-coverage` here: `twin` when tests/twin/run.py exists, `boundscheck` when
# tests/core/test_boundscheck.py exists, `coverage` when tests/core exists and 95 % is reached, `rules-coverage` when
# no id of kind play or data is missing.
test: check unit ## everything that must hold before a change lands

check: $(READY) ## format, lint, types, imports
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy --strict src tests
	$(VENV)/bin/lint-imports --no-logo

unit: $(READY) ## the tests, and the report which rules they show
	$(PY) -m pytest -n $(JOBS) tests --ignore tests/twin --rules-report $(RULES_REPORT)

twin: $(READY) ## the core and its naive twin play the same games
	$(PY) -m tests.twin.run --games 300 --minutes 4

boundscheck: $(READY) ## the compiled core with every array index checked
	NUMBA_BOUNDSCHECK=1 $(PY) -m pytest tests/core/test_boundscheck.py

coverage: $(READY) ## lines of the rules that tests reach, with the compiler off (at least 95 %)
	HEXHOLM_INTERPRETED=1 $(PY) -m pytest -n $(JOBS) --cov=hexholm.rules --cov-report=term-missing:skip-covered \
		tests/rules tests/core

rules-coverage: unit ## rules, examples and edges that no test shows
	@$(PY) -m tests.tools.rules_coverage --report $(RULES_REPORT)

# TODO the modules of the next four do not exist yet.
fuzz: $(READY) ## core against twin for as long as you like; resumes where it stopped
	$(PY) -m tests.twin.fuzz --state .fuzz

mutants: $(READY) ## would the tests notice a wrong rule? resumes where it stopped
	$(PY) -m tests.tools.mutants --state .mutants

perft: $(READY) ## count positions and compare with the kept counts
	$(PY) -m tests.perft.run

bench: $(READY) ## speed and memory
	$(PY) -m bench.run

clean: ## remove what was built, also .venv
	rm -rf $(VENV) build dist .coverage .coverage.* htmlcov .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache $(RULES_REPORT)
	find src tests bench -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name what; do \
		printf '  make %-15s %s\n' "$$name" "$$what"; done

# The environment: made once, refreshed when the pins or the project's own description change, remade when its Python
# is gone.
$(READY): pyproject.toml constraints.txt $(if $(shell test -x $(PY) && echo yes),,FORCE)
	@command -v $(PYTHON) >/dev/null || { echo "$(NEEDED); there is no $(PYTHON) here." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$(NEEDED); this is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		version=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "Python's venv module is incomplete here. On Debian or Ubuntu: apt install python$$version-venv" >&2; exit 1; }
	@echo "Setting up $(VENV) ..."
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt hatchling
	@$(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@

FORCE:
