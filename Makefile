# make play            install on first use, then open the app
# make test            install on first use, then run lint, types, import contracts and tests
# make test-all        the same and everything slow: kills, servers, compiled, in a browser
# make mutants         change the rules at random; the tests must notice
# make compiled        build a copy with compiled engine and search, if there is a C compiler
# make test-compiled   run the tests with that copy
# make dist            build the sdist and the wheels, pure and compiled, and the SBOM, in dist
# make attack          attack stored files, imports and the server; prints a table
# make bench           measure speed against other systems, in plain Python and compiled
.DEFAULT_GOAL := play
.PHONY: dist sbom man attack soak play test test-all test-bytecode test-browser lint format compiled test-compiled mutants bench bench-keys kills \
	windows stage fuzz pictures readme-pictures pretrained standings ratings strengths calibration clean

VENV       := .venv
BIN        := $(VENV)/bin
VENV_BENCH := .venv-bench
VENV_RELEASE := .venv-release
COMPILED   := build/compiled
SOURCES    := $(shell find app agents engine -name '*.py' -o -name '*.tcss' -o -name '*.md' -o -name '*.gz')
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

# Uses the compiled engine once `make compiled` has built it.
play: $(VENV)/installed
	@PYTHONPATH=$(wildcard $(COMPILED)) $(BIN)/kibitz

# One core checks the source while the other compiles the tests, once for all processes.
test: $(VENV)/installed-dev
	$(MAKE) -j 2 lint test-bytecode
	$(BIN)/pytest -n 4 --dist worksteal

# Compiled and browser tests run where a C compiler and Chromium are installed.
test-all: lint
	$(BIN)/pytest -n 2 --dist worksteal -m "slow or not slow"
	@if command -v cc >/dev/null; then $(MAKE) test-compiled; \
	else echo "Skipped the compiled tests: there is no C compiler."; fi
	@if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then $(MAKE) test-browser; \
	else echo "Skipped the browser tests: there is no chromium with chromedriver."; fi

