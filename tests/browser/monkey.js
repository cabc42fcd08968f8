/** What a monkey does on a page: it lists what can be pressed, brings one into view, and waits until the page rests. */
({ what, at = 0, name = "", rest = 0 }) => {
  const isVisible = (it) =>
    it.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    getComputedStyle(it).pointerEvents !== "none";
  const isEnabled = (it) => !it.disabled && it.getAttribute("aria-disabled") !== "true";
  const nameOf = (it) => {
    const { action, cell } = it.dataset;
    const own = action ?? cell ?? (it.id || it.getAttribute("href") || it.textContent.trim());
    return `${it.localName} ${String(own).slice(0, 40)}`;
  };
  const pressable = () =>
    [
      ...document.querySelectorAll(
        "button, a[href], input, select, textarea, summary, [data-action], [data-cell]",
      ),
    ].filter((it) => isVisible(it) && isEnabled(it) && it.type !== "file");
  // A page that has just been drawn and asks nothing of the table is as it will be looked at.
  const resting = async () => {
    const until = performance.now() + 3000;
    for (let last = performance.now(); performance.now() - last < rest;) {
      const isDrawn = await new Promise((done) => {
        const watch = new MutationObserver(() => finish(true));
        const timer = setTimeout(() => finish(false), rest);
        const finish = (isChanged) => {
          watch.disconnect();
          clearTimeout(timer);
          done(isChanged);
        };
        watch.observe(document, { attributes: true, childList: true, subtree: true });
      });
      if (performance.now() > until) break;
      if (isDrawn || globalThis.monkey.pending > 0) last = performance.now();
    }
    for (const moving of document.getAnimations())
      if (Number.isFinite(moving.effect.getComputedTiming().endTime)) moving.finish();
  };
  if (what === "rest") return resting();
  const controls = pressable();
  if (what === "list") return controls.map((it) => ({ name: nameOf(it), kind: it.type ?? "" }));
  const it = controls[at];
  if (!it || nameOf(it) !== name) return null;
  it.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { left, right, top, bottom } = it.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
};
