# Hexholm. `make play` and `make test` are all a newcomer needs: both set up .venv first. `make help` lists the rest.

PYTHON ?= python3
JOBS ?= 2

VENV := .venv
PY := $(VENV)/bin/python
# The environment grows in four steps, each with a stamp: empty; with all that playing needs; with what the tests of the
# rules need; with what all tests and other tools need. What the site of `make docs` needs goes beside that.
EMPTY := $(VENV)/.empty
PLAYABLE := $(VENV)/.playable
TESTABLE := $(VENV)/.testable
READY := $(VENV)/.developed
DOCUMENTED := $(VENV)/.documented
RULES_REPORT := .rules-report.json
NEEDED := Hexholm needs Python 3.11 or newer

# Where this is set, each of the hundreds of processes of the tests would compile every module it imports anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
# What needs the compiler, and what plays many whole games; the latter plays a few of them interpreted, too.
COMPILER_TESTS := tests/core/test_cache.py tests/core/test_both_speeds.py
FAST_TESTS := $(COMPILER_TESTS) tests/core/test_simulate.py tests/core/test_batch.py \
	tests/rules/across_chapters/test_faults_of_other_programs.py tests/rules/across_chapters/test_refusals.py \
	tests/rules/awards_and_winning/test_longest_road.py tests/rules/trade/test_offers.py \
	tests/rules/editions/test_edition_play.py tests/rules/editions/test_zip_as_sixth.py \
	tests/rules/knowledge/test_views.py tests/rules/knowledge/test_noninterference.py
FACE_TESTS := tests/game tests/bots tests/arena tests/peers tests/host tests/records tests/older_versions tests/playthroughs tests/cli tests/tools tests/test_docs.py tests/test_examples.py tests/test_public.py tests/test_house.py tests/test_warm.py

# On a busy machine a server, a process or a browser is sometimes late: tests that are marked as waiting for one are tried
# once more, alone, and named. What fails twice, or waits for nothing, is broken.
once_more = $(PY) -m pytest --last-failed --last-failed-no-failures none --once-more $(1)

# A little of everything above the rules, by files that take seconds.
QUICK_TESTS := tests/game/test_game.py tests/records tests/bots/test_decisions.py \
	tests/bots/test_random.py tests/bots/test_registry.py tests/arena/test_schedule.py tests/arena/test_results.py \
	tests/host/wire tests/host/tables/test_table.py tests/cli/test_main.py tests/cli/test_show.py tests/cli/test_doctor.py \
	tests/tools/test_generated.py tests/test_house.py tests/test_public.py

.PHONY: play test quick fix static late check unit fast face cluster playthroughs twin boundscheck rules-coverage fuzz mutants perft bench docs clean help FORCE \
	web client web-check web-test browser chromium engines postgres wheel soak

# Python's libraries are installed while the client is built: neither keeps two cores busy.
play: ## play in the browser: prints the link, and opens it where there is a screen
	@$(MAKE) --no-print-directory -j 2 web
	@$(PY) -m hexholm serve --open --quiet

# T names a file, a folder or a test in a file; anything else is an expression for pytest -k.
# A wrong name is told at once: with -n pytest would only say that no tests ran. One case, name[case], needs no -n.
ifdef T
FOUND := $(filter tests tests/% ./tests ./tests/%,$(wildcard $(firstword $(subst ::, ,$(T)))))
NEAR := $(if $(FOUND),,$(if $(filter %.py,$(firstword $(subst ::, ,$(T)))),$(shell find tests -name '$(notdir $(firstword $(subst ::, ,$(T))))')))
ifneq ($(if $(FOUND),,$(findstring /,$(T))$(findstring ::,$(T))),)
$(error There is no $(T).$(if $(NEAR), Try T=$(subst $() , or T=,$(NEAR)).) T is a file, a folder, file.py::test or an expression such as T='robber and steal')
endif
NAMED := $(if $(findstring ::,$(T)),$(firstword $(subst [, ,$(word 2,$(subst ::, ,$(T))))))
# Ray, a browser's driver and the like are not needed for the tests of the rules. (Types cannot be checked without them.)
RULES_TESTS := tests/rules% tests/core% tests/perft%
# An expression looks for tests everywhere but in the browser and on the cluster, unless it names these.
NAMES = $(or $(filter tests tests/ tests/$(1)%,$(T:./%=%)),$(if $(FOUND),,$(findstring $(1),$(T))))
test: $(if $(filter $(RULES_TESTS),$(T:./%=%)),$(TESTABLE),$(READY)) $(if $(call NAMES,web),web chromium engines) $(if $(call NAMES,host),postgres)
	@$(if $(NAMED),grep -qw '$(NAMED)' $(FOUND) || { echo "There is no $(NAMED) in $(FOUND). It has:" >&2; \
		sed -nE 's/^ *(async )?def (test_[A-Za-z0-9_]*).*/  \2/p' $(FOUND) >&2; exit 2; })
	@$(if $(HEXHOLM_INTERPRETED),:,$(PY) -m hexholm.warm rules >/dev/null)
	$(PY) -m pytest $(if $(findstring ],$(T)),,-n $(JOBS)) $(if $(FOUND),$(if $(NAMED),'$(T)',$(T)),$(foreach folder,web cluster,$(if $(call NAMES,$(folder)),,--ignore=tests/$(folder))) -k '$(T)')
