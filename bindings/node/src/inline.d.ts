export * from './index.js';

/** Starts the engine from the bytes inside. A second time it does nothing. */
export function init(): Promise<void>;

/** As init, at once. Some browsers refuse that on the main thread. */
export function initSync(): void;
