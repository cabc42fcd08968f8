/**
 * A function that keeps the result of its last call while its arguments are the same. `render` does
 * not compare a description that is the same object.
 * @template {any[]} Arguments
 * @template Result
 * @param {(...args: Arguments) => Result} make
 * @returns {(...args: Arguments) => Result}
 */
export function memoizeOne(make) {
  /** @type {any} */
  let last = null;
  /** @type {any} */
  let result;
  return (...args) => {
    if (!last || args.some((each, index) => each !== last[index]))
      [last, result] = [args, make(...args)];
    return result;
  };
}
