/** A set of record keys, one bit each. */
export class MatchSet {
  private words: Uint32Array;

  /** @param highest - Highest expected key. The set grows if needed. */
  constructor(highest: number) {
    this.words = new Uint32Array((highest >>> 5) + 1);
  }

  get size(): number {
    let size = 0;
    for (const word of this.words) size += bitsOf(word);
    return size;
  }

  has(number: number): boolean {
    return ((this.words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
  }

  add(number: number): void {
    const index = number >>> 5;
    if (index >= this.words.length) {
      const wider = new Uint32Array(index + 1 + (index >>> 3));
      wider.set(this.words);
      this.words = wider;
    }
    this.words[index] = (this.words[index] ?? 0) | (1 << (number & 31));
  }

  drop(number: number): void {
    const index = number >>> 5;
    if (index < this.words.length) this.words[index] = (this.words[index] ?? 0) & ~(1 << (number & 31));
  }

  copy(): MatchSet {
    const copy = new MatchSet(0);
    copy.words = this.words.slice();
    return copy;
  }

  /** Removes the keys that are not in another set. */
  retain(otherSet: MatchSet): void {
    for (let index = 0; index < this.words.length; index += 1) {
      this.words[index] = (this.words[index] ?? 0) & (otherSet.words[index] ?? 0);
    }
  }

  /** Removes the keys that are in another set. */
  remove(otherSet: MatchSet): void {
    for (let index = 0; index < this.words.length; index += 1) {
      this.words[index] = (this.words[index] ?? 0) & ~(otherSet.words[index] ?? 0);
    }
  }

  /** Visits the keys in ascending order. */
  forEach(visit: (number: number) => void): void {
    for (let index = 0; index < this.words.length; index += 1) {
      for (let word = this.words[index] ?? 0; word !== 0; word &= word - 1) {
        visit(index * 32 + (31 - Math.clz32(word & -word)));
      }
    }
  }

  /** Returns the keys in ascending order. */
  numbers(): number[] {
    const numbers: number[] = [];
    this.forEach((number) => numbers.push(number));
    return numbers;
  }
}

function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
