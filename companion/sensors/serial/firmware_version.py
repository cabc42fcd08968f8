"""The version of the Nano's firmware that this program brings."""
# Made by firmware/generate.py from hardware/pins.toml: change that and run it again.

FIRMWARE = "2.0"
"""As `fw=` in the greeting."""
NANO = "companion-nano"
"""As `kind=` in the greeting; only such a board's version is compared."""
