"""Single-file pages: all modules of a page as one script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.i18n import web_root
from companion.server.standalone import (
    REPLAY_STYLES,
    bundle_fonts,
    bundle_script,
    bundle_styles,
    fill_template,
)


def test_a_module_that_is_imported_for_its_effect_runs_first(tmp_path: Path) -> None:
    """`import "./file.js"` includes that module before its importer, and leaves no import
    behind.
    """
    (tmp_path / "names.js").write_text('known.push("bat");\n', encoding="utf-8")
    (tmp_path / "page.js").write_text('import "./names.js";\nuse(known);\n', encoding="utf-8")

    script = bundle_script(tmp_path / "page.js")

    assert "import" not in script
    assert script.index('known.push("bat")') < script.index("use(known)")


def test_another_form_of_import_is_refused(tmp_path: Path) -> None:
    """A file that cannot be joined is named with the line."""
    (tmp_path / "page.js").write_text('import all from "./names.js";\n', encoding="utf-8")

    with pytest.raises(ValueError, match=r"page\.js: import all"):
        bundle_script(tmp_path / "page.js")


@pytest.mark.parametrize("name", ["/*STYLE*/", "/*SCRIPT*/", "<!--RECORD-->"])
def test_data_that_names_a_part_of_the_page_stays_data(name: str) -> None:
    """A person's name that looks like a template's mark is data like any other."""
    page = "<style>/*STYLE*/</style><p><!--WORDS--><!--RECORD--></p><script>/*SCRIPT*/</script>"
    texts = {"WORDS": f'"{name}"', "RECORD": "[]"}

    filled = fill_template(page, texts, "p {}", "run()")

    escaped = name.replace("<", "\\u003c")
    assert f'<style>p {{}}</style><p>"{escaped}"[]</p><script>run()</script>' == filled


def test_a_saved_replay_has_all_styles_of_the_served_one() -> None:
    """What a game's replay module names in `styles` is in the file too."""
    modules = [path.read_text("utf-8") for path in web_root().glob("games/*/replay.js")]
    lists = [found for text in modules for found in re.findall(r"^  styles: \[(.*)\]", text, re.M)]
    named = {f"{name}.css" for line in lists for name in re.findall(r'"(\w+)"', line)}

    assert {"odds.css"} == named
    assert named <= {*REPLAY_STYLES}


def test_a_saved_page_has_the_styles_that_others_import() -> None:
    """A style sheet that another one imports stands in its place: nothing is fetched."""
    root = web_root()

    styles = bundle_styles(root, root / "games/vwars/style.css")

    assert "@import" not in styles
    assert (root / "core/cards.css").read_text("utf-8") in styles


def test_a_saved_replay_has_the_fonts_of_every_page() -> None:
    """The file holds each font that `core/fonts.js` loads, and nothing of it is fetched."""
    script = (web_root() / "core/fonts.js").read_text("utf-8")
    style = bundle_fonts(web_root())

    assert len(re.findall(r"^addFont\(", script, re.M)) == style.count("@font-face") > 0
    assert style.count("@font-face") == style.count("src:url(data:font/woff2;base64,")
