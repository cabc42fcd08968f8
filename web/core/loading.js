/** Loading that a lost link interrupts: it is repeated until it succeeds. */
import { timedFetch } from "./browser.js";

const AGAIN_MS = 2000;
/** Failures after which the page is loaded again, if the table answers. */
const FAILURES = 5;

/**
 * Return the result of `load`, repeated while it fails and `isWanted()`; `failed` is called with the
 * number of failures before each repetition.
 * @template T @param {() => Promise<T>} load @param {() => boolean} isWanted
 * @param {(failures: number) => Promise<unknown>} failed @returns {Promise<T | undefined>}
 */
async function repeated(load, isWanted, failed) {
  for (let failures = 1; isWanted(); failures += 1) {
    try {
      return await load();
    } catch {
      await new Promise((done) => setTimeout(done, AGAIN_MS));
      await failed(failures);
    }
  }
}

/**
 * Return the result of `load`, without which the page cannot be drawn, repeated while it fails and
 * `isWanted()`. Browsers from before 2026 may store a failed import for as long as the page: then
 * only another loading of the page helps.
 * @template T @param {() => Promise<T>} load @param {() => boolean} isWanted
 */
export const untilLoaded = (load, isWanted = () => true) =>
  repeated(load, isWanted, async (failures) => {
    if (failures % FAILURES === 0 && (await isTableThere())) location.reload();
  });

/** Milliseconds between two looks for the first drawing: what a page needs comes before the rest. */
const SETTLED_MS = 1500;

/** Add the field of commands some time after the first drawing. @param {CommandContext} context */
export async function addCommands(context) {
  do await new Promise((done) => setTimeout(done, SETTLED_MS));
  while (!document.querySelector("main:not(.opening)"));
  // The page does without them for as long as they do not load.
  const module = await repeated(
    () => import("./commands/commands.js"),
    () => true,
    async () => {},
  );
  await module?.openCommands(context);
}

const isTableThere = () =>
  timedFetch("/healthz").then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Return the function that loads what an update needs and then uses it; a newer update that was
 * used first replaces it.
 * @param {(update: Update) => Promise<any>} load @param {(update: Update, loaded: any) => void} use
 * @returns {(update: Update) => Promise<void>}
 */
export function newest(load, use) {
  let [updates, used] = [0, 0];
  return async (update) => {
    const mine = ++updates;
    const loaded = await untilLoaded(
      () => load(update),
      () => mine > used,
    );
    if (mine < used) return;
    used = mine;
    use(update, loaded);
  };
}
