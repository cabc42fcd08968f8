"""How large a photo may be; apart from photo.py so that the service knows it without a decoder of pictures in it."""

MOST_BYTES = 12 * 1024 * 1024
MOST_PIXELS = 24_000_000
