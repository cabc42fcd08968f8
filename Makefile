# What stays put: setup, play, test, bench. Each does its own set-up on a fresh Debian or Raspberry Pi OS.

PYTHON ?= python3
BIN := .venv/bin
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
APT := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=240 -qq
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: setup play test bench check-tools lint clean

setup: .venv/ready

# Debian parts venv from python3; `ensurepip` tells whether it is there.
.venv/bin/python:
	@$(PYTHON) -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { $(APT) update && $(APT) install -y --no-install-recommends python3 python3-venv; }
	$(PYTHON) -m venv .venv

.venv/ready: .venv/bin/python locks/run.txt pyproject.toml
	$(PIP) install --require-hashes -r locks/run.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

.venv/ready-dev: .venv/ready locks/dev.txt
	$(PIP) install --require-hashes -r locks/dev.txt
	@touch $@

# Debian's browser, node and a Japanese font for the pages' tests, and systemd's checker of units; what is there already
# is left alone.
check-tools:
	@missing=""; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	command -v node >/dev/null || missing="$$missing nodejs"; \
	command -v npm >/dev/null || missing="$$missing npm"; \
	[ -n "$$(fc-list :lang=ja 2>/dev/null)" ] || missing="$$missing fontconfig fonts-ipafont-gothic"; \
	command -v systemd-analyze >/dev/null || missing="$$missing systemd"; \
	[ -z "$$missing" ] || { $(APT) update && $(APT) install -y --no-install-recommends $$missing; }

tests/browser/node_modules/.ready: tests/browser/package-lock.json | check-tools
	cd tests/browser && npm ci --silent --no-audit --no-fund
	@touch $@

play: setup
	$(BIN)/companion serve

lint: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint check-tools tests/browser/node_modules/.ready
	node --test tests/web/
	$(BIN)/python -m pytest

bench: .venv/ready-dev
	$(BIN)/python -m tests.bench

clean:
	rm -rf .venv tests/browser/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
