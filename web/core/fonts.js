/** The fonts of every page, which nothing waits for. */

/**
 * Load a font; text has another one until it is there, and without it.
 * @param {string} family @param {string} name @param {FontFaceDescriptors} [more]
 */
export function addFont(family, name, more) {
  const face = new FontFace(family, `url(/static/core/fonts/${name}.woff2)`, {
    display: "swap",
    ...more,
  });
  document.fonts.add(face);
}

addFont("Atkinson Hyperlegible Next", "text", { weight: "400 700" });
addFont("Fraunces", "display", { weight: "600 700" });
addFont("Grenze Gotisch", "title");
