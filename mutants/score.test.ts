import { expect, test } from 'vitest';
import { getSamplePosition } from './sample.ts';
import { formatScoreSection, type TriedMutant } from './score-section.ts';

const mutant = (line: number) => ({
  fileName: 'core/a.ts',
  location: { start: { line, column: 0 }, end: { line, column: 9 } },
  replacement: 'true',
});

test('samples about its share of all changes by a seed, and always the same', () => {
  const positions = Array.from({ length: 2000 }, (_, line) => getSamplePosition(mutant(line), 'seed'));
  const sampledCount = positions.filter((place) => place < 0.1).length;
  expect(sampledCount).toBeGreaterThan(150);
  expect(sampledCount).toBeLessThan(250);
  expect(Array.from({ length: 2000 }, (_, line) => getSamplePosition(mutant(line), 'seed'))).toEqual(
    positions,
  );
  expect(getSamplePosition(mutant(1), 'other')).not.toBe(getSamplePosition(mutant(1), 'seed'));
});

test('ignores changes outside the sample, and lists unnoticed ones with their lines', () => {
  const createTriedMutant = (status: string, line = 1, testSetName?: string): TriedMutant => ({
    ...mutant(line),
    status,
    mutatorName: 'Boolean',
    original: 'a  &&\n b',
    ...(testSetName !== undefined && { testSetName }),
  });
  const mutants = [
    createTriedMutant('Killed', 1, 'own'),
    createTriedMutant('Timeout', 2, 'own'),
    createTriedMutant('Killed', 3, 'others'),
    createTriedMutant('CompileError'),
    createTriedMutant('Ignored'),
    createTriedMutant('Survived', 6),
    createTriedMutant('NoCoverage', 8),
  ];
  const looks = [
    { name: 'own', tests: 'its own' },
    { name: 'others', tests: 'those of others' },
    { name: 'components', tests: 'those of components' },
  ];
  const ran = ['own', 'others'];
  const section = formatScoreSection(
    { command: 'run', seed: 's', share: '0.1', testSets: looks, ran, mutants },
    '.',
  );
  expect(section).toContain('**3 of 5 mutants were detected (60%)');
  expect(section).toContain('covers, 75%.**');
  expect(section).toContain(
    '- `its own`: 2 detected\n- `those of others`: 1 detected\n- `those of components`: not run\n',
  );
  expect(section).toMatch(
    /`core\/a\.ts`:6, `a && b` to `true`\n.*:8, `a && b` to `true` \(no test covers it\)/,
  );
});
