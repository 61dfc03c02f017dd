// The limits of core/abi that a host has to know, in bytes: docs/json.md.

/** The longest document. */
export const MAX_DOCUMENT = 16 * 1024 * 1024;
