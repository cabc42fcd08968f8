"""Photos and camera frames: codes, alignment, tracking, sandboxed decoders."""
