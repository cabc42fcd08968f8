"""The companion: a Raspberry Pi beside a real hidden-movement game."""

__version__ = "1.0.0"
