import type { ModuleSource } from './index.js';

export * from './index.js';

/**
 * Starts the engine. Comes before all else, and once.
 *
 * @param source a function that gives one is called where the engine is not started yet
 * @throws {ReadPrefError} `argument` for what is no source, and where the engine is started already; `internal` where
 *   the module cannot be loaded. It may be tried again then.
 */
export function init(source: ModuleSource | PromiseLike<ModuleSource> | (() => ModuleSource | PromiseLike<ModuleSource>)): Promise<void>;

/** As init, at once. Some browsers refuse that on the main thread. */
export function initSync(source: Extract<ModuleSource, object> | (() => ModuleSource)): void;
