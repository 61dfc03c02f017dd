/** How many round-trip times the driver averages. */
const WINDOW = 10;

/**
 * The round-trip times of one server, as the driver has them: the latest ten, and fewer after it has begun anew, which it
 * does after some failures of the network and no event tells. What a description says of them tells how many there are.
 */
export class RoundTripTimes {
  /** The latest ones, the last one last. @type {number[]} */
  #samples = [];
  /** How many of them the driver has. */
  #count = 0;
  /** How many of them were measured while somebody listened. */
  #heard = 0;
  /** How many came after the last failure. */
  #sinceFailure = 0;

  /** @param {number} milliseconds */
  add(milliseconds) {
    this.#samples.push(milliseconds);
    if (this.#samples.length > WINDOW) this.#samples.shift();
    this.#count = Math.min(this.#count + 1, WINDOW);
    this.#heard = Math.min(this.#heard + 1, WINDOW);
    this.#sinceFailure++;
  }

  /** The server became Unknown. */
  failed() {
    this.#sinceFailure = 0;
  }

  /**
   * @param {number} average what the driver says that it is now
   * @param {number} minimum 0 where it has less than two
   */
  align(average, minimum) {
    // Whole milliseconds: sums are exact, whatever their order.
    const fits = (/** @type {number} */ count) =>
      count > 0 && count <= this.#samples.length && mean(this.#samples.slice(-count)) === average && (this.#minimumOf(count) ?? minimum) === minimum;
    // Where several fit, it has most likely begun anew with the failure, or not at all.
    const found = [this.#sinceFailure, this.#count, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].find(fits);
    if (found !== undefined) {
      this.#count = found;
      return;
    }
    // They were measured before anybody listened: until they are gone, each counts as the average.
    this.#samples = new Array(WINDOW).fill(average);
    this.#count = WINDOW;
    this.#heard = 0;
  }

  /** undefined where nothing was measured */
  average() {
    return this.#count === 0 ? undefined : mean(this.#present());
  }

  /** undefined where not all of them are known; 0 where there are less than two, as the driver has it */
  minimum() {
    return this.#minimumOf(this.#count);
  }

  /** @param {number} count of the latest ones */
  #minimumOf(count) {
    if (count < 2) return 0;
    return count > this.#heard ? undefined : Math.min(...this.#samples.slice(-count));
  }

  #present() {
    return this.#samples.slice(-this.#count);
  }
}

/** @param {number[]} samples */
function mean(samples) {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}
