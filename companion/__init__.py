"""The companion: a Raspberry Pi beside a real hidden-movement game."""

__version__ = "0.1.0"