else
test: static unit rules-coverage fast face browser late ## everything that must hold before a change lands; with T=..., some tests
endif

# The rules' tests run interpreted. What was changed is compiled beside them, for the rest.
quick: $(READY) $(VENV)/.web-checked ## before every commit: checks, the rules' tests, a little of everything
	@$(PY) -m hexholm.warm >/dev/null & compiling=$$!; \
		$(MAKE) --no-print-directory check && HEXHOLM_INTERPRETED=1 $(PY) -m pytest -q -n $(JOBS) tests/rules && \
		wait $$compiling || { kill $$compiling 2>/dev/null; exit 1; }
	$(PY) -m pytest -q -n $(JOBS) $(QUICK_TESTS)

# Checked again when something in web/ has changed.
$(VENV)/.web-checked: $(shell find web -name .node -prune -o -name node_modules -prune -o -type f ! -name .stamp -print)
	@$(MAKE) --no-print-directory web-check
	@touch $@

fix: $(READY) ## format Python and the browser client, and mend what can be mended
	$(PY) hatch_build.py npm run --silent format
	$(PY) -m ruff check --fix .; status=$$?; $(PY) -m ruff format . && exit $$status

# The checks leave one of two cores idle, and compiling takes half a minute of one.
static: $(READY) ## check, web-check and web-test, while rules and players are compiled for the tests after them
	@$(PY) -m hexholm.warm & compiling=$$!; \
		$(MAKE) --no-print-directory check web-check web-test && wait $$compiling || { kill $$compiling 2>/dev/null; exit 1; }

late: $(READY) ## wheel, cluster, twin and boundscheck, two at a time: each of them leaves a core idle for a while
	@$(MAKE) --no-print-directory --output-sync=target -j $(JOBS) wheel cluster boundscheck twin

check: $(READY) ## format, lint, types, imports
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy --strict src tests tools examples bench hatch_build.py
	$(VENV)/bin/lint-imports --no-logo

web: $(PLAYABLE) client ## build the browser client, if it changed

client: $(EMPTY)
	@$(PY) hatch_build.py

web-check: $(EMPTY) ## types and lint of the browser client
	$(PY) hatch_build.py npm run --silent check
	$(PY) hatch_build.py npm run --silent lint

web-test: $(EMPTY) ## the tests of the browser client that need no browser
	$(PY) hatch_build.py npm test

browser: web chromium engines ## the tests that play in real browsers
	$(PY) -m pytest -n $(JOBS) --dist worksteal tests/web || $(call once_more,tests/web)

chromium: $(READY) # installed with apt where that is allowed
	@$(PY) -m tests.web.chromium

engines: $(READY) # as chromium: WebKit and Firefox
	@$(PY) -m tests.web.engines

postgres: $(READY) # as chromium
	@$(PY) -m tests.host.postgres

wheel: web chromium ## build wheel and sdist, install the wheel into an empty environment without Node, play a few turns
	$(PY) -m tests.web.wheel

# The rules run interpreted here, so that coverage sees them; `fast` and `twin` run them compiled.
unit: $(READY) ## the tests of the rules, with coverage of the rules (at least 95 %) and the report which rules they show
	HEXHOLM_INTERPRETED=1 $(PY) -m pytest -n $(JOBS) tests/rules tests/core tests/twin tests/perft tests/almanac tests/languages \
		$(COMPILER_TESTS:%=--ignore=%) --rules-report $(RULES_REPORT) --cov=hexholm.rules --cov-report=term:skip-covered

rules-coverage: $(RULES_REPORT) ## rules, examples and edges that no test shows
	@$(PY) -m tools.rules_coverage --report $(RULES_REPORT)

$(RULES_REPORT): $(shell find src tests tools -name '*.py' -o -name '*.toml' -o -name '*.yaml')
	$(MAKE) unit

fast: $(READY) ## the tests that need the compiler
	$(PY) -m pytest -n $(JOBS) $(FAST_TESTS)

