"""How large a photo may be; apart from photo.py so that the service knows it without a decoder of
pictures in it.
"""

MAX_PHOTO_BYTES = 12 * 1024 * 1024
MAX_PHOTO_PIXELS = 24_000_000
MAX_PHOTO_SIDE = 30_000
"""Pixels of a side: what reads codes takes 65,535, and is given pictures of twice the size too."""
