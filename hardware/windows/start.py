"""What *Table Companion* runs on Windows: the table, in a window that stays open after an error."""

from __future__ import annotations

import sys

from companion.__main__ import entry_point

FIREWALL = (
    "If Windows asks whether Python may be reached from networks, allow private ones: without that "
    "no phone finds the table.\n"
)

if __name__ == "__main__":
    print(FIREWALL, flush=True)
    sys.argv = ["companion", "serve", "--open", *sys.argv[1:]]
    try:
        entry_point()
    except SystemExit as end:
        if end.code and sys.stdin.isatty():
            input("\nEnter closes this window. ")
        raise
