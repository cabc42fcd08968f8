"""One screen in every language, and in one that nobody speaks, whose sentences are longer than any
other's.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
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
_REPLACE = """async (all) => {
  const { addWords, text } = await import("/static/core/i18n.js");
  // What is in a catalogue that the page has not loaded stays a code.
  const isLoaded = ([code, english]) => text(code) !== code || english === code;
  const loaded = JSON.parse(all).filter(isLoaded);
  // Two games may have other words for one code: the page's own come last, and stay.
  const isOwn = ([code, english]) => text(code) === english;
  const words = [...loaded.filter((each) => !isOwn(each)), ...loaded.filter(isOwn)];
  addWords(Object.fromEntries(words.map(([code, , longer]) => [code, longer])));
  // The page keeps its catalogues: a change of language would take them,
  // a change of the look only draws.
  const newValue = localStorage.getItem("light");
  dispatchEvent(new StorageEvent("storage", { key: "light", newValue }));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
_LITERAL = """() => {
  const walker = document.createTreeWalker(document.getElementById("screen"), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    const words = data.match(/(?<![\\p{L}\\p{N}])[A-Za-z]{3,}(?![\\p{L}\\p{N}])/gu);
    const isMeant = parentElement.closest("[translate=no], [lang]:not(html)") || /[⟦⟧]/.test(data);
    if (words && !isMeant) texts.push(`${words} in: ${data}`);
  }
  return texts;
}"""


def tongues(page: Page, others: Sequence[str] = OTHERS) -> Iterator[str]:
    """Let an English page speak one language after the other, as if another page had chosen it,
    and the made-up one; at last English again.
    """
    for language in others:
        page.evaluate(SPEAK, language)
        yield language
    if others:
        page.evaluate(SPEAK, "en")
    page.evaluate(_REPLACE, _made_up())
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
def _made_up() -> str:
    """Return code, English and made-up words of each sentence of all English catalogues, as
    JSON.
    """
    paths = [*WEB.glob("i18n/**/en.json"), *WEB.glob("games/*/i18n/**/en.json")]
    return json.dumps(
        [
            (code, words, longer(words))
            for path in paths
            for code, words in json.loads(path.read_text(encoding="utf-8")).items()
        ]
    )
