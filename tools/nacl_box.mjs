/**
 * Make web/core/vendor/nacl-box.min.js: tweetnacl without signatures and hashes, which no page uses, and
 * which are two fifths of a library that every phone fetches first.
 *
 *     node tools/nacl_box.mjs
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const TARGET = new URL("../web/core/vendor/nacl-box.min.js", import.meta.url);

/**
 * Remove the text from one mark to just before another.
 * @param {string} text
 * @param {string} from
 * @param {string} to
 */
function without(text, from, to) {
  const begin = text.indexOf(from);
  const end = text.indexOf(to, begin);
  if (begin < 0 || end < 0) throw new Error(`tweetnacl has no ${from}`);
  return text.slice(0, begin) + text.slice(end);
}

/** Return the module's text. */
export function naclBox() {
  const path = createRequire(import.meta.url).resolve("tweetnacl/nacl-fast.js");
  const published = readFileSync(path, "utf8");
  let body = published.slice(
    published.indexOf("{\n") + 2,
    published.lastIndexOf("})(typeof module"),
  );
  body = without(body, "nacl.lowlevel = {", "/* High-level API */");
  body = without(body, "nacl.scalarMult = ", "nacl.box = ");
  body = without(body, "nacl.sign = ", "nacl.setPRNG = ");
  // Numbers that only a removed function needs go with it.
  body = body.replace(/(=|^ +\w+ =) (gf|new \w+)\(/gm, "$1 /* @__PURE__ */ $2(");
  return transformSync(`const nacl = {};\n${body}\nexport { nacl };`, {
    format: "esm",
    minify: true,
    treeShaking: true,
    target: "es2021",
  }).code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, naclBox());
