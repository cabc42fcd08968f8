"""Nothing is lost: power cuts, kills, disk faults, years of games."""

from __future__ import annotations

from tools.acceptance.check import Check

M = "-m"
CHECKS = (
    Check(
        "1",
        "killed at any call",
        [M, "tests.table.storage.crash"],
        [M, "tests.table.storage.crash", "--points", "1000"],
    ),
    *(
        Check(
            "F3F4",
            f"a call that fails with {error}",
            [M, "tests.table.storage.crash", "--points", "20", "--error", error],
            [M, "tests.table.storage.crash", "--points", "300", "--error", error],
        )
        for error in ("ENOSPC", "EIO", "EROFS")
    ),
    Check(
        "2",
        "the plug pulled",
        [M, "tests.table.storage.powercut"],
        [M, "tests.table.storage.powercut", "--states", "20000"],
    ),
    Check(
        "2",
        "the same without syncs must lose",
        [M, "tests.table.storage.powercut", "--sync", "normal"],
        status=1,
    ),
    Check(
        "3",
        "a disk that fills up",
        [M, "tests.table.storage.full_disk", "FOLDER/disk"],
        mounts=True,
    ),
    Check(
        "4",
        "a disk that is read-only",
        [M, "tests.table.storage.readonly", "FOLDER/data"],
        mounts=True,
    ),
    Check("4", "a minute over it", [M, "tools.acceptance.readonly", "FOLDER"], mounts=True),
    Check(
        "5",
        "data in memory is named",
        [M, "companion", "doctor", "--data", "/dev/shm/x"],
        status=1,
        says="would not survive",
    ),
    Check(
        "6",
        "flipped bytes",
        [M, "tests.table.storage.bitrot"],
        [M, "tests.table.storage.bitrot", "--every-byte"],
    ),
    Check(
        "7", "golden log, newer schema", [M, "pytest", "-q", "tests/table/storage/test_golden.py"]
    ),
    Check(
        "8",
        "clock jumps of 20 years",
        [M, "pytest", "-q", "tests/table/storage/test_clock_jumps.py"],
    ),
    Check(
        "7",
        "whatever is proposed, the table starts again",
        [M, "tests.table.proposals", "--count", "300"],
        [M, "tests.table.proposals", "--count", "10000"],
    ),
    Check(
        "23", "an older folder put back", [M, "pytest", "-q", "tests/table/storage/test_rewind.py"]
    ),
    Check("23", "the same under running screens: <= 5 s", [M, "tools.acceptance.restored_folder"]),
)
