"""A mount namespace in which programs for arm64 run through QEMU, as root.

A user namespace has a binfmt_misc of its own (Linux 6.7), so this machine's stays as it is.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

QEMU = "/usr/bin/qemu-aarch64-static"
MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
RULE = f":qemu-aarch64:M::{MAGIC}:{MASK}:{QEMU}:FP"
"""The entry for binfmt_misc: ELF files for arm64 are run by QEMU, opened once (F)."""
IDS = "0 0 65536"
PATIENCE = 10
"""Seconds until the kernel has made a user namespace."""


@contextmanager
def emulation(arch: str) -> Iterator[list[str]]:
    """Yield the words to write before a command so that programs for `arch` run, as root; none
    where the processor runs them itself.
    """
    if arch == native():
        yield []
        return
    holder = subprocess.Popen(["unshare", "-U", "sleep", "infinity"])
    try:
        map_ids(holder.pid)
        register = (
            "mount -t binfmt_misc none /proc/sys/fs/binfmt_misc; "
            f"printf %s {shlex.quote(RULE)} > /proc/sys/fs/binfmt_misc/register; "
            'exec "$@"'
        )
        yield [
            *("nsenter", "-U", "-t", str(holder.pid)),
            *("unshare", "-m", "--propagation", "private", "sh", "-ec", register, "sh"),
        ]
    finally:
        holder.kill()
        holder.wait()


def native() -> str:
    """Return Debian's name of this machine's architecture."""
    return run(["dpkg", "--print-architecture"]).strip()


def map_ids(pid: int) -> None:
    """Map all users and groups of a process's new user namespace to themselves."""
    end = time.monotonic() + PATIENCE
    own = os.readlink("/proc/self/ns/user")
    while os.readlink(f"/proc/{pid}/ns/user") == own:
        if time.monotonic() > end:
            raise TimeoutError("no user namespace")
        time.sleep(0.01)
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{pid}/{name}").write_text(IDS, encoding="ascii")


def run(words: Sequence[str], **environment: str) -> str:
    """Run a command and return what it printed; raise `SystemExit` with its end if it fails."""
    done = subprocess.run(
        words,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{shlex.join(words[:6])} … failed:\n{done.stdout[-4000:]}")
    return done.stdout
