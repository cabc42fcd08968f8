"""The wire to a sensor board: frames, messages, one session, and the thread that polls."""
