// Run a sketch in MicroPython: `node micropython.mjs SKETCH FOLDER... -- STEP...`. Its modules come
// from the folders; each step is what its file `cells` has then, or "?" for a question of the host.
import console from "node:console";
import { readFileSync, readdirSync } from "node:fs";
import process from "node:process";
import { loadMicroPython } from "../browser/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";

const [sketch, ...rest] = process.argv.slice(2);
const folders = rest.slice(0, rest.indexOf("--"));
const steps = rest.slice(folders.length + 1);
const micropython = await loadMicroPython({ stdin: () => "?".charCodeAt(0), stdout: console.log });

globalThis.step = () => {
  const step = steps.shift();
  if (step !== undefined && step !== "?") micropython.FS.writeFile("cells", step);
  return step ?? null;
};
micropython.FS.mkdirTree("/lib");
micropython.FS.writeFile("cells", "");
for (const folder of folders) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".py"))) {
    micropython.FS.writeFile(`/lib/${name}`, readFileSync(`${folder}/${name}`));
  }
}
try {
  micropython.runPython(readFileSync(sketch, "utf-8"));
} catch (error) {
  if (error.type !== "SystemExit") throw error;
}
