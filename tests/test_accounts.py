"""Work as the account that owns a folder, where root runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.accounts import Account, account_of, run_as

NOBODY = Account(65534, 65534)

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another account")


@needs_root
def test_the_account_is_that_of_the_first_part_that_is_not_roots(tmp_path: Path) -> None:
    """The owner of a folder on the way, or of a link in it, may replace all that follows."""
    theirs, root = tmp_path / "theirs", tmp_path / "root"
    (theirs / "inner").mkdir(parents=True)
    root.mkdir()
    os.chown(theirs, *NOBODY)
    (tmp_path / "of-root").symlink_to("theirs/inner")
    (tmp_path / "of-theirs").symlink_to(root)
    os.chown(tmp_path / "of-theirs", *NOBODY, follow_symlinks=False)
    (tmp_path / "round").symlink_to("round")

    assert None is account_of(root) is account_of(root / "missing" / "folder")
    assert [NOBODY] * 4 == [
        account_of(tmp_path / name) for name in ("theirs", "theirs/inner", "of-root", "of-theirs")
    ]
    with pytest.raises(OSError, match="too many links"):
        account_of(tmp_path / "round")


@needs_root
def test_the_child_has_no_right_of_roots(capfd: pytest.CaptureFixture[str]) -> None:
    """User, group and groups are the account's, for good; the child reports a failure, which ends
    the program.
    """

    def identity() -> str:
        with pytest.raises(PermissionError):
            os.setuid(0)
        return f"{os.getresuid()} {os.getresgid()} {os.getgroups()}"

    def fail() -> str:
        return Path("/etc/shadow").read_text(encoding="utf-8")

    assert "(65534, 65534, 65534) (65534, 65534, 65534) []" == run_as(NOBODY, identity)
    with pytest.raises(SystemExit) as ended:
        run_as(NOBODY, fail)
    assert 1 == ended.value.code
    assert "Permission denied" in capfd.readouterr().err
