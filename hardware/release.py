"""Build the files of a release: `make release [PARTS="python kits …"]`.

Into dist/release, from the last commit: the source archive and the wheel, the zip for Windows, the
Nano's firmware, the strip's Gerber files, the print kits, the Debian packages and the disk images
of Debian 13, then SHA256SUMS and a list in SPDX 2.3 of what is inside. Each file carries the
commit's time. The images need root; what runs on another processor for them is imitated.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from companion import __version__
from companion.app import printed_kit
from companion.games import GAMES
from companion.sensors.serial.firmware_version import FIRMWARE
from hardware.checkout import run, source_date_epoch

CHECKOUT = Path(__file__).resolve().parents[1]
NAME = "table-companion"
FOLDER = CHECKOUT / "dist/release"
SUMS = "SHA256SUMS"
LIST = f"{NAME}-{__version__}.spdx.json"
JOINING = "http://companion.local:8080/join"
"""The address on a kit's joining card: that of the disk image's machine."""
LANGUAGES = ("en", "ja", "nl")
LOCKS = {"run": CHECKOUT / "locks/run.txt", "windows": CHECKOUT / "locks/windows.txt"}
VENDORED = {
    "tweetnacl-js": ("LicenseRef-public-domain", "web/core/vendor/nacl-box.min.js"),
    "smol-toml": ("BSD-3-Clause", "web/core/vendor"),
    "Atkinson Hyperlegible Next": ("OFL-1.1", "web/core/fonts, companion/printing/fonts"),
    "Fraunces": ("OFL-1.1", "web/core/fonts, companion/printing/fonts"),
    "Grenze Gotisch": ("OFL-1.1", "web/core/fonts, companion/printing/fonts"),
    "M+ 1": ("OFL-1.1", "companion/printing/fonts"),
    "Shippori Mincho": ("OFL-1.1", "web/core/fonts"),
}
"""What the program holds beside its own code: its licence and its place."""
LOCKED = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)((?:.*\\\n)+.*)$", re.MULTILINE)


def build_python(out: Path) -> None:
    """Build the source archive and the wheel."""
    run(
        *(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(out)),
        SOURCE_DATE_EPOCH=str(source_date_epoch()),
    )


def build_windows(out: Path) -> None:
    """Build the zip for Windows."""
    from hardware.windows.__main__ import build

    build(out, CHECKOUT / "build/windows")


def copy_firmware(out: Path) -> None:
    """Copy the firmware that `companion flash` writes; its sources are compared by the tests."""
    shutil.copyfile(CHECKOUT / "companion/flash/presence.hex", out / f"{NAME}-nano-{FIRMWARE}.hex")


def copy_boards(out: Path) -> None:
    """Copy the strip's Gerber files."""
    shutil.copyfile(CHECKOUT / "hardware/presence/strip/gerbers.zip", out / "gerbers.zip")


def print_kits(out: Path) -> None:
    """Write each print kit on A4 in each language."""
    for game in (game.name for game in GAMES if game.print_kit is not None):
        for language in LANGUAGES:
            path = out / f"{game}-A4-{language}.pdf"
            path.write_bytes(printed_kit(game, "A4", language, JOINING))


def build_deb(arch: str, out: Path) -> None:
    """Build the package for Debian 13 on a processor."""
    from hardware.deb.__main__ import build_for

    package = build_for(arch)
    shutil.copyfile(package, out / package.name)


def build_disk_image(arch: str, out: Path) -> None:
    """Build the disk image with the package that `out` has, and compress it."""
    from hardware.image.__main__ import build_image

    (package,) = out.glob(f"{NAME}_*_{arch}.deb")
    image = build_image(arch, package)
    packed = out / f"{NAME}-{__version__}-{arch}.img.xz"
    with packed.open("wb") as file:
        subprocess.run(["xz", "-T2", "-3", "-c", str(image)], stdout=file, check=True)


PARTS: Mapping[str, Callable[[Path], None]] = {
    "python": build_python,
    "windows": build_windows,
    "firmware": copy_firmware,
    "boards": copy_boards,
    "kits": print_kits,
    "deb-amd64": lambda out: build_deb("amd64", out),
    "deb-arm64": lambda out: build_deb("arm64", out),
    "image-amd64": lambda out: build_disk_image("amd64", out),
    "image-arm64": lambda out: build_disk_image("arm64", out),
}
"""The parts of a release, in the order in which they are built."""
QUICK = ("python", "firmware", "boards", "kits")
"""The parts that take seconds and no network."""


def build(out: Path, parts: Iterable[str]) -> None:
    """Build parts into `out`, which is emptied; print the seconds of each. Exit if the checkout is
    changed meanwhile.
    """
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    chosen = set(parts)
    before = checkout_state()
    for name, make in PARTS.items():
        if name in chosen:
            begun = time.monotonic()
            make(out)
            if checkout_state() != before:
                sys.exit(f"{name}: the checkout changed while this was built; build again")
            print(f"{name}: {time.monotonic() - begun:.0f} s", flush=True)
    write_list(out)
    files = sorted(path for path in out.iterdir() if path.name != SUMS)
    (out / SUMS).write_text("".join(f"{digest(each)}  {each.name}\n" for each in files), "ascii")


