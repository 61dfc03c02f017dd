/** An event of a Topology: what happened, or what its host has to do, is its `detail`. */
export class TopologyEvent extends Event {
  /**
   * @param {string} type
   * @param {object} detail frozen
   */
  constructor(type, detail) {
    super(type);
    /** @readonly */
    this.detail = detail;
  }
}

/**
 * Runs code of the caller's that shall not disturb what called it: what it throws is
 * reported as what a listener of events throws is.
 *
 * @param {() => void} run
 */
export function decoupled(run) {
  try {
    run();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
