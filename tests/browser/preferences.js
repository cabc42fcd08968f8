/** Runs in a page before its own scripts: notes what moves, and lists texts, signs and states for test_preferences.py. */
(() => {
  const FRAME = 17;
  const movements = [];

  const name = (it) => `${it.localName}.${it.getAttribute("class") ?? it.id}`;
  const lasts = (it) =>
    it
      .getAnimations({ subtree: true })
      .some(({ effect }) => effect.getComputedTiming().endTime > FRAME);
  for (const event of ["animationstart", "transitionrun"]) {
    document.addEventListener(
      event,
      ({ target, animationName, propertyName }) =>
        lasts(target) && movements.push(`${animationName ?? propertyName} of ${name(target)}`),
      true,
    );
  }
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    movements.push(`animate of ${name(this)}`);
    return animate.apply(this, how);
  };

  const isForEars = (it) =>
    it && (getComputedStyle(it).clipPath === "inset(50%)" || isForEars(it.parentElement));
  const isDrawn = (it) =>
    it.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isForEars(it);
  const isSvg = (it) => it.namespaceURI.endsWith("svg");

  /** Whether nothing lies over the middle of a box but what belongs to the element. */
  const isOpen = (it, { left, top, width, height }) => {
    const on = document.elementFromPoint(left + width / 2, top + height / 2);
    return (
      on && (it.contains(on) || on.contains(it) || (isSvg(it) && on.closest("svg")?.contains(it)))
    );
  };
  const corners = ({ left, top, right, bottom }) => [left, top, right, bottom];

  /** Every text that is read: its colour, whether WCAG calls it large, and the box of its first line. */
  function inks() {
    const found = [];
    const range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const it = node.parentElement;
      if (
        !node.data.trim() ||
        !isDrawn(it) ||
        it.closest("option, :disabled, [aria-disabled=true]")
      )
        continue;
      range.selectNodeContents(node);
      const [box] = range.getClientRects();
      if (!box || !isOpen(it, box)) continue;
      const { color, fill, fontSize, fontWeight } = getComputedStyle(it);
      const size = parseFloat(fontSize) * (isSvg(it) ? it.getScreenCTM().a : 1);
      found.push({
        at: `${name(it)} "${node.data.trim().slice(0, 30)}"`,
        ink: isSvg(it) ? fill : color,
        isLarge: size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700),
        box: corners(box),
      });
    }
    return found;
  }

  /** Every drawing that tells something without words, with its box. */
  const signs = () =>
    [...document.querySelectorAll("svg.icon, .field .piece, .lot svg")]
      .filter((it) => isDrawn(it) && isOpen(it, it.getBoundingClientRect()))
      .map((it) => ({
        at: `${name(it)} in ${name(it.parentElement)}`,
        box: corners(it.getBoundingClientRect()),
      }))
      .filter(({ box: [left, top, right, bottom] }) => right - left > 4 && bottom - top > 4);

  const line = (style, side) =>
    style[`${side}Style`] === "none" || parseFloat(style[`${side}Width`]) === 0
      ? ""
      : ["Width", "Style", "Color"].map((each) => style[side + each]).join(" ");
  const look = (it) => {
    const style = getComputedStyle(it);
    return [
      style.backgroundColor,
      style.backgroundImage,
      style.opacity,
      style.fontWeight,
      style.textDecorationLine,
      ...["outline", "borderTop", "borderRight", "borderBottom", "borderLeft"].map((side) =>
        line(style, side),
      ),
    ].join("; ");
  };

  /** Those of the pairs of selectors whose first elements look alike. */
  const alike = (pairs) =>
    pairs.filter((pair) => {
      const [one, other] = pair.map((each) => document.querySelector(`main ${each}`));
      return one && other && look(one) === look(other);
    });

  globalThis.preferences = { movements, inks, signs, alike };
})();
