"""How large a photo may be; apart from photo.py so that the service knows it without a decoder of
pictures in it.
"""

MOST_BYTES = 12 * 1024 * 1024
MOST_PIXELS = 24_000_000
MOST_SIDE = 30_000
"""Pixels of a side: what reads codes takes 65,535, and is given pictures of twice the size too."""
