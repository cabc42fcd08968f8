# What stays put: setup, play, demo, check, test, mutants, nightly, trust, soak, bench, rendered, firmware, emulator, hardware, drc, speech, screenshots, kiosk-pictures, deb, windows, windows-test, image, boot, release, install. Each does its own set-up on a fresh Debian or Raspberry Pi OS.

BIN := .venv/bin
# One more than there are cores, since some wait for pages and clocks; each one imports all tests, for ten seconds.
WORKERS ?= $(shell echo $$((1 + $$(nproc))))
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
APT := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=240 -qq
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

# Each process of the tests and of `make bench` would compile the program again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup play demo check test mutants nightly trust soak bench rendered lighthouse check-tools firmware emulator hardware drc speech screenshots kiosk-pictures debian13 image boot deb windows windows-test release install lint lint-python lint-pages test-pages test-quick test-all test-beside clean

setup: .venv/ready

# Debian's own Python is taken before another one, because every Pi has it: one that was built without profiling runs
# the rules up to a quarter slower. Debian parts venv from python3; `ensurepip` shows whether it is there.
.venv/bin/python:
	@choose() { \
	  for python in $(or $(PYTHON),/usr/bin/python3 python3); do \
	    $$python -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && return; \
	  done; \
	  return 1; \
	}; \
	choose \
	  || { command -v apt-get >/dev/null && $(APT) update && $(APT) install -y --no-install-recommends python3 python3-venv && choose; } \
	  || { echo "This needs Python 3.11 or newer. Without apt: pipx install . (or uv tool install .), then companion serve" >&2; exit 1; }; \
	$$python -m venv .venv

.venv/ready: .venv/bin/python locks/run.txt pyproject.toml
	$(PIP) install --require-hashes -r locks/run.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

.venv/ready-dev: .venv/ready locks/dev.txt
	$(PIP) install --require-hashes -r locks/dev.txt
	@touch $@

# The Nano's compiler, and the emulator's: neither is needed at a table.
AVR_MISSING := command -v avr-gcc >/dev/null && [ -e /usr/lib/avr/include/avr/io.h ] || missing="$$missing gcc-avr binutils-avr avr-libc"
SIMAVR_MISSING := command -v gcc >/dev/null && [ -e /usr/include/simavr/sim_avr.h ] || missing="$$missing gcc libc6-dev libsimavr-dev"

# Debian's browsers, node and a Japanese font for the pages' tests, poppler to see printed pages, what draws the boards'
# plans, systemd's checker of units, and strace; what is there already is left alone.
check-tools:
	@missing=""; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	command -v firefox-esr >/dev/null || missing="$$missing firefox-esr"; \
	command -v WebKitWebDriver >/dev/null || missing="$$missing webkit2gtk-driver"; \
	command -v Xvfb >/dev/null || missing="$$missing xvfb"; \
	command -v node >/dev/null || missing="$$missing nodejs"; \
	command -v npm >/dev/null || missing="$$missing npm"; \
	[ -n "$$(fc-list :lang=ja 2>/dev/null)" ] || missing="$$missing fontconfig fonts-ipafont-gothic"; \
	command -v pdftoppm >/dev/null || missing="$$missing poppler-utils"; \
	command -v dot >/dev/null || missing="$$missing graphviz"; \
	command -v openscad >/dev/null || missing="$$missing openscad"; \
	command -v systemd-analyze >/dev/null || missing="$$missing systemd"; \
	command -v avrdude >/dev/null || missing="$$missing avrdude"; \
	[ -d /usr/share/arduino/hardware/arduino/avr/cores/arduino ] || missing="$$missing arduino-core-avr"; \
	command -v strace >/dev/null || missing="$$missing strace"; \
	{ command -v mosquitto || [ -x /usr/sbin/mosquitto ]; } >/dev/null || missing="$$missing mosquitto"; \
	{ command -v mkfs.ext4 || [ -x /usr/sbin/mkfs.ext4 ]; } >/dev/null || missing="$$missing e2fsprogs"; \
	[ -x /usr/bin/python3 ] || missing="$$missing python3"; \
	$(AVR_MISSING); $(SIMAVR_MISSING); \
	[ -z "$$missing" ] || { $(APT) update && $(APT) install -y --no-install-recommends $$missing; }
	@# Without windows a page costs a fifth of the processor's time; where it cannot be had, chromium does.
	@command -v chromium-headless-shell >/dev/null \
	  || { $(APT) update && $(APT) install -y --no-install-recommends chromium-headless-shell; } \
	  || echo "The pages' tests take longer: chromium-headless-shell cannot be installed."

# What checks the browser code; nothing of it is shipped.
node_modules/.ready: package-lock.json
	@missing=""; \
	command -v node >/dev/null || missing="$$missing nodejs"; \
	command -v npm >/dev/null || missing="$$missing npm"; \
	[ -z "$$missing" ] || { $(APT) update && $(APT) install -y --no-install-recommends $$missing; }
	npm ci --silent --no-audit --no-fund
	@touch $@

