"""The released files: what `make release` builds in seconds."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from companion import __version__
from hardware.image.disk import set_access_times
from hardware.image.root import LAY_NATIVE, REMOVE_NATIVE
from hardware.release import LIST, SUMS
from tests.helpers.repetitions import soak
from tools.released import build_twice, check_list, check_sums, compare_firmware, count_layers

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "parts",
    [("python", "firmware", "boards"), *soak(("kits",), ("deb-arm64",))],
    ids=lambda parts: parts[0],
)
def test_two_builds_are_equal(parts: tuple[str, ...], tmp_path: Path) -> None:
    """Two builds of one tree give the same bytes; their sums and their list name each file, and
    names carry the version.
    """
    folder = build_twice(tmp_path, parts)
    names = {path.name for path in folder.iterdir()}

    assert check_sums(folder).startswith(f"{len(names) - 1} files")
    assert check_list(folder).endswith(f"{len(names) - 2} files")
    if "python" in parts:
        assert {
            SUMS,
            LIST,
            "gerbers.zip",
            "table-companion-nano-2.0.hex",
            f"table_companion-{__version__}.tar.gz",
            f"table_companion-{__version__}-py3-none-any.whl",
        } == names
        assert compare_firmware(folder / "table-companion-nano-2.0.hex")
        assert count_layers(folder / "gerbers.zip")


def test_a_damaged_file_is_found(tmp_path: Path) -> None:
    """A file that differs from its sum ends the check."""
    (tmp_path / "gerbers.zip").write_bytes(b"other")
    (tmp_path / SUMS).write_text(f"{'0' * 64}  gerbers.zip\n", "ascii")
    with pytest.raises(SystemExit, match=r"gerbers.zip is not as SHA256SUMS says"):
        check_sums(tmp_path)


def test_an_image_has_no_time_of_access(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a build reads changes no image: each file's last access is the commit's time, and its
    content's own time stays.
    """
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    path = tmp_path / "folder/file"
    path.parent.mkdir()
    path.write_text("read before", "ascii")
    os.utime(path, (1600000000, 1500000000))
    set_access_times(tmp_path)

    assert (1700000000, 1500000000) == (path.stat().st_atime, path.stat().st_mtime)


@pytest.mark.skipif(
    platform.machine() != "x86_64" or shutil.which("dpkg-deb") is None,
    reason="an image for another processor is built by Debian on x86",
)
def test_a_root_keeps_none_of_the_tools_that_unpacked_it(tmp_path: Path) -> None:
    """The tools that unpack another processor's root lie before its own, each with its libraries,
    and none of their files stays.
    """
    for name in ("usr/sbin", "usr/bin", "usr/lib"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "lib").symlink_to("usr/lib")
    (tmp_path / "usr/bin/tar").touch()
    before = {*tmp_path.rglob("*")}

    subprocess.run(["sh", "-ec", LAY_NATIVE, "sh", str(tmp_path)], check=True)

    for name in ("dpkg-deb", "tar", "rm"):
        tool = tmp_path / "usr/sbin" / name
        libraries = subprocess.run(["ldd", tool], capture_output=True, text=True, check=True).stdout
        for library in (word for word in libraries.split() if word.startswith("/lib")):
            assert (tmp_path / library[1:]).is_file()
    subprocess.run(["sh", "-ec", REMOVE_NATIVE, "sh", str(tmp_path)], check=True)
    assert before == {*tmp_path.rglob("*")}
