// How objects are shown by console.log and util.inspect of Node.js. The symbol
// is registered, so that no module of Node.js is needed for it.

export const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

/**
 * What to show in place of an object whose state is private: its fields, under
 * the name of its class.
 *
 * @param {object} object
 * @param {object} fields
 * @returns {object}
 */
export function shown(object, fields) {
  const descriptors = Object.getOwnPropertyDescriptors(fields);
  // What is shown is of the object's class, for its name, and would be asked again.
  return Object.create(Object.getPrototypeOf(object), { ...descriptors, [inspectCustom]: { value: undefined } });
}
