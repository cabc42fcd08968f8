"""The kept list of faults and its runner."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mutants.__main__ import Fault, ListRefused, is_found, list_errors, read_faults

CODE = "def is_full(cards):\n    return len(cards) >= 6\n"
TEST = """
from product import is_full
def test_six_are_full(): assert is_full("abcdef")
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "product.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "test_product.py").write_text(TEST, encoding="utf-8")
    return tmp_path


def fault(old: str, new: str, *tests: str) -> Fault:
    return Fault("rules", "product.py", old, new, tests or ("test_product.py",))


def test_the_list_fits_the_checkout() -> None:
    """Each fault's old text is in its file exactly once, and its tests are there; the list has at
    least a hundred faults, none twice.
    """
    faults = read_faults()

    assert [] == list_errors(faults)
    assert 100 <= len(faults) == len({(each.file, each.old, each.new) for each in faults})
    assert all(each.old != each.new and each.tests for each in faults)


def test_a_text_that_moved_is_named(checkout: Path) -> None:
    """A text that is not there exactly once, and a test that is not there, are errors."""
    errors = list_errors([fault("> 6", ">= 6"), fault("6", "7"), fault("s", "t")], checkout)
    missing = list_errors([fault(">= 6", "> 6", "test_other.py::test_one")], checkout)

    assert ["product.py has '> 6' 0 times, not once"] == errors[:1]
    assert ["product.py has 's' 3 times, not once"] == errors[1:]
    assert ["product.py: there is no test_other.py::test_one"] == missing


@pytest.mark.slow
def test_a_fault_is_found_or_survives(checkout: Path) -> None:
    """A fault on the boundary is found, one beside it survives; the file is as before. Tests that
    cannot run are an error and no find.
    """
    assert is_found(checkout, fault(">= 6", "> 6"))
    assert not is_found(checkout, fault(">= 6", ">= 5"))
    with pytest.raises(ListRefused):
        is_found(checkout, fault(">= 6", "> 6", "test_product.py::test_other"))
    assert CODE == (checkout / "product.py").read_text(encoding="utf-8")
