/** Relative weights as integers. An unnamed choice is never drawn. */
export type Weights<Choice extends string> = Readonly<Partial<Record<Choice, number>>>;

/**
 * sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state with integer operations only, so that every
 * computer draws the same. With a 32-bit generator two patients could share a sequence of numbers and thus
 * an id.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** A stream of its own for each triple. */
  constructor(seed: number, index: number, stream: number) {
    this.#a = seed | 0;
    this.#b = index | 0;
    this.#c = stream | 0;
    for (let round = 0; round < 20; round += 1) this.word();
  }

  /** A whole number from 0 to 2^32 - 1. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from `least` to `most`, both included. */
  integerBetween(min: number, max: number): number {
    return min + Math.floor((this.word() / 2 ** 32) * (max - min + 1));
  }

  /** True in `percent` of 100 draws. */
  chance(percent: number): boolean {
    return this.integerBetween(1, 100) <= percent;
  }

  /**
   * Picks one of the items.
   *
   * @throws RangeError if there are none.
   */
  pick<Item extends string | object>(items: readonly Item[]): Item {
    const item = items[this.integerBetween(0, items.length - 1)];
    if (item === undefined) throw new RangeError('There is nothing to pick from.');
    return item;
  }

  /** Picks `count` of the items in their order, or all if there are fewer. */
  pickSome<Item>(items: readonly Item[], count: number): Item[] {
    let remainingCount = count;
    return items.filter((_, position) => {
      const taken = this.integerBetween(1, items.length - position) <= remainingCount;
      if (taken) remainingCount -= 1;
      return taken;
    });
  }

  /** One of the choices, each as often as it weighs. */
  weighted<Choice extends string>(weights: Weights<Choice>): Choice {
    const rows = Object.entries(weights) as [Choice, number][];
    let remainingWeight = this.integerBetween(
      1,
      rows.reduce((sum, [, weight]) => sum + weight, 0),
    );
    for (const [choice, weight] of rows) {
      remainingWeight -= weight;
      if (remainingWeight <= 0) return choice;
    }
    throw new RangeError('There is nothing to choose from.');
  }

  /** A UUID of version 4 (RFC 9562 section 5.4), in lower case. */
  uuid(): string {
    const hex = Array.from({ length: 4 }, () => this.word().toString(16).padStart(8, '0')).join('');
    const variant = this.pick(['8', '9', 'a', 'b']);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join('-');
  }
}
