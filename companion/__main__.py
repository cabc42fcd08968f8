"""`companion`, and `python -m companion`: the command line."""

from __future__ import annotations

import gc


def entry_point() -> None:
    """Run the command line."""
    # While the modules are loaded, each collection would look at all of them: a fifth of the time.
    gc.disable()
    from companion.cli import main
    from companion.terminal import prepare_streams, reporting_full_output

    gc.freeze()
    gc.enable()
    prepare_streams()
    with reporting_full_output():
        main()


if __name__ == "__main__":
    entry_point()
