import { describe, expect, it } from 'vitest';
import { Random } from './random.ts';

describe('Random', () => {
  it('draws the same numbers for the same seed, index and stream, and others for others', () => {
    const drawn = (...from: [number, number, number]) => {
      const random = new Random(...from);
      return [random.word(), random.word(), random.word()];
    };
    expect(drawn(1, 2, 3)).toEqual(drawn(1, 2, 3));
    // From a second implementation of sfc32, in Python.
    expect(drawn(1, 2, 3)).toEqual([428635494, 4270309710, 745528127]);
    const all = [drawn(1, 2, 3), drawn(2, 1, 3), drawn(1, 3, 2), drawn(3, 2, 1)].flat();
    expect(new Set(all).size).toBe(12);
  });

  it('reaches both ends of a range and nothing beyond', () => {
    const random = new Random(1, 1, 1);
    const drawn = new Set(Array.from({ length: 500 }, () => random.between(-1, 3)));
    expect([...drawn].sort((one, other) => one - other)).toEqual([-1, 0, 1, 2, 3]);
  });

  it('takes as many items as asked for, in their order, and all where there are fewer', () => {
    const random = new Random(1, 1, 1);
    const letters = ['a', 'b', 'c', 'd'];
    for (const count of [0, 1, 2, 3, 4]) {
      const taken = random.some(letters, count);
      expect(taken).toHaveLength(count);
      expect(taken).toEqual(letters.filter((letter) => taken.includes(letter)));
    }
    expect(random.some(letters, 9)).toEqual(letters);
  });

  it('draws each choice about as often as it weighs', () => {
    const random = new Random(1, 1, 1);
    const often = Array.from({ length: 2000 }, () => random.weighted({ often: 3, seldom: 1, never: 0 }));
    expect(often.filter((choice) => choice === 'often').length / 2000).toBeCloseTo(0.75, 1);
    expect(often).not.toContain('never');
  });

  it('refuses to pick from nothing', () => {
    const random = new Random(1, 1, 1);
    expect(() => random.pick([])).toThrow(RangeError);
    expect(() => random.weighted({})).toThrow(RangeError);
  });
});
