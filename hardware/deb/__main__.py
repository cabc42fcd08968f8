"""Build the Debian package and the offline bundle: `make deb [ARCH=arm64]`.

Writes dist/table-companion_VERSION_ARCH.deb for this machine, or into dist/ARCH for Debian 13 on
that processor, and the bundle for updates without network. Every library comes from locks/run.txt,
with its hash; some hold compiled code, so a package fits only one architecture (amd64, arm64) and
one version of Python. Nothing is compiled here: any Debian builds for any of them. Installing a
package needs no network.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import sys
import tarfile
from collections.abc import Iterator, Sequence
from email.utils import formatdate
from pathlib import Path
from typing import NamedTuple

from companion import __version__
from hardware.checkout import run, source_date_epoch

CHECKOUT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
NAME = "table-companion"
HOME = f"/usr/lib/{NAME}"
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
"""Debian's names of processors, and those of wheels."""
DEBIAN_13 = "3.13"
"""Its Python."""
GLIBC = range(17, 37)
"""The C libraries 2.17, which the oldest wheels ask for, to 2.36, which Debian 12 has."""
UNWANTED = ("bin", "reportlab/fonts")
"""Libraries' commands, and fonts that the print kit does not use and Debian may not distribute."""


class Target(NamedTuple):
    """What a package is for: a processor, by Debian's name, and a version of Python."""

    arch: str
    python: str

    @classmethod
    def here(cls) -> Target:
        """Return this machine's."""
        version = run("/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
        return cls(run("dpkg", "--print-architecture").strip(), version.strip())

    def options(self) -> list[str]:
        """Return pip's options for wheels that fit it."""
        machine = MACHINES[self.arch]
        tags = [f"manylinux2014_{machine}", *(f"manylinux_2_{each}_{machine}" for each in GLIBC)]
        abis = (f"cp{self.python.replace('.', '')}", "abi3", "none")
        return [
            *(f"--platform={tag}" for tag in tags),
            *("--python-version", self.python, "--implementation", "cp"),
            *(f"--abi={abi}" for abi in abis),
        ]


def build(
    out: Path,
    work: Path,
    packing: Sequence[str] = ("-Zxz", "-z2"),
    key: Path | None = None,
    target: Target | None = None,
) -> Path:
    """Build the package into `out`, with temporary files in `work`; return its path.

    key: the private key for bundles that machines with this package accept; None makes one in
    `work`
    target: None is this machine
    """
    target = target or Target.here()
    shutil.rmtree(work, ignore_errors=True)
    bundle, tree = work / "bundle", work / "tree"
    wheels(work / "wheels", bundle, target)
    program(tree, bundle, target)
    public_key(key or work / "release.key", tree / HOME[1:] / "release.pub")
    papers(tree, bundle, target)
    epoch = source_date_epoch()
    for path in (tree, *tree.rglob("*")):
        # dpkg-deb leaves older times as they are, and two checkouts have others.
        os.utime(path, (epoch, epoch), follow_symlinks=False)
        if not path.is_symlink():
            path.chmod(
                0o755 if path.is_dir() or path.parent.name == "bin" or is_script(path) else 0o644
            )
    out.mkdir(parents=True, exist_ok=True)
    for former in out.glob(f"{NAME}_*.deb"):
        former.unlink()
    package = out / f"{NAME}_{__version__}_{target.arch}.deb"
    run(
        "dpkg-deb",
        "--root-owner-group",
        *packing,
        "--build",
        str(tree),
        str(package),
        SOURCE_DATE_EPOCH=str(epoch),
    )
    return package


def wheels(every: Path, bundle: Path, target: Target) -> None:
    """Make the bundle: the program and its libraries as wheels, with their hashes."""
    lock = str(CHECKOUT / "locks/run.txt")
    downloaded = ("--no-deps", "--require-hashes", "-r", lock, "-d", str(every))
    pip("download", *target.options(), *downloaded)
    for source in (*every.glob("*.tar.gz"), *every.glob("*.zip")):
        pip("wheel", "--no-deps", str(source), "-w", str(every))
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(every))
    # The lock also lists build tools, which no library requires.
    here = ("--no-index", "--find-links", str(every), "--only-binary=:all:")
    pip("download", *target.options(), *here, "-d", str(bundle / "wheels"), NAME)
    (bundle / "run.txt").write_text(
        "".join(locked(sorted((bundle / "wheels").glob("*.whl")))), encoding="ascii"
    )
    (bundle / "VERSION").write_text(f"{__version__}\n", encoding="ascii")


def locked(found: list[Path]) -> Iterator[str]:
    """Yield the line of a lock for each wheel."""
    for wheel in found:
        name, version = wheel.name.split("-")[:2]
        yield f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def program(tree: Path, bundle: Path, target: Target) -> None:
    """Install the program into a virtual environment without pip, for Debian's own Python."""
    home = tree / HOME[1:]
    packages = home / f"lib/python{target.python}/site-packages"
    here = ("--no-index", "--no-deps", "--find-links", str(bundle / "wheels"))
    options = (*target.options(), *here, "--no-compile", "--no-warn-script-location")
    pip(
        *("install", "--ignore-requires-python", *options, "--require-hashes"),
        *("-r", str(bundle / "run.txt"), "--target", str(packages)),
    )
    for unwanted in UNWANTED:
        shutil.rmtree(packages / unwanted)
    # The sums of removed commands, which hold the checkout's path.
    for record in packages.glob("*.dist-info/RECORD"):
        lines = record.read_text("utf-8").splitlines(keepends=True)
        record.write_text(
            "".join(line for line in lines if not line.startswith("../../bin/")), "utf-8"
        )
    (home / "bin").mkdir()
    (home / "bin/python3").symlink_to("../../../bin/python3")
    # Allow the system's packages: RPi.GPIO and OpenCV come from apt.
    (home / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = true\nversion = {target.python}\n"
    )
    (home / "bin/companion").write_text(
        f"#!{HOME}/bin/python3 -Ps\nfrom companion.__main__ import entry_point\n\nentry_point()\n"
    )
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/companion").symlink_to(f"../lib/{NAME}/bin/companion")