face: $(READY) postgres ## the tests of games, records, pictures, commands, pages and examples, compiled
	$(PY) -m pytest -n $(JOBS) --dist loadgroup $(FACE_TESTS) || $(call once_more,$(FACE_TESTS))

cluster: $(READY) ## a tournament on a Ray cluster of two nodes, one of which is lost in the middle
	timeout 1200 $(PY) -m pytest tests/cluster || timeout 1200 $(call once_more,tests/cluster)

playthroughs: $(READY) ## show how the golden playthroughs would change (to keep them: python -m tools.playthroughs --write)
	$(PY) -m tools.playthroughs

twin: $(READY) ## the compiled core and its naive twin play the same games
	$(PY) -m tests.twin.run --games 300 --jobs $(JOBS)

# Beside others: what failed there is kept for their second try.
boundscheck: $(READY) ## the compiled core with every array index checked
	NUMBA_BOUNDSCHECK=1 $(PY) -m pytest -p no:cacheprovider -n $(JOBS) tests/core/test_boundscheck.py

fuzz: $(READY) ## core against twin, 5000 games, and all players in all editions, 10000; goes on where it stopped
	$(PY) -m tests.twin.run --games 5000 --jobs $(JOBS) --resume .fuzz
	$(PY) -m tests.arena.everywhere --games 10000 --jobs $(JOBS) --resume .fuzz/everywhere.json

mutants: $(READY) ## would the tests notice a wrong rule? goes on where it stopped
	$(PY) -m tools.mutants --jobs $(JOBS) --resume .mutants

soak: $(READY) postgres ## hours of the host: 500 kills, a million fuzzed messages, storms; goes on where it stopped
	$(PY) -m tests.host.soak --resume .soak/done.json

perft: $(READY) ## count sequences of actions and compare with the kept counts, small depths by the twin too
	$(PY) -m tests.perft.run --twin 2

bench: $(READY) ## speed and memory
	$(PY) -m bench.run
	$(PY) -m bench.game

# The theme announces its end of life for May 2027 in every build; mkdocs.yml says so once.
docs: $(DOCUMENTED) ## build the pages of docs/ and the Python API as a site: site/index.html
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build

clean: ## remove what was built, also .venv
	rm -rf $(VENV) build dist site web/.node web/node_modules web/.stamp src/hexholm/host/static .screens .coverage .coverage.* htmlcov .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache $(RULES_REPORT)
	find src tests tools bench -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name what; do \
		printf '  make %-15s %s\n' "$$name" "$$what"; done

# The environment: made once, refreshed when the pins or the project's own description change, remade when its Python
# is gone.
PIP_INSTALL = $(PY) -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
EXTRAS := assistants,cluster,data,plot,postgres,print
# The pip that comes with Python 3.11 and 3.12 knows no dependency groups, so it gets a group as a file.
write_group = $(PY) -c 'import pathlib, tomllib; project = tomllib.loads(pathlib.Path("pyproject.toml").read_text("utf-8")); \
	print(*(each for each in project["dependency-groups"]["$(1)"] if isinstance(each, str)), sep="\n")' >$(VENV)/$(1).txt

$(EMPTY): $(if $(shell test -x $(PY) && echo yes),,FORCE)
	@command -v $(PYTHON) >/dev/null || { echo "$(NEEDED); there is no $(PYTHON) here." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$(NEEDED); this is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		version=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "Python's venv module is incomplete here. On Debian or Ubuntu: apt install python$$version-venv" >&2; exit 1; }
	@$(PY) -m pip --version >/dev/null 2>&1 || { echo "Setting up $(VENV) ..."; $(PYTHON) -m venv --clear $(VENV); }
	@touch $@

$(PLAYABLE): pyproject.toml constraints.txt $(EMPTY)
	@echo "Installing what playing needs ..."
	@$(PIP_INSTALL) hatchling
	@$(PIP_INSTALL) --no-build-isolation -e .
	@touch $@

$(TESTABLE): $(PLAYABLE)
	@echo "Installing what the tests of the rules need ..."
	@$(call write_group,test)
	@$(PIP_INSTALL) -r $(VENV)/test.txt
	@touch $@

$(READY): $(TESTABLE)
	@echo "Installing what all tests need ..."
	@$(call write_group,dev)
	@$(PIP_INSTALL) --no-build-isolation -e '.[$(EXTRAS)]' -r $(VENV)/dev.txt
	@touch $@

# The API page is made from the sources, so the package itself need not be installed.
$(DOCUMENTED): pyproject.toml constraints.txt $(EMPTY)
	@echo "Installing what the site needs ..."
	@$(call write_group,docs)
	@$(PIP_INSTALL) -r $(VENV)/docs.txt
	@touch $@

FORCE:
