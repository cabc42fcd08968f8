/**
 * One page of web/ in happy-dom, with its real modules. The test is its table: `sent` are the page's
 * requests, `answer` answers them, `show` sends a state. There is no layout, focus or network.
 */
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { Window } from "happy-dom";

const WEB = new URL("../../web/", import.meta.url);
const STAND_IN = new URL("page_table.mjs", import.meta.url).href;
const HOOK = `export async function resolve(specifier, context, next) {
  const module = await next(specifier, context);
  const isTable = /\\/web\\/core\\/(channel|stream|public_stream)\\.js$/.test(module.url);
  return isTable ? { url: "${STAND_IN}", shortCircuit: true } : module;
}`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);

/** What a page's modules use of a browser. */
const NAMES = [
  ..."document location history localStorage sessionStorage Event EventTarget Node Element".split(
    " ",
  ),
  ..."HTMLElement SVGElement KeyboardEvent MouseEvent getComputedStyle matchMedia".split(" "),
  ..."addEventListener removeEventListener dispatchEvent requestAnimationFrame".split(" "),
  ..."MutationObserver ResizeObserver innerWidth innerHeight Image Audio".split(" "),
];

// What a page does again and again does not keep the test's process.
const later = globalThis.setTimeout;
globalThis.setTimeout = (...given) => later(...given).unref();
const wait = (ms) => new Promise((done) => later(done, ms));

/** Fulfil when `condition` is true after the page's work; reject after some seconds. */
export async function until(condition, what) {
  for (let left = 1000; left; left -= 1) {
    if (condition()) return;
    await wait(5);
  }
  throw new Error(`never: ${what}`);
}

/**
 * Open the page of this name in web/screens, at /`path`; a process can open one. `hello` is the
 * table's reply to it, null while the table cannot be reached; a page without a key of the table
 * sends none. `kept` is in the tab's storage.
 */
export async function openPage(name, { hello, path = name, hasKey = true, kept = {} }) {
  const window = new Window({
    url: `http://table.test/${path}`,
    settings: {
      disableCSSFileLoading: true,
      disableJavaScriptFileLoading: true,
      handleDisabledFileLoadingAsSuccess: true,
    },
  });
  for (const each of NAMES) {
    const value = window[each];
    const isMethod = typeof value === "function" && !/^[A-Z]/.test(each);
    globalThis[each] = isMethod ? value.bind(window) : value;
  }
  for (const [key, value] of Object.entries(kept)) window.sessionStorage.setItem(key, value);
  globalThis.navigator = window.navigator;
  globalThis.fetch = async (address) => fetched(address.split("?")[0]);
  const { document } = window;
  document.body.innerHTML = '<div id="screen"></div><div id="say" role="log"></div>';
  const table = {
    hello,
    hasKey,
    sent: [],
    files: {},
    link: () => {},
    take: () => {},
    answer: () => ({ ok: true }),
  };
  globalThis.table = table;
  // A page waits for its first drawing by a timer, which alone would not keep the process.
  const opening = later(() => {}, 60_000);
  await import(new URL(`screens/${name}/main.js`, WEB));
  clearTimeout(opening);
  const page = {
    table,
    at: (selector) => document.querySelector(selector),
    text: (selector) => document.querySelector(selector)?.textContent ?? "",
    show: (snapshot, secret = null) => table.take({ snapshot, events: [] }, secret),
    /** Press a control, and fulfil when the page has done what it does. */
    press: async (action, arg) => {
      const selector = `[data-action="${action}"]${arg === undefined ? "" : `[data-arg='${arg}']`}`;
      await until(() => page.at(selector), `a control ${selector}`);
      page.at(selector).click();
      await wait(0);
    },
  };
  return page;
}

/** Answer with a file of web/, or with what the test's table has there. */
function fetched(path) {
  const isFile = path.startsWith("/static/");
  const file = isFile && new URL(path.replace("/static/", ""), WEB);
  const value = isFile ? JSON.parse(readFileSync(file, "utf8")) : globalThis.table.files[path];
  return { ok: value !== undefined, json: async () => value };
}