def release_key() -> Path:
    """Return the path of the builder's private key, which signs bundles."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / "companion/release.key"


def make_key(key: Path) -> None:
    """Make a private key (Ed25519, PEM) with mode 0600, unless it is there."""
    if not key.exists():
        key.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(key, os.O_CREAT | os.O_EXCL, 0o600))
        run("openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key))


def public_key(key: Path, target: Path) -> None:
    """Write the public part of a private key; make a missing key."""
    make_key(key)
    run("openssl", "pkey", "-in", str(key), "-pubout", "-out", str(target))


def sign(bundle: Path, target: Path, key: Path) -> None:
    """Write a bundle as the archive `target`, and its signature as `target`.sig."""
    with tarfile.open(target, "w") as archive:
        for path in sorted(path for path in bundle.rglob("*") if path.is_file()):
            member = tarfile.TarInfo(str(path.relative_to(bundle)))
            member.size, member.mtime = path.stat().st_size, source_date_epoch()
            with path.open("rb") as file:
                archive.addfile(member, file)
    run(
        "openssl",
        "pkeyutl",
        "-sign",
        "-inkey",
        str(key),
        "-rawin",
        "-in",
        str(target),
        "-out",
        f"{target}.sig",
    )


def papers(tree: Path, bundle: Path, target: Target) -> None:
    """Write the files that Debian requires: copyright, changelog, and the scripts that apt runs."""
    documents = tree / f"usr/share/doc/{NAME}"
    documents.mkdir(parents=True)
    shutil.copy(CHECKOUT / "README.md", documents / "README.md")
    shutil.copytree(CHECKOUT / "docs", documents / "docs", ignore=shutil.ignore_patterns("results"))
    shutil.copy(HERE / "copyright", documents / "copyright")
    entry = (
        f"{NAME} ({__version__}) stable; urgency=medium\n\n  * See CHANGELOG.md of the program.\n\n"
        f" -- {maintainer()}  {formatdate(source_date_epoch())}\n"
    )
    write_zipped(documents / "changelog.gz", entry)
    pages = tree / "usr/share/man/man1"
    pages.mkdir(parents=True)
    write_zipped(pages / "companion.1.gz", (HERE / "companion.1").read_text(encoding="utf-8"))
    overrides = tree / "usr/share/lintian/overrides"
    overrides.mkdir(parents=True)
    shutil.copy(HERE / "lintian-overrides", overrides / NAME)
    control = tree / "DEBIAN"
    control.mkdir()
    kilobytes = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file()) // 1024
    facts = {
        "version": __version__,
        "architecture": target.arch,
        "python": target.python,
        "next": f"3.{int(target.python.removeprefix('3.')) + 1}",
        "libc": libc(bundle),
        "size": str(kilobytes),
        "unsealed": (HERE / "unsealed").read_text(encoding="utf-8").strip(),
    }
    for name in ("control", "preinst", "postinst", "prerm", "postrm"):
        text = (HERE / name).read_text(encoding="utf-8")
        (control / name).write_text(
            re.sub(r"@(\w+)@", lambda word: facts[word[1]], text), encoding="utf-8"
        )
    (control / "md5sums").write_text("".join(sums(tree)), encoding="utf-8")


def sums(tree: Path) -> Iterator[str]:
    """Yield the checksum lines for `dpkg --verify`."""
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts:
            yield f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n"


def is_script(path: Path) -> bool:
    """Return whether a file is one of the scripts that apt or root runs."""
    return path.parent.name == "DEBIAN" and path.name in ("preinst", "postinst", "prerm", "postrm")


def libc(bundle: Path) -> str:
    """Return the oldest C library version that all wheels support, by their names."""
    names = " ".join(wheel.name for wheel in (bundle / "wheels").glob("*.whl"))
    # The oldest of several tags in one name counts.
    least = [
        min(map(int, re.findall(r"manylinux_2_(\d+)", name)))
        for name in names.split()
        if "manylinux_2_" in name
    ]
    return f"2.{max(least)}"


def maintainer() -> str:
    """Return the maintainer from the control file."""
    return re.search(
        r"^Maintainer: (.+)$", (HERE / "control").read_text(encoding="utf-8"), re.MULTILINE
    )[1]  # type: ignore[index]


def write_zipped(path: Path, text: str) -> None:
    """Write a text as gzip, the same bytes each time."""
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def pip(*words: str) -> None:
    """Run pip."""
    command = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words)
    run(*command, SOURCE_DATE_EPOCH=str(source_date_epoch()))


def build_for(arch: str | None = None) -> Path:
    """Build the package and its signed bundle for Debian 13 on a processor, into dist/ARCH; None is
    this machine, into dist. Return the package's path.
    """
    out = CHECKOUT / "dist" / (arch or "")
    target = Target(arch, DEBIAN_13) if arch else None
    work, owners = CHECKOUT / "build/deb" / (arch or ""), release_key()
    package = build(out, work, key=owners, target=target)
    sign(work / "bundle", out / f"{NAME}-{__version__}.tar", owners)
    return package


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arch", nargs="?", choices=list(MACHINES))
    package = build_for(parser.parse_args().arch)
    print(
        f"{package.relative_to(CHECKOUT)}: {package.stat().st_size // 1_000_000} MB; beside it the "
        f"same for /opt/companion/incoming (.tar, .tar.sig), signed with {release_key()}"
    )


if __name__ == "__main__":
    main()
