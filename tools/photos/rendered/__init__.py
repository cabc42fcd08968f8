"""Photos of tables rendered by a path tracer, with the truth beside each picture."""
