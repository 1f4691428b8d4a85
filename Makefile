# Two commands do everything on a fresh machine: `make test` and `make crawl` set up what is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help setup test lint types clean

help: ## Show the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.installed ## Make the virtual environment and install what is required

$(VENV)/.installed: requirements.txt requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; say which with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -r requirements.txt -r requirements-dev.txt
	@$(BIN)/python -c 'import boosting.booster as b; b._library()' 2>/dev/null || $(MAKE) libgomp
	touch $@

# LightGBM needs GCC's OpenMP library, which slim images leave out.
.PHONY: libgomp
libgomp:
	@[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  || { echo "LightGBM needs libgomp: install it (Debian: apt-get install libgomp1)"; exit 1; }
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends libgomp1

test: setup lint types ## Lint, check types, run all tests
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
