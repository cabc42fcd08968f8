"""`companion`, and `python -m companion`: the command line."""

from __future__ import annotations

import gc


def main() -> None:
    """Run the command line."""
    # While the modules are loaded, each collection would look at all of them: a fifth of the time.
    gc.disable()
    from companion.cli import main as command

    gc.freeze()
    gc.enable()
    command()


if __name__ == "__main__":
    main()
