# Two commands do everything on a fresh machine: `make test` and `make crawl` set up what is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help setup browser crawl test lint types clean

help: ## Show the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.installed browser ## Make the virtual environment, find or install a browser
test-setup: setup redis-server

# The environment: what is required, and this folder's packages for use from any other.
$(VENV)/.installed: $(VENV)/.required pyproject.toml
	$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.required: requirements.txt requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	  || { echo "Python 3.11, 3.12 or 3.13 is needed; say which with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -r requirements.txt -r requirements-dev.txt
	@$(BIN)/python -c 'import sys, boosting; sys.exit(not boosting.has_library())' || $(MAKE) libgomp
	touch $@

# LightGBM needs GCC's OpenMP library, which slim images leave out.
.PHONY: libgomp
libgomp:
	@[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  || { echo "LightGBM needs libgomp: install it (Debian: apt-get install libgomp1)"; exit 1; }
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends libgomp1

browser: $(VENV)/.installed
	@$(BIN)/python -c 'import sys, browser; sys.exit(not browser.has_browser())' \
	  || $(MAKE) install-browser

# Debian's headless shell, or else, as on Ubuntu, which has none, the one that Playwright brings.
# Without CJK fonts Chinese, Japanese and Korean pages are rendered as rows of boxes.
.PHONY: install-browser
install-browser:
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends fonts-noto-cjk && \
	  { apt-get install -y -qq --no-install-recommends chromium-headless-shell \
	    || $(BIN)/python -m playwright install --with-deps chromium-headless-shell; }; \
	else \
	  $(BIN)/python -m playwright install chromium-headless-shell; \
	fi

# Tests of the shared frontier start servers of their own; without the program they are skipped.
.PHONY: test-setup redis-server
redis-server:
	@if command -v redis-server >/dev/null || command -v valkey-server >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && \
	  RUNLEVEL=1 apt-get install -y -qq --no-install-recommends redis-server; \
	else echo "No redis-server: the tests of the shared frontier are skipped"; fi

crawl: setup ## Crawl the bundled demo site, or yours: make crawl JOB=my.toml
	$(BIN)/python -m crawler $(if $(JOB),run "$(JOB)",demo)

test: test-setup lint types ## Lint, check types, run all tests
	$(BIN)/python -m pytest

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed
	$(BIN)/mypy

clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
