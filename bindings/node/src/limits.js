// The limits of core/abi that a host has to know: docs/json.md.

/** The longest document, in bytes. */
export const MAX_DOCUMENT = 16 * 1024 * 1024;

/** The most servers of a topology. */
export const MAX_SERVERS = 65_536;

/** The most shards. */
export const MAX_SHARDS = 4096;

/** No key takes an integer of more bits, and writing a huge one takes long. */
export const MAX_BITS = 1024n;

/** The most picks of one batch. */
export const MAX_BATCH = 1024 * 1024;

/** Of the 65,536 handles of an instance, those that are for read preferences. */
export const MAX_OPEN_PREFERENCES = 1024;
