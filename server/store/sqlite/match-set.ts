/** A set of record numbers, one bit each. */
export class MatchSet {
  private words: Uint32Array;

  /** @param highest - The highest number that is expected; others may be added. */
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
    const at = number >>> 5;
    if (at >= this.words.length) {
      const wider = new Uint32Array(at + 1 + (at >>> 3));
      wider.set(this.words);
      this.words = wider;
    }
    this.words[at] = (this.words[at] ?? 0) | (1 << (number & 31));
  }

  drop(number: number): void {
    const at = number >>> 5;
    if (at < this.words.length) this.words[at] = (this.words[at] ?? 0) & ~(1 << (number & 31));
  }

  copy(): MatchSet {
    const copy = new MatchSet(0);
    copy.words = this.words.slice();
    return copy;
  }

  /** Drops what the other does not hold. */
  retain(other: MatchSet): void {
    for (let at = 0; at < this.words.length; at += 1) {
      this.words[at] = (this.words[at] ?? 0) & (other.words[at] ?? 0);
    }
  }

  /** Drops what the other holds. */
  remove(other: MatchSet): void {
    for (let at = 0; at < this.words.length; at += 1) {
      this.words[at] = (this.words[at] ?? 0) & ~(other.words[at] ?? 0);
    }
  }

  /** Visits the numbers, the lowest first. */
  forEach(visit: (number: number) => void): void {
    for (let at = 0; at < this.words.length; at += 1) {
      for (let word = this.words[at] ?? 0; word !== 0; word &= word - 1) {
        visit(at * 32 + (31 - Math.clz32(word & -word)));
      }
    }
  }

  /** The numbers, the lowest first. */
  numbers(): number[] {
    const numbers: number[] = [];
    this.forEach((number) => numbers.push(number));
    return numbers;
  }
}

/** The number of bits that are set in a word. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