tests/browser/node_modules/.ready: tests/browser/package-lock.json | check-tools
	cd tests/browser && npm ci --silent --no-audit --no-fund
	@touch $@

firmware:
	@missing=""; $(AVR_MISSING); \
	[ -z "$$missing" ] || { $(APT) update && $(APT) install -y --no-install-recommends $$missing; }
	@$(MAKE) --no-print-directory -C firmware report

emulator: firmware
	@missing=""; $(SIMAVR_MISSING); \
	[ -z "$$missing" ] || { $(APT) update && $(APT) install -y --no-install-recommends $$missing; }
	@$(MAKE) --no-print-directory -C firmware emulator

play: setup
	$(BIN)/companion serve --open

# The documents' pictures, from what the tests of the pages leave.
screenshots: .venv/ready-dev tests/browser/node_modules/.ready
	$(BIN)/python -m pytest -q -n 2 --screenshots tests/browser/games tests/browser/screens/test_demo.py tests/browser/screens/test_club.py tests/browser/screens/test_screens.py
	$(BIN)/python -m pytest -q -n 2 --screenshots -m soak tests/browser/screens/test_demo.py tests/browser/screens/test_screens.py
	$(BIN)/python -m tools.readme_pictures

# What the Pi's own screen shows at its first start, into tests/browser/shots; as root, and nothing is installed here.
kiosk-pictures: .venv/ready-dev check-tools
	$(BIN)/python -m tools.kiosk_pictures

# A table, its phones and its board on one page, to try it alone.
demo: setup
	$(BIN)/companion demo

lint: lint-python lint-pages

lint-python: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-pages: node_modules/.ready
	npm run --silent lint

test-pages:
	node --test tests/web/

test-quick: .venv/ready-dev
	@env -u MAKEFLAGS $(BIN)/python -m pytest -q -n $$((1 + $$(nproc))) --dist loadfile -m 'not slow' --durations 10

test-all: .venv/ready-dev
	@env -u MAKEFLAGS $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -p tools.stamps --stamps $(if $(FRESH)$(CI),write,use)

# What is one process each, beside the tests: no core waits for another.
test-beside:
	@$(MAKE) --no-print-directory --output-sync=target lint-python lint-pages test-pages

# Debian's osslsigncode checks the signatures on Windows's Python; the hashes are checked in any case.
windows: .venv/ready-dev
	@command -v osslsigncode >/dev/null || { $(APT) update && $(APT) install -y --no-install-recommends osslsigncode openssl; }
	$(BIN)/python -m hardware.windows

# What runs programs for Windows; only this needs it.
/usr/lib/wine/wine64:
	$(APT) update && $(APT) install -y --no-install-recommends wine wine64

# That zip under Wine, in a folder with spaces and umlauts: an evening, an undo, a photo, a replay, a plug pulled in the
# middle of a turn, and the tests that Windows's Python can run.
windows-test: .venv/ready-dev check-tools tests/browser/node_modules/.ready /usr/lib/wine/wine64 windows
	$(BIN)/python -m tools.windows

# Before each commit: all but the tests that start programs or take long (the marker `slow`).
check: .venv/ready-dev node_modules/.ready
	@$(MAKE) --no-print-directory -j2 test-quick test-beside

# All tests but the slow ones of modules of which nothing has changed since they passed; FRESH=1 runs these too.
test: .venv/ready-dev node_modules/.ready check-tools emulator tests/browser/node_modules/.ready
	@$(MAKE) --no-print-directory -j2 test-all test-beside

# Firefox and WebKit, what repeats in another size, language or seed what `make test` shows, and new random examples.
nightly: .venv/ready-dev check-tools tests/browser/node_modules/.ready emulator
	$(BIN)/python -m tools.acceptance S2

# A hundred one-line faults, one at a time: how many do the tests find? Half an hour on two cores.
mutants: .venv/ready-dev node_modules/.ready check-tools emulator tests/browser/node_modules/.ready
	$(BIN)/python -m tools.mutants

# Draw the plans again from hardware/pins.toml and hardware/parts.toml; the strip only where KiCad is.
hardware: .venv/ready-dev check-tools
	$(BIN)/python -m hardware.plans
	! /usr/bin/python3 -c 'import pcbnew' 2>/dev/null || /usr/bin/python3 -m hardware.presence.strip.draw

# KiCad's design rules for the strip. KiCad is 470 MB: only this installs it, the tests ask it where it is.
# Its footprints come with it: without them the strip can be checked, but not drawn.
drc:
	@{ /usr/bin/python3 -c 'import pcbnew' && [ -d /usr/share/kicad/footprints ]; } 2>/dev/null \
	  || { $(APT) update && $(APT) install -y --no-install-recommends python3 kicad kicad-footprints; }
	@mkdir -p build
	/usr/bin/python3 -m hardware.presence.strip.draw check hardware/presence/strip/strip.kicad_pcb build/strip.rpt

