# Everything a person needs to try, test and change this project; `make help` lists it.
# The only requirements are Python 3.11 or newer and make: the rest is installed into .venv, checked by hash.

VENV    := .venv
BIN     := $(VENV)/bin
PIP     := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The pins are complete, so there is nothing to resolve; modules are compiled when they are imported. It takes half the time.
PINNED  := --require-hashes --no-deps --no-compile
SPHINX  := $(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet
COMPILE := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --upgrade --quiet \
	--custom-compile-command "make constraints"

# What the tests run in JavaScript and what the studio's bundle is made of, checked by hash as well; without npm those tests are skipped.
JAVASCRIPT := mkdir -p $(VENV)/javascript && cp requirements/javascript/package*.json $(VENV)/javascript && \
	if command -v npm >/dev/null; then \
		npm ci --prefix $(VENV)/javascript --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null \
			|| echo "npm could not install what runs DMN and axe-core: their tests will be skipped"; \
	fi

# The one file of the studio's pages that is made by a tool; the others are kept as they are served.
PAGES  := src/evoter/studio/pages
BUNDLE := NODE_PATH=$(VENV)/javascript/node_modules $(VENV)/javascript/node_modules/.bin/esbuild $(PAGES)/vendor/preact.source.js \
	--bundle --minify --format=esm --target=es2022 --legal-comments=none --log-level=warning

# The first interpreter that is new enough; override with `make PYTHON=...`.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,\
	$(shell $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $(name))))

# The environment of another Python.
OTHER_VENV = .venv-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')

# A quick part of the tests that loads every library and every compiled kernel.
SMOKE := tests/rules/forms tests/rules/test_json_codec.py tests/rules/test_modes.py tests/tables tests/export/test_python.py \
	tests/estimators/test_classifier.py tests/estimators/test_timeseries.py tests/estimators/test_policy.py tests/cli/test_predict.py

# The tests start hundreds of processes, each of which imports hundreds of modules: their bytecode is kept.
unexport PYTHONDONTWRITEBYTECODE

# Extra arguments for the tool behind a target, as in `make test ARGS="-k parser"`.
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo studio test smoke install selection bench compare lint format types docs picture bundle screenshots constraints check clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

demo: $(VENV)/.runtime ## evolve rules on embedded data, test and explain them, write a report
	@$(BIN)/evoter demo $(ARGS)

studio: $(VENV)/.runtime ## edit, prove and sign rules in the browser, on embedded data
	@$(BIN)/evoter studio --demo $(ARGS)

test: $(VENV)/.dev ## run the whole test suite
	@$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(ARGS)

smoke: ## try another Python, as in `make smoke PYTHON=python3.13`: the demo and a quick selection of the tests
	@$(MAKE) --no-print-directory selection VENV=$(OTHER_VENV)

install: ## only install what `make smoke` needs
	@$(MAKE) --no-print-directory $(OTHER_VENV)/.dev VENV=$(OTHER_VENV)

# What `make smoke` runs, in the environment VENV.
selection: $(VENV)/.dev
	@$(BIN)/evoter demo --quiet --output $(VENV)/demo.html
	@$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(SMOKE) $(ARGS)

bench: $(VENV)/.dev ## measure the engine's speed and memory
	@$(BIN)/python benchmarks/engine.py $(ARGS)

compare: $(VENV)/.dev ## compare EVOTER with other classifiers on the paper's data
	@PYTHONHASHSEED=0 $(BIN)/python benchmarks/compare.py $(ARGS)

lint: $(VENV)/.dev ## check style and formatting
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(VENV)/.dev ## repair style and formatting
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: $(VENV)/.dev ## check types
	@$(BIN)/mypy

docs: $(VENV)/.dev ## build the documentation into docs/_build/html
	@$(SPHINX) -b html docs docs/_build/html
	@echo "documentation: docs/_build/html/index.html"

picture: $(VENV)/.runtime ## draw the README's picture from the demo's output
	@$(BIN)/evoter demo --quiet --svg docs/_static/demo.svg

bundle: $(VENV)/.dev ## bundle Preact and htm for the studio's pages
	@$(BUNDLE) --outfile=$(PAGES)/vendor/preact.js

screenshots: $(VENV)/.dev ## take the pictures of the studio for the documentation
	@$(BIN)/python benchmarks/studio_screenshots.py $(ARGS)

check: lint types test docs ## all that must pass before a change is merged

constraints: $(VENV)/bin/python ## pin the newest versions of all dependencies, with hashes
	@$(PIP) install "uv>=0.9"
	@$(COMPILE) --group dev --all-extras --output-file requirements/dev.txt
	@$(COMPILE) --group build --extra cli --extra examples --extra studio --constraint requirements/dev.txt --output-file requirements/runtime.txt

clean: ## remove the environment and everything generated
	rm -rf .venv .venv-* build dist docs/_build docs/auto_examples .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Stamps: an environment is installed once and again only when its pins change.
$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found on the PATH."; exit 1; }
	@echo "creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements/runtime.txt pyproject.toml | $(VENV)/bin/python
	@echo "installing what the package needs"
	@$(PIP) install $(PINNED) -r requirements/runtime.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt requirements/javascript/package-lock.json $(VENV)/.runtime
	@echo "installing what tests and documentation need"
	@$(PIP) install $(PINNED) -r requirements/dev.txt
	@$(JAVASCRIPT)
	@touch $@
