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

// The package has no types.
const { UcumLhcUtils } = createRequire(import.meta.url)('@lhncbc/ucum-lhc') as {
  readonly UcumLhcUtils: { readonly getInstance: () => Library };
};
const library = UcumLhcUtils.getInstance();

function isValidInLibrary(code: string): boolean | undefined {
  if (code === '') return false;
  const { status, msg } = library.validateUnitString(code, false);
  // A decibel or a degree cannot be multiplied: that is arithmetic, not grammar.
  return /non-ratio|Special units/.test(msg.join(' ')) ? undefined : status === 'valid';
}

/** Returns a reproducible random generator (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('accepts every atom, and every metric atom with each prefix', () => {
  const prefixedUnits = unitPrefixes.flatMap((prefix) => metricUnits.map((unit) => prefix + unit));
  expect([...metricUnits, ...otherUnits, ...prefixedUnits].filter((code) => !isUcum(code))).toEqual([]);
});

test('agrees with the library of the National Library of Medicine on thousands of codes', () => {
  const next = random(7);
  const pick = <One>(list: readonly One[]) => list[Math.floor(next() * list.length)] as One;
  const metric = metricUnits.filter((candidate) => !/^(?:B|Np)/.test(candidate));
  const atoms = [...metric, ...otherUnits.filter((candidate) => candidate !== '%[slope]')];
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
    let code = parts.reduce((text, part) => text + pick(['.', '/']) + part);
    if (next() < 0.4) {
      const offset = Math.floor(next() * code.length);
      code =
        code.slice(0, offset) +
        pick(['', '.', '//', 'q', '(', ')', '[', ']', '{', '7']) +
        code.slice(offset + 1);
    }
    const isValid = isUcum(code);
    if (isValid) valid += 1;
    const isValidThere = isValidInLibrary(code);
    if (isValidThere !== undefined && isValid !== isValidThere) differing.push(code);
  }
  expect(valid).toBeGreaterThan(1_000);
  // The library allows prefixes before units that UCUM excludes: hours, days, years, pints.
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
])('rejects %j', (code) => {
  expect(isUcum(code)).toBe(false);
});

test('rejects a code of 2 MB at once', () => {
  expect(isUcum('m.'.repeat(1_000_000))).toBe(false);
});
