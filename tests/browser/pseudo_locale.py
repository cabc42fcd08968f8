"""One screen in every language, and in one that nobody speaks, whose sentences are longer than any
other's.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from playwright.sync_api import Page

from companion.i18n import PLACEHOLDER

WEB = Path(__file__).parents[2] / "web"
OTHERS = ("ja", "nl")
MADE_UP = "long"
"""The made-up language: English words with marks on every letter, six tenths longer, between
brackets.
"""
_GROWTH = 0.6
_MARKED = str.maketrans("aceinosuyzACEINOSUYZ", "áçéíñóšúýžÁÇÉÍÑÓŠÚÝŽ")

SPEAK = """async (language) => {
  localStorage.setItem("lang", language);
  // After the made-up language, English is set while it is the page's language already.
  let isTaken = false;
  const watch = new MutationObserver(() => { isTaken = true; });
  watch.observe(document.documentElement, { attributeFilter: ["lang"] });
  // What is looked at is covered by itself a while after the last press: so press nothing.
  const nothing = document.createElement("button");
  nothing.dataset.action = "nothing";
  if (document.querySelector(".secret")) document.body.append(nothing);
  nothing.click();
  nothing.remove();
  dispatchEvent(new StorageEvent("storage", { key: "lang" }));
  while (!isTaken || document.documentElement.lang !== language)
    await new Promise((done) => setTimeout(done, 10));
  watch.disconnect();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
_SENTENCES = """async (english) => {
  const { text } = await import("/static/core/i18n.js");
  const isLoaded = (code) => text(code) !== code || english[code] === code;
  const loaded = Object.keys(english).filter(isLoaded);
  return Object.fromEntries(loaded.map((code) => [code, text(code)]));
}"""
"""Returns the sentences of those codes whose catalogues the page has loaded."""
_REPLACE = """async (words) => {
  const { addWords } = await import("/static/core/i18n.js");
  addWords(words);
  // The page keeps its catalogues: a change of language would take them,
  // a change of the look only draws.
  dispatchEvent(new StorageEvent("storage", { key: "light" }));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
_LITERAL = """() => {
  const walker = document.createTreeWalker(document.getElementById("screen"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    const words = data.match(/(?<![\\p{L}\\p{N}])[A-Za-z]{3,}(?![\\p{L}\\p{N}])/gu);
    const isMeant = parentElement.closest("[translate=no], [lang]:not(html)") || /[⟦⟧]/.test(data);
    if (words && !isMeant) found.push(`${words} in: ${data}`);
  }
  return found;
}"""


def tongues(page: Page) -> Iterator[str]:
    """Let a page speak one language after the other, as if another page had chosen it; at last
    English again.
    """
    for language in OTHERS:
        page.evaluate(SPEAK, language)
        yield language
    page.evaluate(SPEAK, "en")
    sentences: dict[str, str] = page.evaluate(_SENTENCES, _english())
    page.evaluate(_REPLACE, {code: longer(sentence) for code, sentence in sentences.items()})
    yield MADE_UP
    page.evaluate(SPEAK, "en")


def literal(page: Page) -> list[str]:
    """Return the words of a page in the made-up language that come from no catalogue and are no
    name.
    """
    words: list[str] = page.evaluate(_LITERAL)
    return words


def longer(sentence: str) -> str:
    """Return a sentence in the made-up language; its placeholders stay as they are."""
    pieces = re.split(f"({PLACEHOLDER.pattern.replace('(', '(?:')})", sentence)
    marked = [piece if piece.startswith("{") else piece.translate(_MARKED) for piece in pieces]
    more = " ".join(piece for piece in marked if not piece.startswith("{"))[
        : math.ceil(_GROWTH * len(sentence)) - 2
    ]
    return f"⟦{''.join(marked)}{more}⟧"


@cache
def _english() -> dict[str, str]:
    """Return the sentences of all English catalogues by code."""
    paths = [*WEB.glob("i18n/**/en.json"), *WEB.glob("games/*/i18n/**/en.json")]
    return {
        code: words
        for path in paths
        for code, words in json.loads(path.read_text(encoding="utf-8")).items()
    }
