import { describe, expect, it } from 'vitest';
import { Random } from './random.ts';

describe('Random', () => {
  it('draws the same numbers for the same seed, index and stream, and different ones otherwise', () => {
    const drawNumbers = (...from: [number, number, number]) => {
      const random = new Random(...from);
      return [random.word(), random.word(), random.word()];
    };
    expect(drawNumbers(1, 2, 3)).toEqual(drawNumbers(1, 2, 3));
    // From a second implementation of sfc32, in Python.
    expect(drawNumbers(1, 2, 3)).toEqual([428635494, 4270309710, 745528127]);
    const numbers = [
      drawNumbers(1, 2, 3),
      drawNumbers(2, 1, 3),
      drawNumbers(1, 3, 2),
      drawNumbers(3, 2, 1),
    ].flat();
    expect(new Set(numbers).size).toBe(12);
  });

  it('reaches both ends of a range and nothing beyond', () => {
    const random = new Random(1, 1, 1);
    const numbers = new Set(Array.from({ length: 500 }, () => random.integerBetween(-1, 3)));
    expect([...numbers].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2, 3]);
  });

  it('picks as many items as requested in order, or all if there are fewer', () => {
    const random = new Random(1, 1, 1);
    const letters = ['a', 'b', 'c', 'd'];
    for (const count of [0, 1, 2, 3, 4]) {
      const pickedItems = random.pickSome(letters, count);
      expect(pickedItems).toHaveLength(count);
      expect(pickedItems).toEqual(letters.filter((letter) => pickedItems.includes(letter)));
    }
    expect(random.pickSome(letters, 9)).toEqual(letters);
  });

  it('draws each choice about as often as its weight says', () => {
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
