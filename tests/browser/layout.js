/** Looks at a drawn page from outside; what it finds is described in layout.py. */
({ finger, map: wanted, letters }) => {
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

  // Nothing changes meanwhile, so each element is asked once: reading a style or a box costs most.
  const once = (read) => {
    const known = new Map();
    return (it) => {
      if (!known.has(it)) known.set(it, read(it));
      return known.get(it);
    };
  };
  const boxOf = once((it) => it.getBoundingClientRect());
  const isForEars = once(
    (it) =>
      it !== null &&
      (getComputedStyle(it).clipPath === "inset(50%)" || isForEars(it.parentElement)),
  );
  const isVisible = once(
    (it) =>
      it.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isForEars(it),
  );
  const isPinned = once((it) => {
    if (!it || it === document.body) return null;
    const { position } = getComputedStyle(it);
    return position === "sticky" || position === "fixed" ? it : isPinned(it.parentElement);
  });
  const cut = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = (box) => box.right - box.left < 1 || box.bottom - box.top < 1;

  const hides = (overflow) => overflow === "hidden" || overflow === "clip";
  // What an element's content may leave: the element itself and each around it whose overflow is not visible.
  const framesOf = once((it) => {
    if (!it || it === document.documentElement) return [];
    const { overflowX, overflowY } = getComputedStyle(it);
    const isOpen =
      it === document.body ||
      (overflowX === "visible" && overflowY === "visible") ||
      it.namespaceURI.endsWith("svg");
    const around = framesOf(it.parentElement);
    if (isOpen) return around;
    return [{ it, frame: boxOf(it), x: hides(overflowX), y: hides(overflowY) }, ...around];
  });
  const window = {
    left: 0,
    top: scrollsDown ? -1e6 : 0,
    right: wide,
    bottom: scrollsDown ? 1e6 : high,
  };
  // What is left of a box inside the ancestors that hide what leaves them; `lost` is who hides some for good.
  const visible = (it, box) => {
    let [left, lost] = [box, null];
    for (const { it: up, frame, x, y } of framesOf(it)) {
      if (x && (left.right > frame.right + 1.5 || left.left < frame.left - 1.5)) lost ??= up;
      if (y && (left.bottom > frame.bottom + 1.5 || left.top < frame.top - 1.5)) lost ??= up;
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

  // How many pixels high a text's type is drawn, in a picture too.
  const typeOf = (it) => {
    const { a = 1, b = 0 } = it.getScreenCTM?.() ?? {};
    return Number.parseFloat(getComputedStyle(it).fontSize) * Math.hypot(a, b);
  };

  // The ink of each line of text: a font's own box is higher than its letters.
  const lines = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const rowsIn = (boxes) => new Set(boxes.map(({ top }) => Math.round(top))).size;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const it = node.parentElement;
    if (!node.data.trim() || !isVisible(it)) continue;
    if (letters && typeOf(it) < letters - 0.1)
      say(`letters of ${typeOf(it).toFixed(1)} px:`, name(it), node.data.trim().slice(0, 30));
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    // What follows a soft hyphen begins with that hyphen's box, in the line above.
    const words = rowsIn(boxes) > 1 ? node.data.matchAll(/(?<![A-Za-z\u00ad])[A-Za-z]{3,}/g) : [];
    for (const { 0: word, index } of words) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (rowsIn([...range.getClientRects()]) > 1 && !it.closest("[translate=no]"))
        say("broken word:", word);
    }
    for (const { left, right, top, bottom } of boxes) {
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
      const button = it.closest("button, a.button");
      const control = button && boxOf(button);
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
    const box = boxOf(it);
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
