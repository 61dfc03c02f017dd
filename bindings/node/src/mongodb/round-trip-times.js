/** How many round-trip times the driver averages. */
const WINDOW = 10;

/**
 * The round-trip times of one server, as the driver has them: the latest ten, and fewer after it has begun anew, which no
 * event tells. What it says of the average, in an event, tells how many there are.
 */
export class RoundTripTimes {
  /** The latest ones, the last one last. @type {number[]} */
  #samples = [];
  /** How many of them the driver has. */
  #count = 0;
  /** How many of them were measured while somebody listened. */
  #heard = 0;

  /** @param {number} milliseconds */
  add(milliseconds) {
    this.#samples.push(milliseconds);
    if (this.#samples.length > WINDOW) this.#samples.shift();
    this.#count = Math.min(this.#count + 1, WINDOW);
    this.#heard = Math.min(this.#heard + 1, WINDOW);
  }

  /** @param {number} average what the driver says that it is now */
  align(average) {
    for (let count = this.#samples.length; count > 0; count--) {
      // Whole milliseconds: sums are exact, whatever their order.
      if (mean(this.#samples.slice(-count)) === average) {
        this.#count = count;
        return;
      }
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
    if (this.#count < 2) return 0;
    return this.#count > this.#heard ? undefined : Math.min(...this.#present());
  }

  #present() {
    return this.#samples.slice(-this.#count);
  }
}

/** @param {number[]} samples */
function mean(samples) {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}
