"""A folder with a system of Debian 13 in it, and commands that run there, as root."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from hardware.checkout import source_date_epoch
from hardware.image.emulated import run

SUITE, MIRROR = "trixie", "http://deb.debian.org/debian"
COMPONENTS = "main contrib non-free-firmware"
SOURCES = (
    f"deb {MIRROR} {SUITE} {COMPONENTS}\n"
    f"deb {MIRROR} {SUITE}-updates {COMPONENTS}\n"
    f"deb {MIRROR}-security {SUITE}-security {COMPONENTS}\n"
)
AUTHORITIES = "etc/ssl/certs/ca-certificates.crt"
"""A network may have a certificate authority of its own, which this machine knows."""
NETWORK = ("etc/resolv.conf", "etc/hosts")
ENVIRONMENT = {
    "PATH": os.defpath + ":/usr/local/bin:/usr/sbin:/sbin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_CERT": f"/{AUTHORITIES}",
    "PIP_DEFAULT_TIMEOUT": "180",
}

LAY_NATIVE = """\
set -e
mkdir "$1/usr/lib64"
ln -s usr/lib64 "$1/lib64"
for tool in dpkg-deb tar rm; do
  cp /usr/bin/$tool "$1/usr/sbin"
  cp -L --parents $(ldd /usr/bin/$tool | grep -o '/lib[^ ]*') "$1"
done
"""
"""Gives a root for another processor this machine's own dpkg-deb, tar and rm, which its PATH finds
first: emulated, they take twice as much of the processor.
"""
REMOVE_NATIVE = """\
set -e
cd "$1"
rm -r lib64 usr/lib64 usr/lib/x86_64-linux-gnu usr/sbin/dpkg-deb usr/sbin/tar usr/sbin/rm
"""


class DebianRoot:
    """A system of Debian 13 for `arch` in the folder `path`; `emulation` are the words before a
    command that let its programs run here.
    """

    def __init__(self, path: Path, arch: str, emulation: Sequence[str]) -> None:
        self.path = path.resolve()
        self.arch = arch
        self._emulation = emulation

    def make(self, packages: Sequence[str]) -> None:
        """Build it with these packages beside the smallest system; nothing is recommended."""
        self.delete()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        sources = self.path.parent / "sources.list"
        sources.write_text(SOURCES, encoding="ascii")
        options = ["--mode=root", "--skip=check/qemu", "--dpkgopt=force-unsafe-io", "--quiet"]
        named = [f"--arch={self.arch}", "--variant=minbase"]
        named += [f"--include={','.join(packages)}"] if packages else []
        if self._emulation:
            named += [f"--extract-hook={LAY_NATIVE}", f"--customize-hook={REMOVE_NATIVE}"]
        words = [*self._emulation, "mmdebstrap", *options, *named, SUITE, self.path, sources]
        run([str(word) for word in words], SOURCE_DATE_EPOCH=str(source_date_epoch()))

    def copy(self, name: str) -> DebianRoot:
        """Copy it to a folder beside it, in place of what is there; return the copy."""
        other = DebianRoot(self.path.with_name(name), self.arch, self._emulation)
        other.delete()
        run(["cp", "-a", "--reflink=auto", str(self.path), str(other.path)])
        return other

    def delete(self) -> None:
        """Delete the folder; whatever is mounted below it stops this."""
        mounts = Path("/proc/mounts").read_text(encoding="utf-8")
        if f" {self.path}/" in mounts:
            raise SystemExit(f"something is mounted in {self.path}")
        shutil.rmtree(self.path, ignore_errors=True)

    def borrow_network(self) -> None:
        """Copy this machine's name servers and authorities: only a root that builds gets them."""
        for name in (*NETWORK, AUTHORITIES):
            target = self.path / name
            if target.parent.is_dir():
                target.unlink(missing_ok=True)
                target.write_bytes((Path("/") / name).read_bytes())

    def run(self, command: str, **folders: Path) -> str:
        """Run a shell command inside, with each of `folders` at /run/NAME; return what it
        printed.
        """
        path = shlex.quote(str(self.path))
        mounts = (
            f"cd {path}; mount --bind . .; cd {path}; mount -t proc proc proc; "
            "mount --rbind /dev dev; mount -t tmpfs run run"
        )
        for name, folder in folders.items():
            source = shlex.quote(str(folder.resolve()))
            mounts += f"; mkdir run/{name}; mount --bind {source} run/{name}"
        environment = ENVIRONMENT | {"SOURCE_DATE_EPOCH": str(source_date_epoch())}
        clean = ["env", "-i", *(f"{name}={value}" for name, value in environment.items())]
        entered = shlex.join(["chroot", ".", *clean, "sh", "-ec", command])
        apart = ["unshare", "-mpf", "--kill-child", "--propagation", "private"]
        return run([*self._emulation, *apart, "sh", "-ec", f"{mounts}; exec {entered}"])
