PYTHON ?= python3
BIN := .venv/bin
MADE := .venv/.made
READY := .venv/.ready
DEVELOPED := .venv/.developed
TRAINABLE := .venv/.trainable
DOCUMENTED := .venv/.documented
# Modules are compiled when they are first imported: most of what is installed never is.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable

# With TORCH=0 the tests that need PyTorch are left out, and it is not installed: it comes with several GB for GPUs.
TORCH ?= 1
ifeq ($(TORCH),0)
TESTED := $(DEVELOPED)
NEEDED := not local_models and not torch
else
TESTED := $(TRAINABLE)
NEEDED := not local_models
endif

.PHONY: demo test test-parallel test-local check lint smoke smoke-newest smoke-lowest docs notebook bench clean
.PHONY: studies studies-papers studies-statistics studies-observers studies-inside studies-rendered

demo: $(READY)
	$(BIN)/veridical demo --out demo

# Local models are tested in a process of their own; with `make --jobs 2` it fills what waiting tests leave of the cores.
ifeq ($(TORCH),0)
test: test-parallel
else
test: test-parallel test-local
endif

test-parallel: $(TESTED)
	$(BIN)/pytest -n auto -m '$(NEEDED)'

test-local: $(TESTED)
	$(BIN)/pytest -n 0 -m local_models tests

check: lint test

lint: $(TESTED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The wheel as users install it: on the newest Python here with the newest dependencies, and with the lowest allowed.
smoke: smoke-newest smoke-lowest

smoke-newest smoke-lowest: smoke-%: $(DEVELOPED)
	$(BIN)/python -m tests.smoke $*

# Pages from the code's records, then the site in site/: warnings are errors, and nothing may come from another server.
docs: $(DOCUMENTED) demo/viprobe/report.html
	rm -rf site docs/generated
	$(BIN)/python -m docs.pages demo/viprobe
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet --doctree-dir docs/generated/.doctrees -b html docs site
	$(BIN)/python -m docs.pages.check site

demo/viprobe/report.html: $(READY)
	$(BIN)/veridical demo --out demo

# Runs the notebook and stores its outputs in it.
notebook: $(DEVELOPED)
	$(BIN)/python -m tests.notebook examples/first_run.ipynb

bench: $(DEVELOPED)
	$(BIN)/python -m bench.drawing
	$(BIN)/python -m bench.puzzles
	$(BIN)/python -m bench.scenes
	$(BIN)/python -m bench.events
	$(BIN)/python -m bench.tricks
	$(BIN)/python -m bench.clips
	$(BIN)/python -m bench.asking
	$(BIN)/python -m bench.hashing
	$(BIN)/python -m bench.statistics
	$(BIN)/python -m bench.learned
	$(BIN)/python -m bench.staging
	$(BIN)/python -m bench.large
	$(BIN)/python -m bench.refusals
	$(BIN)/python -m bench.people

# Each study writes its pages in docs/; CONTRIBUTING.md says how long it takes. SEEDS=0,1,2 teaches three of each network.
studies: studies-papers studies-statistics studies-observers studies-inside studies-rendered

SEEDS ?= 0
NETWORKS := textbook counterfactual heldout controls unshown dose-2 dose-5 dose-10 dose-25

studies-papers: $(DEVELOPED)
	$(BIN)/python -m studies.published --out docs/published.md

studies-statistics: $(DEVELOPED)
	$(BIN)/python -m studies.viprobe strengths
	$(BIN)/python -m studies.viprobe validate

studies-observers: $(TRAINABLE)
	$(BIN)/python -m studies.viprobe examine
	$(BIN)/python -m studies.viprobe teach $(NETWORKS) --seeds $(SEEDS)
	$(BIN)/python -m studies.viprobe study --seeds $(SEEDS)

studies-inside: $(TRAINABLE)
	$(BIN)/python -m studies.inside --seeds $(SEEDS)

studies-rendered: $(DEVELOPED)
	$(BIN)/python -m studies.hocabench

$(DOCUMENTED): pyproject.toml | $(READY)
	$(INSTALL) ".[docs]"
	touch $(DOCUMENTED)

clean:
	rm -rf .venv demo site docs/generated

$(MADE):
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed: make PYTHON=...')"
	$(PYTHON) -m venv .venv
	touch $(MADE)

# What the library needs to run, and nothing else.
$(READY): pyproject.toml | $(MADE)
	$(INSTALL) .
	touch $(READY)

# Besides, what its developers use.
$(DEVELOPED): pyproject.toml | $(MADE)
	$(INSTALL) ".[dev]"
	touch $(READY) $(DEVELOPED)

# The tests teach tiny networks, ask `transformers serve`, which needs accelerate, and compare saliency with captum: only
# these need PyTorch.
$(TRAINABLE): pyproject.toml | $(MADE)
	$(INSTALL) ".[dev,train]" "accelerate>=1.1" "captum>=0.9,<1"
	touch $(READY) $(DEVELOPED) $(TRAINABLE)
