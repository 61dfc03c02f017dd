// `using` calls a method by this symbol. Where the runtime has none yet, it is the
// one that compilers and other packages agree upon; no global is touched.

/** @type {typeof Symbol.dispose} */
export const dispose = Symbol.dispose ?? /** @type {any} */ (Symbol.for('Symbol.dispose'));

/** @type {typeof Symbol.asyncDispose} */
export const asyncDispose = Symbol.asyncDispose ?? /** @type {any} */ (Symbol.for('Symbol.asyncDispose'));