def checkout_state() -> str:
    """Return the last commit, and which of its files differ."""
    status = run("git", "status", "--porcelain", "--untracked-files=no")
    return run("git", "rev-parse", "HEAD") + status


def digest(path: Path, kind: str = "sha256") -> str:
    """Return a file's digest as hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()


def write_list(out: Path) -> None:
    """Write the list of what the files of a folder hold, as SPDX 2.3 in JSON."""
    files = sorted(out.iterdir())
    program = package_of(NAME, __version__, "MIT", "SPDXRef-program")
    parts = [
        package_of(name, "NOASSERTION", licence, f"SPDXRef-vendored-{number}", place)
        for number, (name, (licence, place)) in enumerate(VENDORED.items())
    ]
    libraries = {lock: list(libraries_of(lock)) for lock in LOCKS}
    relations = [
        relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-program"),
        *(relation("SPDXRef-program", "CONTAINS", part["SPDXID"]) for part in parts),
    ]
    entries = []
    for number, path in enumerate(files):
        key = f"SPDXRef-file-{number}"
        entries.append(
            {
                "SPDXID": key,
                "fileName": f"./{path.name}",
                "checksums": [
                    {"algorithm": kind.upper(), "checksumValue": digest(path, kind)}
                    for kind in ("sha1", "sha256")
                ],
                "licenseConcluded": "NOASSERTION",
                "copyrightText": "NOASSERTION",
            }
        )
        relations.append(relation(key, "GENERATED_FROM", "SPDXRef-program"))
        inside = (
            libraries["windows"] if path.suffix == ".zip" and "windows" in path.name
            else libraries["run"] if path.suffix in (".deb", ".xz")
            else []
        )  # fmt: skip
        relations += [relation(key, "CONTAINS", each["SPDXID"]) for each in inside]
    created = datetime.fromtimestamp(source_date_epoch(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    hashed = hashlib.sha256("".join(digest(path) for path in files).encode()).hexdigest()
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{NAME}-{__version__}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{NAME}-{__version__}-{hashed}",
        "creationInfo": {"created": created, "creators": [f"Tool: {NAME}-{__version__}"]},
        "packages": [program, *parts, *libraries["run"], *libraries["windows"]],
        "files": entries,
        "relationships": relations,
        "hasExtractedLicensingInfos": [
            {
                "licenseId": "LicenseRef-public-domain",
                "extractedText": "Public domain.",
            }
        ],
    }
    (out / LIST).write_bytes(msgspec.json.format(msgspec.json.encode(document)) + b"\n")


def libraries_of(lock: str) -> Iterator[dict[str, Any]]:
    """Yield each library of a lock with the hashes of the files that pip accepts for it."""
    text = LOCKS[lock].read_text(encoding="ascii")
    for number, entry in enumerate(LOCKED.finditer(text)):
        name, version, rest = entry.groups()
        package = package_of(
            name, version, licence_of(name), f"SPDXRef-{lock}-{number}", f"locks/{lock}.txt"
        )
        package["checksums"] = [
            {"algorithm": "SHA256", "checksumValue": value}
            for value in re.findall(r"--hash=sha256:([0-9a-f]{64})", rest)
        ]
        purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}"
        package["externalRefs"] = [
            {
                "referenceCategory": "PACKAGE-MANAGER",
                "referenceType": "purl",
                "referenceLocator": purl,
            }
        ]
        package["downloadLocation"] = f"https://pypi.org/project/{name}/{version}/"
        yield package


def licence_of(name: str) -> str:
    """Return the licence that an installed library declares in SPDX's words, else NOASSERTION."""
    try:
        declared = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return "NOASSERTION"
    return str(*declared.get_all("License-Expression", ["NOASSERTION"]))


def package_of(name: str, version: str, licence: str, key: str, place: str = "") -> dict[str, Any]:
    """Return a package of the list; `place`: the file or folder of this checkout that has it."""
    return {
        "SPDXID": key,
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **({"sourceInfo": place} if place else {}),
    }


def relation(of: str, kind: str, to: str) -> dict[str, str]:
    """Return a relationship of the list."""
    return {"spdxElementId": of, "relationshipType": kind, "relatedSpdxElement": to}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}")
    parts = parser.parse_args().parts or list(PARTS)
    if unknown := sorted(set(parts) - set(PARTS)):
        parser.error(f"there is no part {unknown[0]}; there are: {', '.join(PARTS)}")
    if run("git", "status", "--porcelain"):
        sys.exit("make release: this checkout differs from its last commit; commit first")
    build(FOLDER, parts)
    for path in sorted(FOLDER.iterdir()):
        print(f"{path.stat().st_size / 1e6:8.1f} MB  {path.name}")
    if left_out := [name for name in PARTS if name not in parts]:
        print(f"Left out: {', '.join(left_out)}.")


if __name__ == "__main__":
    main()