# Build the spoken sentences again from web/i18n/speech; the tests and a table do without these tools.
speech: .venv/ready
	@missing=""; \
	command -v espeak-ng >/dev/null || missing="$$missing espeak-ng"; \
	command -v opusenc >/dev/null || missing="$$missing opus-tools"; \
	command -v lame >/dev/null || missing="$$missing lame"; \
	[ -z "$$missing" ] || { $(APT) update && $(APT) install -y --no-install-recommends $$missing; }
	$(BIN)/python -m web.speech

# Roots of Debian, disks, and machines of both processors.
IMAGE_TOOLS := build/.image-tools
build/.image-tools:
	$(APT) update && $(APT) install -y --no-install-recommends mmdebstrap qemu-user-static qemu-system-x86 qemu-system-arm qemu-utils ipxe-qemu e2fsprogs dosfstools mtools fdisk
	@mkdir -p build && touch $@

# A disk image of Debian 13 with the table installed, in build/image; ARCH=arm64 is a Pi's. As root.
image: .venv/ready-dev $(IMAGE_TOOLS)
	$(BIN)/python -m hardware.image $(ARCH)

# That image switched on in QEMU: a line for each check.
boot: .venv/ready-dev check-tools $(IMAGE_TOOLS)
	$(BIN)/python -m tools.boot $(ARCH)

# The Debian package for this machine, and the bundle for updates, both in dist/; lintian's errors end it.
# With ARCH=arm64 or amd64 for Debian 13 on that processor, in dist/ARCH.
deb: setup
	@missing=""; \
	[ -x /usr/bin/python3 ] || missing="$$missing python3"; \
	command -v lintian >/dev/null || missing="$$missing lintian"; \
	[ -z "$$missing" ] || { $(APT) update && $(APT) install -y --no-install-recommends $$missing; }
	$(BIN)/python -m hardware.deb $(ARCH)
	lintian --fail-on error dist/$(ARCH)/table-companion_*.deb

# The released files, their sums and the list of what they hold, in dist/release. PARTS="python windows firmware boards kits"
# leaves out the packages and images of Debian 13; the images need root.
release: .venv/ready-dev $(if $(PARTS),,$(IMAGE_TOOLS))
	@command -v osslsigncode >/dev/null || { $(APT) update && $(APT) install -y --no-install-recommends osslsigncode openssl; }
	$(BIN)/python -m hardware.release $(PARTS)

# This machine as the table's own: the package, what it recommends itself (what that recommends in turn brings a printer's
# configurator and 138 other packages), and what `companion install` lays.
install: deb
	$(APT) satisfy -y --no-install-recommends "$$(dpkg-deb -f dist/table-companion_*.deb Recommends)"
	$(APT) install -y --reinstall --no-install-recommends ./dist/table-companion_*.deb
	$(SUDO) companion install

# What makes a system read-only, to be looked into: installed it would change how this machine starts.
build/overlayroot:
	mkdir -p build
	cd build && rm -f overlayroot_*.deb && { apt-get -qq download overlayroot || { $(APT) update && apt-get -qq download overlayroot; }; }
	dpkg-deb -x build/overlayroot_*.deb $@.new && mv $@.new $@

# Builds roots of other Debian releases.
/usr/sbin/debootstrap:
	$(APT) update && $(APT) install -y --no-install-recommends debootstrap

# Set-up, tests, package and a table in a root of Debian 13, as root.
debian13: .venv/ready-dev /usr/sbin/debootstrap
	$(BIN)/python -m tools.acceptance.debian13

# Every promise on a line of its own: minutes, and hours.
trust: .venv/ready-dev check-tools tests/browser/node_modules/.ready emulator build/overlayroot /usr/sbin/debootstrap /usr/lib/wine/wine64 windows
	$(BIN)/python -m tools.acceptance

soak: .venv/ready-dev check-tools tests/browser/node_modules/.ready emulator build/overlayroot /usr/sbin/debootstrap /usr/lib/wine/wine64 windows $(IMAGE_TOOLS)
	$(BIN)/python -m tools.acceptance --soak

# What the rules are measured beside, in an environment of its own.
.venv/peers/ready: locks/peers.txt .venv/bin/python
	$(BIN)/python -m venv .venv/peers
	.venv/peers/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes -r locks/peers.txt
	@touch $@

# What judges the pages; the tests do without it.
tools/bench/lighthouse/node_modules/.ready: tools/bench/lighthouse/package-lock.json | check-tools
	cd tools/bench/lighthouse && npm ci --silent --no-audit --no-fund
	@touch $@

lighthouse: .venv/ready-dev check-tools tools/bench/lighthouse/node_modules/.ready
	$(BIN)/python -m tools.bench lighthouse_scores

# Pictures of tables by Blender's path tracer, for `make bench`: 250 of each kind, 11 s each on two cores, 1 GB of packages.
rendered: .venv/ready-dev check-tools
	$(BIN)/python -m tools.photos.rendered make

bench: .venv/ready-dev .venv/peers/ready check-tools emulator tools/bench/lighthouse/node_modules/.ready
	$(BIN)/python -m tools.bench

clean:
	rm -rf .venv node_modules tests/browser/node_modules tools/bench/lighthouse/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
