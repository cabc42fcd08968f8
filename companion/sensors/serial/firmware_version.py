"""The version of the boards' firmware that this program brings.

Made by firmware/generate.py from hardware/pins.toml: change that and run it again.
"""

FIRMWARE = 0x0103
"""As in `HelloReply`: 0x0102 is 1.2."""
