/** The files that people choose on a page. */

/**
 * Read the chosen file of the input `id`; the same file can be chosen again.
 * @param {string} id
 * @param {(file: File) => Promise<any>} read
 */
export function onFile(id, read) {
  document.addEventListener(
    "change",
    /** @param {FieldEvent} event */
    ({ target }) =>
      target.id === id &&
      target.files?.[0] &&
      read(target.files[0]).then(() => {
        target.value = "";
      }),
  );
}
