# On a fresh machine, run `make test` or `make crawl`: both set up what is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help setup browser crawl test docs release-notes lint types clean

help: ## Show the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.installed browser ## Create the virtual environment, find or install a browser
test-setup: setup redis-server promtool

# The requirements, and this repository's packages, importable from any folder.
$(VENV)/.installed: $(VENV)/.required pyproject.toml setup.py
	$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.required: requirements.txt requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	  || { echo "Python 3.11, 3.12 or 3.13 is needed; choose one with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -r requirements.txt -r requirements-dev.txt
	@$(BIN)/python -c 'import sys; from corpus_commons import boosting; sys.exit(not boosting.has_library())' || $(MAKE) libgomp
	touch $@

# LightGBM needs GCC's OpenMP library, which slim images lack.
.PHONY: libgomp
libgomp:
	@[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  || { echo "LightGBM needs libgomp: install it (Debian: apt-get install libgomp1)"; exit 1; }
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends libgomp1

browser: $(VENV)/.installed
	@$(BIN)/python -c 'import sys; from corpus_commons import browser; sys.exit(not browser.has_browser())' \
	  || $(MAKE) install-browser

# Debian's headless shell; if there is none, as on Ubuntu, Playwright's.
# Without the fonts, Chinese, Japanese and Korean text is rendered as boxes.
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

# Tests of the Redis frontier start their own servers; they are skipped if Redis is not installed.
.PHONY: test-setup redis-server
redis-server:
	@if command -v redis-server >/dev/null || command -v valkey-server >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && \
	  RUNLEVEL=1 apt-get install -y -qq --no-install-recommends redis-server; \
	else echo "redis-server is not installed: the tests of the Redis frontier will be skipped"; fi

# The alerts are tested by Prometheus' own tool; Debian has it in the server's package.
.PHONY: promtool
promtool:
	@if command -v promtool >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && \
	  RUNLEVEL=1 apt-get install -y -qq --no-install-recommends prometheus; \
	else echo "promtool is not installed: the tests of the alerts will be skipped"; fi

# The demo ends with a data set of its corpus, by the default recipe.
DEMO = runs/demo-$(MOMENT)
crawl: MOMENT := $(shell date +%Y-%m-%d-%H%M%S)
crawl: setup ## Crawl the bundled demo site, or yours: make crawl JOB=my.toml
	$(BIN)/python -m crawler $(if $(JOB),run "$(JOB)",demo --folder "$(DEMO)")
	$(if $(JOB),,$(BIN)/python -m genre_crawler corpus build "$(DEMO)/corpus" --out "$(DEMO)/dataset")

# Tests often wait for a clock or a browser, so types are checked meanwhile.
test: test-setup lint ## Lint, check types, run all tests
	$(MAKE) --no-print-directory --jobs=2 types pytest

# Images often forbid compiled modules; then each of the many processes that tests start compiles
# all of ours again.
.PHONY: pytest
pytest: export PYTHONDONTWRITEBYTECODE :=
pytest: $(VENV)/.installed
	$(BIN)/python -m pytest

docs: $(VENV)/.installed ## Build the documentation into site/, without network
	$(BIN)/zensical build --strict

release-notes: ## Print the changelog of a release: make release-notes VERSION=0.1.0
	@awk '/^## / {found = index($$2, "[$(VERSION)]") == 1; next} found' CHANGELOG.md

lint: $(VENV)/.installed ## Check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed ## Check types
	$(BIN)/mypy

clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) build site .cache *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
