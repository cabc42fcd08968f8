/** The fields of a page: what people type, and the files that they choose. */

/**
 * Call `handle` with each field of the page when something is typed into it.
 * @param {(field: HTMLInputElement) => unknown} handle
 */
export const onInput = (handle) =>
  document.addEventListener("input", (event) =>
    handle(
      /** @type {HTMLInputElement} */
      (event.target),
    ),
  );

/**
 * Read the chosen file of the input `id`; the same file can be chosen again.
 * @param {string} id @param {(file: File) => Promise<any>} read
 */
export const onFile = (id, read) =>
  document.addEventListener("change", async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.id !== id || !target.files?.[0]) return;
    await read(target.files[0]);
    target.value = "";
  });
