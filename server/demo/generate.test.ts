import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateClinic, type DemoOptions } from './generate.ts';

/** Changes when the content changes on purpose: then write the new one down, and in the changelog that ids moved. */
const SEED_1_SHA_256 = '7bb499a461bec94989954cec9d4b3f0b88fe69980c8ff90aba52b5be317d3126';

function lines(options?: DemoOptions): string[] {
  return Array.from(generateClinic(options), ({ type, id, text }) => `${type}/${id} ${text}\n`);
}

const seed1 = lines();

describe('generateClinic', () => {
  it('generates the same bytes for the same seed on every computer', () => {
    expect(createHash('sha256').update(seed1.join('')).digest('hex')).toBe(SEED_1_SHA_256);
    expect(lines({ seed: 1, patients: 200 })).toEqual(seed1);
  });

  it('generates another clinic for another seed', () => {
    const seed1Ids = new Set(seed1);
    expect(lines({ seed: 2 }).filter((line) => seed1Ids.has(line))).toEqual([]);
  });

  it('does not change the first patients if more are requested', () => {
    expect(lines({ patients: 300 }).slice(0, seed1.length)).toEqual(seed1);
    expect(lines({ patients: 0 })).toEqual([]);
  });

  it('gives each record its own id, a UUID of version 4, across seeds', () => {
    const ids = [1, 2, 3].flatMap((seed) =>
      Array.from(generateClinic({ seed, patients: 400 }), ({ id }) => id),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !version4.test(id))).toEqual([]);
  });
});
