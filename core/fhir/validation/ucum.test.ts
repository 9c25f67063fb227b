import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { metricUnits, otherUnits, unitPrefixes } from './generated/ucum-table.js';
import { isUcum } from './ucum.ts';

interface Library {
  readonly validateUnitString: (
    code: string,
    suggest: boolean,
  ) => { readonly status: string; readonly msg: readonly string[] };
}

// The package brings no types.
const { UcumLhcUtils } = createRequire(import.meta.url)('@lhncbc/ucum-lhc') as {
  readonly UcumLhcUtils: { readonly getInstance: () => Library };
};
const library = UcumLhcUtils.getInstance();

function libraryTakes(code: string): boolean | undefined {
  if (code === '') return false;
  const { status, msg } = library.validateUnitString(code, false);
  // A decibel and a degree cannot be multiplied: a matter of arithmetic, not of grammar.
  return /non-ratio|Special units/.test(msg.join(' ')) ? undefined : status === 'valid';
}

/** The same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('every atom, and every metric atom with each prefix, is a unit', () => {
  const made = unitPrefixes.flatMap((prefix) => metricUnits.map((unit) => prefix + unit));
  expect([...metricUnits, ...otherUnits, ...made].filter((code) => !isUcum(code))).toEqual([]);
});

test('thousands of made and broken codes are judged as the library of the National Library of Medicine judges them', () => {
  const next = random(7);
  const pick = <One>(list: readonly One[]) => list[Math.floor(next() * list.length)] as One;
  const metric = metricUnits.filter((one) => !/^(?:B|Np)/.test(one));
  const atoms = [...metric, ...otherUnits.filter((one) => one !== '%[slope]')];
  const unit = () => {
    const atom = next() < 0.4 ? pick(unitPrefixes) + pick(metric) : pick(atoms);
    return (
      atom +
      (next() < 0.2 && !/[0-9*^]$/.test(atom) ? pick(['2', '-1', '+3']) : '') +
      (next() < 0.1 ? '{x}' : '')
    );
  };
  const differing: string[] = [];
  let valid = 0;
  for (let round = 0; round < 4_000; round += 1) {
    const parts = Array.from({ length: 1 + Math.floor(next() * 3) }, unit);
    let code = parts.reduce((all, part) => all + pick(['.', '/']) + part);
    if (next() < 0.4) {
      const at = Math.floor(next() * code.length);
      code =
        code.slice(0, at) + pick(['', '.', '//', 'q', '(', ')', '[', ']', '{', '7']) + code.slice(at + 1);
    }
    const takes = isUcum(code);
    if (takes) valid += 1;
    const theirs = libraryTakes(code);
    if (theirs !== undefined && takes !== theirs) differing.push(code);
  }
  expect(valid).toBeGreaterThan(1_000);
  // The library puts a prefix before units that UCUM has stand alone: hours, days, years, pints.
  expect(differing).toEqual(['yd', 'ka7/ucd+3/[tsp_m]', '[lcwt_av]-1.d%', '[pptr]/kmo{x}']);
});

test.each([
  '',
  'mgs',
  'mg/',
  '/',
  '.',
  'm..s',
  '(m',
  'm)',
  '{',
  'm{',
  'm 2',
  'hour',
  'MG/DL',
  'degC',
  '2m',
  'kkg',
  'k[degF]',
])('%j is no unit', (code) => {
  expect(isUcum(code)).toBe(false);
});

test('a code as long as a body is refused at once', () => {
  expect(isUcum('m.'.repeat(1_000_000))).toBe(false);
});
