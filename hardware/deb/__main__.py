"""Build the Debian package and the offline bundle: `make deb`.

Writes dist/table-companion_VERSION_ARCH.deb, and the bundle for updates without network.
Every library comes from locks/run.txt, with its hash; some hold compiled code, so a package fits
only the architecture (amd64, arm64) and the Python on which it was built. Installing one needs no
network.
"""

from __future__ import annotations

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

from companion import __version__
from hardware.checkout import run, source_date_epoch

CHECKOUT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
NAME = "table-companion"
HOME = f"/usr/lib/{NAME}"
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
NEXT = f"{sys.version_info.major}.{sys.version_info.minor + 1}"
UNWANTED = ("bin", "reportlab/fonts")
"""Libraries' commands, and fonts that the print kit does not use and Debian may not distribute."""


def build(
    out: Path, work: Path, packing: Sequence[str] = ("-Zxz", "-z2"), key: Path | None = None
) -> Path:
    """Build the package into `out`, with temporary files in `work`; return its path.

    key: the private key for bundles that machines with this package accept; None makes one in
    `work`
    """
    system = run(
        "/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"
    ).strip()
    if system != PYTHON:
        sys.exit(
            f"make deb: this is Python {PYTHON} and Debian's own is {system}; "
            f"PYTHON=/usr/bin/python3 in a new .venv"
        )
    shutil.rmtree(work, ignore_errors=True)
    bundle, tree = work / "bundle", work / "tree"
    wheels(work / "wheels", bundle)
    program(tree, bundle)
    public_key(key or work / "release.key", tree / HOME[1:] / "release.pub")
    papers(tree, bundle)
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(
                0o755 if path.is_dir() or path.parent.name == "bin" or is_script(path) else 0o644
            )
    out.mkdir(parents=True, exist_ok=True)
    for former in out.glob(f"{NAME}_*.deb"):
        former.unlink()
    package = out / f"{NAME}_{__version__}_{architecture()}.deb"
    run(
        "dpkg-deb",
        "--root-owner-group",
        *packing,
        "--build",
        str(tree),
        str(package),
        SOURCE_DATE_EPOCH=str(source_date_epoch()),
    )
    return package


def wheels(every: Path, bundle: Path) -> None:
    """Make the bundle: the program and its libraries as wheels, with their hashes."""
    pip("wheel", "--require-hashes", "-r", str(CHECKOUT / "locks/run.txt"), "-w", str(every))
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(every))
    # The lock also lists build tools, which no library requires.
    pip("download", "--no-index", "--find-links", str(every), "-d", str(bundle / "wheels"), NAME)
    (bundle / "run.txt").write_text(
        "".join(locked(sorted((bundle / "wheels").glob("*.whl")))), encoding="ascii"
    )
    (bundle / "VERSION").write_text(f"{__version__}\n", encoding="ascii")


def locked(found: list[Path]) -> Iterator[str]:
    """Yield the line of a lock for each wheel."""
    for wheel in found:
        name, version = wheel.name.split("-")[:2]
        yield f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def program(tree: Path, bundle: Path) -> None:
    """Install the program into a virtual environment without pip, for Debian's own Python."""
    home = tree / HOME[1:]
    packages = home / f"lib/python{PYTHON}/site-packages"
    lock, links = str(bundle / "run.txt"), str(bundle / "wheels")
    pip(
        "install",
        "--no-index",
        "--find-links",
        links,
        "--require-hashes",
        "-r",
        lock,
        "--no-compile",
        "--no-warn-script-location",
        "--target",
        str(packages),
    )
    for unwanted in UNWANTED:
        shutil.rmtree(packages / unwanted)
    (home / "bin").mkdir()
    (home / "bin/python3").symlink_to("../../../bin/python3")
    # Allow the system's packages: RPi.GPIO and OpenCV come from apt.
    (home / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = true\nversion = {PYTHON}\n"
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


def papers(tree: Path, bundle: Path) -> None:
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
        "architecture": architecture(),
        "python": PYTHON,
        "next": NEXT,
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


def architecture() -> str:
    """Return Debian's name for this machine's architecture."""
    return run("dpkg", "--print-architecture").strip()


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
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words)


if __name__ == "__main__":
    owners = release_key()
    made = build(CHECKOUT / "dist", CHECKOUT / "build/deb", key=owners)
    print(
        f"{made.relative_to(CHECKOUT)}: {made.stat().st_size // 1_000_000} MB, for "
        f"{architecture()} and Python {PYTHON}"
    )
    bundle = CHECKOUT / f"dist/{NAME}-{__version__}.tar"
    sign(CHECKOUT / "build/deb/bundle", bundle, owners)
    print(
        f"{bundle.relative_to(CHECKOUT)} and .sig: the same for /opt/companion/incoming, signed "
        f"with {owners}"
    )
