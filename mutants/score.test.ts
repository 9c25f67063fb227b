import { expect, test } from 'vitest';
import { placeOf } from './sample.ts';
import { scoreSection, type TriedMutant } from './score-section.ts';

const mutant = (line: number) => ({
  fileName: 'core/a.ts',
  location: { start: { line, column: 0 }, end: { line, column: 9 } },
  replacement: 'true',
});

test('a seed takes about its share of all changes, and always the same', () => {
  const all = Array.from({ length: 2000 }, (_, line) => placeOf(mutant(line), 'seed'));
  const taken = all.filter((place) => place < 0.1).length;
  expect(taken).toBeGreaterThan(150);
  expect(taken).toBeLessThan(250);
  expect(Array.from({ length: 2000 }, (_, line) => placeOf(mutant(line), 'seed'))).toEqual(all);
  expect(placeOf(mutant(1), 'other')).not.toBe(placeOf(mutant(1), 'seed'));
});

test('what was not in the sample counts for nothing; what nothing noticed is told with its place', () => {
  const of = (status: string, line = 1, by?: string): TriedMutant => ({
    ...mutant(line),
    status,
    mutatorName: 'Boolean',
    original: 'a  &&\n b',
    ...(by !== undefined && { by }),
  });
  const mutants = [
    of('Killed', 1, 'own'),
    of('Timeout', 2, 'own'),
    of('Killed', 3, 'others'),
    of('CompileError'),
    of('Ignored'),
    of('Survived', 6),
    of('NoCoverage', 8),
  ];
  const looks = [
    { name: 'own', tests: 'its own' },
    { name: 'others', tests: 'those of others' },
    { name: 'components', tests: 'those of components' },
  ];
  const ran = ['own', 'others'];
  const told = scoreSection({ command: 'run', seed: 's', share: '0.1', looks, ran, mutants }, '.');
  expect(told).toContain('**3 of 5 changes were noticed (60 %)');
  expect(told).toContain('through 75 %.**');
  expect(told).toContain(
    '- `its own`: 2 noticed\n- `those of others`: 1 noticed\n- `those of components`: not run\n',
  );
  expect(told).toMatch(
    /`core\/a\.ts`:6, `a && b` to `true`\n.*:8, `a && b` to `true` \(no test runs through it\)/,
  );
});
