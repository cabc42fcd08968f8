/** Looks at a drawn page from outside; what it finds is described in layout.py. */
({ finger, map: wanted }) => {
  // The page hears of its size now, not with its next frame.
  dispatchEvent(new Event("resize"));
  const root = document.scrollingElement;
  const isStill = getComputedStyle(document.body).overflowY === "hidden";
  const [wide, high] = [root.clientWidth, root.clientHeight];
  const scrollsDown = !isStill && root.scrollHeight > high + 1;
  const name = (it) =>
    it.localName +
    (it.id
      ? `#${it.id}`
      : it.dataset?.action
        ? `[${it.dataset.action}]`
        : it.classList.length
          ? `.${[...it.classList].join(".")}`
          : "");
  const defects = new Set();
  const say = (...words) => defects.add(words.join(" "));

  const isForEars = (it) => {
    for (; it; it = it.parentElement)
      if (getComputedStyle(it).clipPath === "inset(50%)") return true;
    return false;
  };
  const isVisible = (it) =>
    it.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isForEars(it);
  const isPinned = (it) => {
    for (; it && it !== document.body; it = it.parentElement) {
      if (["sticky", "fixed"].includes(getComputedStyle(it).position)) return it;
    }
    return null;
  };
  const cut = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = (box) => box.right - box.left < 1 || box.bottom - box.top < 1;

  // What is left of a box inside the ancestors that hide what leaves them; `lost` is who hides some for good.
  const visible = (it, box) => {
    let [left, lost] = [box, null];
    const window = {
      left: 0,
      top: scrollsDown ? -1e6 : 0,
      right: wide,
      bottom: scrollsDown ? 1e6 : high,
    };
    for (let up = it; up && up !== document.documentElement; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      if (up === document.body || (overflowX === "visible" && overflowY === "visible")) continue;
      if (up.localName === "svg" || up.namespaceURI.endsWith("svg")) continue;
      const frame = up.getBoundingClientRect();
      const hides = (overflow) => overflow === "hidden" || overflow === "clip";
      if (hides(overflowX) && (left.right > frame.right + 1.5 || left.left < frame.left - 1.5))
        lost ??= up;
      if (hides(overflowY) && (left.bottom > frame.bottom + 1.5 || left.top < frame.top - 1.5))
        lost ??= up;
      left = cut(left, frame);
      if (isEmpty(left)) return { left, lost };
    }
    if (
      left.left < -1.5 ||
      left.right > window.right + 1.5 ||
      left.top < window.top - 1.5 ||
      left.bottom > window.bottom + 1.5
    )
      lost ??= root;
    return { left: cut(left, window), lost };
  };

  // The ink of each line of text: a font's own box is higher than its letters.
  const lines = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const it = node.parentElement;
    if (!node.data.trim() || !isVisible(it)) continue;
    // What follows a soft hyphen begins with that hyphen's box, in the line above.
    for (const { 0: word, index } of node.data.matchAll(/(?<![A-Za-z\u00ad])[A-Za-z]{3,}/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const rows = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (rows.size > 1 && !it.closest("[translate=no]")) say("broken word:", word);
    }
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const ink = {
        left,
        right,
        top: top + (bottom - top) * 0.24,
        bottom: bottom - (bottom - top) * 0.2,
      };
      if (isEmpty(ink)) continue;
      const seen = visible(it, ink);
      // Of a log only the last lines are meant to be seen: each whole, or not at all.
      const isOld = isEmpty(seen.left) && it.closest("#log");
      if (seen.lost && !isOld)
        say("cut off by", name(seen.lost) + ":", node.data.trim().slice(0, 60));
      const control = it.closest("button, a.button")?.getBoundingClientRect();
      if (control && (ink.left < control.left - 1 || ink.right > control.right + 1))
        say("leaves its control:", node.data.trim().slice(0, 40));
      if (!isEmpty(seen.left))
        lines.push({ ...seen.left, it, words: node.data.trim().slice(0, 40), pin: isPinned(it) });
    }
  }
  lines.sort((one, other) => one.top - other.top);
  for (const [at, one] of lines.entries()) {
    for (const other of lines.slice(at + 1)) {
      if (other.top > one.bottom - 1) break;
      if (one.it === other.it || one.pin !== other.pin) continue;
      const both = cut(one, other);
      if (both.right - both.left > 2 && both.bottom - both.top > 2)
        say("overlap:", one.words, "|", other.words);
    }
  }

  const controls = document.querySelectorAll(
    "button, a.button, input, select, textarea, g[data-cell], [data-action]",
  );
  for (const it of controls) {
    if (!isVisible(it) || getComputedStyle(it).pointerEvents === "none") continue;
    const box = it.getBoundingClientRect();
    const { left, lost } = visible(it, box);
    if (lost) say("control cut off by", name(lost) + ":", name(it));
    // A text or an arrow that can be pressed repeats a button beside it.
    const isButton = it.matches("button, .button, input, select, textarea, [role=button]");
    // The places of a map grow when it is enlarged, step by step.
    const isFixed = !it.closest(".mapbox:not(.zoom-3)");
    if (finger && isButton && isFixed && Math.min(box.width, box.height) < finger - 0.5)
      say("small:", name(it), `${Math.round(box.width)}×${Math.round(box.height)}`);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    // Engines round a point on an edge to either side, so only what lies a pixel inside counts.
    if (
      isEmpty(left) ||
      x < left.left + 1 ||
      x > left.right - 1 ||
      y < left.top + 1 ||
      y > left.bottom - 1 ||
      y < 0 ||
      y > high
    )
      continue;
    const top = document.elementFromPoint(x, y);
    if (!top || it.contains(top) || top.contains(it)) continue;
    if (scrollsDown && isPinned(top)) continue;
    say("covered by", name(top) + ":", name(it));
  }

  if (root.scrollWidth > wide + 1) say("scrolls to the right by", root.scrollWidth - wide);
  if (isStill && root.scrollHeight > high + 1) say("hidden below by", root.scrollHeight - high);
  // A table's display is not scrolled by anybody, but for the rules and the proof, which people read near it, and an enlarged map.
  for (const it of isStill ? document.querySelectorAll("main *") : []) {
    const scrolls =
      ["auto", "scroll"].includes(getComputedStyle(it).overflowY) &&
      it.scrollHeight > it.clientHeight + 1;
    if (scrolls && !it.matches("#why, #clues, #truth, #figures, #texts, #mapbox"))
      say("scrolls inside:", name(it), it.scrollHeight - it.clientHeight);
  }
  if (wanted) {
    const box = document.querySelector(wanted)?.getBoundingClientRect();
    const least = Math.min(400, 0.6 * Math.min(wide, high));
    if (!box || Math.min(box.width, box.height) < least)
      say("map too small:", box ? `${Math.round(box.width)}×${Math.round(box.height)}` : "none");
  }
  return [...defects];
};
