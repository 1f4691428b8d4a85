# Two commands do everything on a fresh machine: `make test` and `make crawl` set up what is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help setup browser crawl test lint types clean

help: ## Show the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.installed browser ## Make the virtual environment, find or install a browser
test-setup: setup redis-server

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

# A system's Chromium, Debian's headless shell, or else the one that Playwright brings. Without CJK
# fonts Chinese, Japanese and Korean pages are rendered as rows of boxes.
browser: $(VENV)/.installed
	@for name in chromium-headless-shell chromium google-chrome; do \
	  command -v $$name >/dev/null && exit 0; done; \
	ls $(HOME)/.cache/ms-playwright 2>/dev/null | grep -q chromium || $(MAKE) install-browser

.PHONY: install-browser
install-browser:
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-noto-cjk; \
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
	$(BIN)/python -m crawler $(if $(JOB),run $(JOB),demo)

test: test-setup lint types ## Lint, check types, run all tests
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
