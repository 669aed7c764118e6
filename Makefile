PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
TRAINABLE := .venv/.trainable

.PHONY: demo test check bench clean

demo: $(READY)
	$(BIN)/veridical demo --out demo

test: $(TRAINABLE)
	$(BIN)/pytest -n auto

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(MAKE) test

bench: $(READY)
	$(BIN)/python -m bench.drawing
	$(BIN)/python -m bench.asking
	$(BIN)/python -m bench.statistics
	$(BIN)/python -m bench.learned
	$(BIN)/python -m bench.staging

# The tests teach tiny networks; nothing else needs PyTorch.
$(TRAINABLE): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,train]"
	touch $(TRAINABLE)

clean:
	rm -rf .venv demo

$(READY): pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed: make PYTHON=...')"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $(READY)
