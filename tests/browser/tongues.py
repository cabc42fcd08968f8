"""One screen in every language, and in one that nobody speaks, whose sentences are longer than any other's."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route

from companion.sentences import PLACEHOLDER

CATALOGUES = Path(__file__).parents[2] / "web/i18n"
OTHERS = ("ja", "nl")
MADE_UP = "long"
"""The made-up language: English words with marks on every letter, six tenths longer, between brackets."""
_GROWTH = 0.6
_MARKED = str.maketrans("aceinosuyzACEINOSUYZ", "áçéíñóšúýžÁÇÉÍÑÓŠÚÝŽ")

_SPEAK = """async (language) => {
  localStorage.setItem("lang", language);
  // The same language with other words is taken anew, too.
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
  while (!isTaken || document.documentElement.lang !== language) await new Promise((done) => setTimeout(done, 10));
  watch.disconnect();
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
    """Let a page speak one language after the other, as if another page had chosen it; at last English again."""
    for language in OTHERS:
        page.evaluate(_SPEAK, language)
        yield language
    with_longer_words = re.compile(r"/i18n/.*\ben\.json$")
    page.route(with_longer_words, _longer)
    page.evaluate(_SPEAK, "en")
    yield MADE_UP
    page.unroute(with_longer_words)
    page.evaluate(_SPEAK, "en")


def literal(page: Page) -> list[str]:
    """Return the words of a page in the made-up language that come from no catalogue and are no name."""
    words: list[str] = page.evaluate(_LITERAL)
    return words


def longer(sentence: str) -> str:
    """Return a sentence in the made-up language; its placeholders stay as they are."""
    pieces = re.split(f"({PLACEHOLDER.pattern.replace('(', '(?:')})", sentence)
    marked = [piece if piece.startswith("{") else piece.translate(_MARKED) for piece in pieces]
    more = " ".join(piece for piece in marked if not piece.startswith("{"))[: math.ceil(_GROWTH * len(sentence)) - 2]
    return f"⟦{''.join(marked)}{more}⟧"


def _longer(route: Route) -> None:
    path = CATALOGUES / urlsplit(route.request.url).path.removeprefix("/i18n/")
    words = json.loads(path.read_text(encoding="utf-8"))
    route.fulfill(json={code: longer(sentence) for code, sentence in words.items()})
