"""What axe-core says of a screen, once for each kind of screen in an evening."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.screenshots import violations

are_all_checked = False
"""Whether axe-core checks every look, as in an exhaustive run: it takes most of an evening."""


def broken(page: Page, *, is_new: bool = True) -> list[str]:
    """Return what axe-core finds on a page, nothing where another look has its parts already."""
    return violations(page) if is_new or are_all_checked else []
