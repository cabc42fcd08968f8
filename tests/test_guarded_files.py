"""What a small guarded file keeps, whatever becomes of it or of its copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import files
from companion.files import GuardedFile, atomic_write


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    GuardedFile(tmp_path / "it.json").write(b"{1}")
    return tmp_path / "it.json"


@pytest.mark.parametrize("name", ["it.json", "it.json.copy"])
def test_every_bit_of_either_file_is_guarded(path: Path, name: str) -> None:
    """Each single flipped bit is noticed and mended."""
    before = contents(path.parent)
    for bit in range(8 * len(before[name])):
        damaged = bytearray(before[name])
        damaged[bit // 8] ^= 1 << bit % 8
        path.with_name(name).write_bytes(damaged)
        file = GuardedFile(path)

        assert (b"{1}", "mended") == (file.read(), file.damage), bit
        assert before == contents(path.parent), bit


@pytest.mark.parametrize("name", ["it.json", "it.json.copy"])
@pytest.mark.parametrize("size", [None, 0, 1, 66])
def test_a_missing_or_short_file_is_written_again(path: Path, name: str, size: int | None) -> None:
    """A file that is gone, empty or cut is replaced by the other one's content."""
    before = contents(path.parent)
    if size is None:
        path.with_name(name).unlink()
    else:
        path.with_name(name).write_bytes(before[name][:size])

    assert b"{1}" == GuardedFile(path).read()
    assert before == contents(path.parent)


def test_damage_of_both_is_kept_aside(path: Path) -> None:
    """If neither is sound there is no content, and nothing is deleted."""
    for each in (*path.parent.iterdir(),):
        each.write_bytes(b"damaged")
    file = GuardedFile(path)

    assert (None, "lost") == (file.read(), file.damage)
    assert {"it.json.corrupt-1": b"damaged", "it.json.copy.corrupt-1": b"damaged"} == contents(
        path.parent
    )


@pytest.mark.parametrize("writes", [0, 1])
def test_a_refused_write_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """A disk that refuses the first or the second file leaves the old content to the next start."""
    left = iter(range(writes))

    def write(target: Path, content: bytes) -> None:
        if next(left, None) is None:
            raise OSError
        atomic_write(target, content)

    with monkeypatch.context() as patch, pytest.raises(OSError):
        patch.setattr(files, "atomic_write", write)
        GuardedFile(path).write(b"{2}")

    file = GuardedFile(path)
    assert (b"{1}", "") == (file.read(), file.damage)
    assert 1 == len(set(contents(path.parent).values()))


def test_no_earlier_content_stays(path: Path) -> None:
    """What was replaced, such as the key of an ended game, is in neither file."""
    GuardedFile(path).write(b"{2}")

    assert not any(b"{1}" in content for content in contents(path.parent).values())