# Everything that is uploaded. The compiled wheel needs a C compiler and fits this machine only;
# cibuildwheel builds those of others. docs/release.md has the whole checklist.
dist: man $(VENV_RELEASE)/installed
	rm -rf dist build/lib* build/temp* build/bdist* *.egg-info
	$(VENV_RELEASE)/bin/python -m build --sdist --outdir dist .
	KIBITZ_PLAIN=1 $(VENV_RELEASE)/bin/python -m build --wheel --outdir dist .
	rm -rf build/lib* build/temp* build/bdist* *.egg-info
	@if command -v cc >/dev/null; then $(VENV_RELEASE)/bin/python -m build --wheel --outdir dist .; \
	else echo "Skipped the compiled wheel: there is no C compiler."; fi
	$(MAKE) sbom
	$(VENV_RELEASE)/bin/python -m twine check --strict dist/*.whl dist/*.tar.gz

# What the installed wheel consists of, in CycloneDX.
sbom: $(VENV_RELEASE)/installed
	rm -rf build/sbom && $(BIN)/python -m venv build/sbom
	build/sbom/bin/python -m pip install --quiet dist/*-none-any.whl
	$(VENV_RELEASE)/bin/cyclonedx-py environment build/sbom --output-format JSON \
		--pyproject pyproject.toml --output-file dist/kibitz.cdx.json

# The manual page, from the commands.
man: $(VENV)/installed
	$(BIN)/python -m app help --man > docs/kibitz.1

$(VENV_RELEASE)/installed: | $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV_RELEASE)
	$(VENV_RELEASE)/bin/python -m pip install --quiet 'build>=1.2,<2' 'twine>=6,<7' 'cyclonedx-bom>=7,<8'
	@touch $@

# At least 50,000 seeded attacks within bounded time: about ten minutes.
attack: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench.attack

# Ten minutes of watching and of training: memory and descriptors must stay flat.
soak: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench.soak

# A seeded mutation run over the rules: six minutes of processor time.
mutants: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench.mutants

# In a real browser. Installs nothing, but says what is missing.
test-browser:
	@for program in chromium chromedriver; do command -v $$program >/dev/null || \
		{ echo "Browser tests need $$program: install it (on Debian: chromium, chromium-driver)." >&2; exit 2; }; done
	@$(BIN)/python -c 'import pytest, selenium, textual_serve' 2>/dev/null || \
		{ echo "Browser tests need: $(BIN)/pip install -e '.[dev,browser]'" >&2; exit 2; }
	$(BIN)/pytest -m '' tests/browser

# Compiled tests are kept even where the environment says not to: each process would compile them.
test test-all test-bytecode: export PYTHONDONTWRITEBYTECODE :=
test-bytecode: $(VENV)/installed-dev
	$(BIN)/python -m compileall -q app agents engine
	@$(BIN)/pytest --collect-only -qq > /dev/null || true

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

compiled: $(COMPILED)/built

# A copy of the whole program, so that compiled files never mix with the source.
$(COMPILED)/built: pyproject.toml setup.py $(SOURCES) | $(VENV)/bin/python
	rm -rf $(COMPILED) build/lib* build/temp* build/bdist*
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(COMPILED) .
	@touch $@

test-compiled: $(VENV)/installed-dev $(COMPILED)/built
	rm -rf $(COMPILED)/tests
	cp -R tests docs README.md CONTRIBUTING.md CHANGELOG.md LICENSE Makefile pyproject.toml setup.py \
		.pre-commit-config.yaml $(COMPILED)
	cd $(COMPILED) && "$(CURDIR)/$(BIN)/python" -c 'import engine, sys; sys.exit(0 if engine.COMPILED else "The engine could not be compiled.")'
	cd $(COMPILED) && PYTHONPATH=. "$(CURDIR)/$(BIN)/python" -m pytest -n 2 --dist worksteal

bench: $(VENV_BENCH)/installed $(COMPILED)/built
	$(VENV_BENCH)/bin/python -m app bench --peers
	cd $(COMPILED) && "$(CURDIR)/$(VENV_BENCH)/bin/python" -m app bench --peers

# Time from key press to repaint, idle and while the Lab or the stage trains.
bench-keys: $(VENV)/installed-dev
	$(BIN)/pytest -q -s -n 0 tests/bench/bench_keys.py --override-ini python_files='bench_*.py'

$(VENV_BENCH)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV_BENCH)
	$(VENV_BENCH)/bin/python -m pip install --quiet --editable . 'open_spiel>=1.6' 'rlcard>=1.2' 'pytruco==0.1.3'
	@touch $@

# Every screen at four sizes, as PNG from a real terminal and as SVG, in build/pictures.
pictures: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench.pictures

# The pictures in the README, from the real app; needs xvfb, xterm and imagemagick.
readme-pictures: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench.animation

# Kills the real program 200 times and checks that nothing is lost: about half an hour.
kills: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench.kill_nine --times 200

# Two windows train the same learner at the same time, and every update is counted.
windows: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench.two_windows --seconds 60

# What `kibitz learn` shows of each game in two minutes; needs tmux and two idle cores.
stage: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench.stage

# 100,000 random keys and clicks: about half an hour.
fuzz: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench.fuzz_keys --keys 100000

# Trains what comes with the program from nothing, with seeds. Run it again to continue after a stop.
# For some learners only, or again: python -m agents.training.pretraining [--fresh] GAME AGENT…
pretrained: $(VENV)/installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m agents.truco.cfr
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m agents.truco_full.cfr train
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m agents.training.pretraining

# Measures the win rates in the Lab that are missing, such as those of a new agent. Minutes for
# agents that search; run it again to continue after a stop.
standings: $(VENV)/installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m app.lab.shipped_standings 100000

strengths: $(VENV)/installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m agents.evaluation.measured_strengths 100000

# Corrections of stated chances, fitted to hints on tuning deals.
calibration: $(VENV)/installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m app.study.calibration

# The arena that rates the agents of each game. For some games only, or with more matches:
# python -m agents.evaluation.measured_ratings [--times 4] [--again AGENT] [GAME …]
ratings: $(VENV)/installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m agents.evaluation.measured_ratings --seconds 100000
	$(BIN)/python -m tests.bench.ladder_table

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Kibitz needs Python 3.11 or newer with its venv module: install it, then run make again." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) $(VENV_BENCH) $(VENV_RELEASE) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
